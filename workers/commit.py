"""The commit of one job: shard first, sidecar last, each linked to its name when it is on disk.

A reader sees the old state or the new one, whatever is killed in between. The first attempt
wins; a second delivery of a job finds equal bytes and changes nothing; other rows are an alarm.
"""

import errno
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from workers.contracts import Sidecar
from workers.disk import draft_path, file_hash, new_file, publish, sync_folder, write_all
from workers.errors import IntegrityError
from workers.shards import parse_shard, read_sidecar, shard_path, sidecar_path
from workers.tables import content_hash, parquet_bytes

STEPS = (
    "shard written",
    "shard validated",
    "shard synced",
    "shard linked",
    "shard folder synced",
    "sidecar written",
    "sidecar synced",
    "sidecar linked",
    "sidecar folder synced",
)
"""The states a commit passes through; `after(step)` is called at each, for fault injection."""

After = Callable[[str], None]


class ShardFacts(NamedTuple):
    """What is known of a shard once its bytes are made; hashes as 64 hex digits."""

    rows: int
    bytes: int
    sha256: str
    content: str


def nothing(step: str) -> None:
    """The `after` of an ordinary commit."""


def commit(
    folder: Path,
    job: int,
    table: pa.Table,
    facts: dict[str, Any],
    describe: Callable[[ShardFacts], Sidecar],
    after: After = nothing,
) -> Sidecar:
    """Make the rows of `job` visible, or find that they are; returns the sidecar in force.

    `facts` go into the footer, with the job; `describe` makes the sidecar from the hashes.
    Raises IntegrityError when other rows of this job are already there, OSError as the disk says.
    """
    content = parquet_bytes(table, {**facts, "job": job})
    sha256 = hashlib.sha256(content).hexdigest()
    shard = ShardFacts(table.num_rows, len(content), sha256, content_hash(table))
    drafts = (draft_path(folder, f"{job}-shard"), draft_path(folder, f"{job}-sidecar"))
    try:
        _commit_shard(folder, job, drafts[0], (content, shard), after)
        return _commit_sidecar(folder, job, drafts[1], describe(shard), after)
    finally:
        for draft in drafts:
            draft.unlink(missing_ok=True)


def _commit_shard(
    folder: Path, job: int, draft: Path, made: tuple[bytes, ShardFacts], after: After
) -> None:
    content, shard = made
    final = shard_path(folder, job)
    with new_file(draft) as stream:
        write_all(stream, content)
        after("shard written")
        _validate(draft, shard)
        after("shard validated")
        os.fsync(stream.fileno())
    after("shard synced")
    if not publish(draft, final):
        _settle(folder, job, draft, shard)
    after("shard linked")
    sync_folder(final.parent)
    after("shard folder synced")


def _commit_sidecar(folder: Path, job: int, draft: Path, made: Sidecar, after: After) -> Sidecar:
    final = sidecar_path(folder, job)
    with new_file(draft) as stream:
        write_all(stream, msgspec.json.encode(made))
        after("sidecar written")
        os.fsync(stream.fileno())
    after("sidecar synced")
    sidecar = made if publish(draft, final) else _settle_sidecar(folder, job, draft, made)
    after("sidecar linked")
    sync_folder(final.parent)
    after("sidecar folder synced")
    return sidecar


def _validate(draft: Path, shard: ShardFacts) -> None:
    """Read the file back: its bytes and the row count of its footer are what was meant."""
    if pq.read_metadata(draft).num_rows != shard.rows or file_hash(draft) != shard.sha256:
        raise OSError(errno.EIO, "the file read back differs from what was written", str(draft))


def _settle(folder: Path, job: int, draft: Path, shard: ShardFacts) -> None:
    """A shard is already there: it is equal, or a broken leftover to replace, or an alarm."""
    final = shard_path(folder, job)
    if file_hash(final) == shard.sha256:
        return
    sidecar = _sidecar_if_sound(folder, job)
    if sidecar is not None and sidecar.content != shard.content:
        raise IntegrityError(str(final), f"job {job} gives other rows than those committed")
    if sidecar is None and _holds_other_rows(final, job, shard):
        raise IntegrityError(str(final), f"job {job} gives other rows than those in its shard")
    os.replace(draft, final)


def _settle_sidecar(folder: Path, job: int, draft: Path, made: Sidecar) -> Sidecar:
    """A sidecar is already there: another delivery's for the same bytes, or a broken one."""
    present = _sidecar_if_sound(folder, job)
    if present is not None and present.sha256 == made.sha256 and present.cfg8 == made.cfg8:
        return present
    if present is not None and (present.content, present.cfg8) != (made.content, made.cfg8):
        raise IntegrityError(str(sidecar_path(folder, job)), f"job {job} is committed otherwise")
    os.replace(draft, sidecar_path(folder, job))
    return made


def _sidecar_if_sound(folder: Path, job: int) -> Sidecar | None:
    try:
        return read_sidecar(folder, job)
    except IntegrityError:
        return None


def _holds_other_rows(path: Path, job: int, shard: ShardFacts) -> bool:
    """True when `path` is a whole shard of `job` with other rows: then something is not a function
    of the plan, or two versions of the code are at work."""
    try:
        table, facts = parse_shard(path)
    except (OSError, pa.ArrowException, msgspec.DecodeError):
        return False
    return facts.get("job") == job and content_hash(table) != shard.content
