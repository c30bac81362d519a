"""The shards of a run: where they lie, which are committed, and whether they are sound.

A job is committed if and only if `shards/xx/<job>.json` (its sidecar) exists and matches the
shard beside it. A shard without a sidecar is a leftover: `workers.commit` takes or replaces it.
"""

import os
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from workers.contracts import Sidecar
from workers.disk import file_hash, file_size, job_of, sync_folder
from workers.errors import IntegrityError
from workers.tables import content_hash, footer_facts


def shard_path(folder: Path, job: int) -> Path:
    """Where the rows of `job` lie in the run folder."""
    return folder / "shards" / f"{job % 256:02x}" / f"{job}.parquet"


def sidecar_path(folder: Path, job: int) -> Path:
    """Where the record of `job` lies in the run folder."""
    return shard_path(folder, job).with_suffix(".json")


def read_sidecar(folder: Path, job: int) -> Sidecar | None:
    """The record of a committed job, None when there is none; IntegrityError when malformed."""
    path = sidecar_path(folder, job)
    try:
        sidecar = msgspec.json.decode(path.read_bytes(), type=Sidecar)
    except FileNotFoundError:
        return None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise IntegrityError(str(path), f"the sidecar is malformed: {error}") from error
    if sidecar.job != job:
        raise IntegrityError(str(path), f"the sidecar is that of job {sidecar.job}")
    return sidecar


def sound_sidecar(folder: Path, job: int) -> Sidecar | None:
    """The sidecar when the shard beside it has the size it states, else None; takes no hash."""
    try:
        sidecar = read_sidecar(folder, job)
    except IntegrityError:
        return None
    if sidecar is None or file_size(shard_path(folder, job)) != sidecar.bytes:
        return None
    return sidecar


def is_committed(folder: Path, job: int) -> bool:
    """True when `job` needs no work: its sidecar and a shard of the stated size are there."""
    return sound_sidecar(folder, job) is not None


def committed_jobs(folder: Path) -> NDArray[np.int64]:
    """Indices of all jobs with a sidecar, ascending: one listing of 256 folders, no file read.

    Files that are not named like a sidecar are nobody's, and left alone.
    """
    found: list[int] = []
    for xx in range(256):
        place = folder / "shards" / f"{xx:02x}"
        try:
            names = os.listdir(place)
        except FileNotFoundError:
            continue
        except NotADirectoryError:
            what = "is a file where a folder of shards belongs; remove it"
            raise IntegrityError(str(place), what) from None
        jobs = (job_of(name[:-5]) for name in names if name.endswith(".json"))
        found.extend(job for job in jobs if job is not None and job % 256 == xx)
    return np.sort(np.array(found, np.int64))


def verify_shard(folder: Path, job: int, cfg8: str) -> Sidecar:
    """Check sidecar, size and file hash of a committed job: finds every changed byte.

    Raises IntegrityError(file, job, what); reads the file once.
    """
    path = shard_path(folder, job)
    sidecar = read_sidecar(folder, job)
    if sidecar is None:
        raise IntegrityError(str(sidecar_path(folder, job)), f"job {job}", "no sidecar")
    if sidecar.cfg8 != cfg8:
        what = f"made for plan {sidecar.cfg8}, not {cfg8}"
        raise IntegrityError(str(path), f"job {job}", what)
    size = file_size(path)
    if size is None:
        raise IntegrityError(str(path), f"job {job}", "the shard is missing")
    if size != sidecar.bytes:
        raise IntegrityError(str(path), f"job {job}", f"{size} bytes, not {sidecar.bytes}")
    if file_hash(path) != sidecar.sha256:
        raise IntegrityError(str(path), f"job {job}", "the bytes differ from the sidecar's hash")
    return sidecar


def read_shard(folder: Path, job: int, cfg8: str, schema: pa.Schema) -> pa.Table:
    """The rows of a committed job, verified: file hash, schema, row count and content hash.

    `schema` is `tables.shard_schema` of the run's kind (see `jobs.Run.schema`); the table comes
    back with it, field metadata included.
    """
    sidecar = verify_shard(folder, job, cfg8)
    path = shard_path(folder, job)
    try:
        table, facts = parse_shard(path)
    except (OSError, pa.ArrowException) as error:
        raise IntegrityError(str(path), f"job {job}", f"not a Parquet file: {error}") from error
    if facts.get("job") != job:
        raise IntegrityError(str(path), f"holds the rows of job {facts.get('job')}, not {job}")
    if not table.schema.equals(schema, check_metadata=False):
        raise IntegrityError(str(path), f"job {job}", "the columns are not those of the run")
    if table.num_rows != sidecar.rows or content_hash(table) != sidecar.content:
        raise IntegrityError(str(path), f"job {job}", "the rows differ from the sidecar's hash")
    return pa.Table.from_arrays([table.column(name) for name in schema.names], schema=schema)


def parse_shard(path: Path) -> tuple[pa.Table, dict[str, object]]:
    """Rows and footer facts of a Parquet file as they stand, nothing checked."""
    with pq.ParquetFile(path, memory_map=False, pre_buffer=False) as shard:
        return shard.read(use_threads=False), footer_facts(shard.metadata)


def discard_shard(folder: Path, job: int) -> None:
    """Make `job` uncommitted again, so that it is done anew (after `verify` found it broken)."""
    sidecar_path(folder, job).unlink(missing_ok=True)
    if sidecar_path(folder, job).parent.is_dir():
        sync_folder(sidecar_path(folder, job).parent)
    shard_path(folder, job).unlink(missing_ok=True)
