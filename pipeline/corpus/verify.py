"""Every file of a run against its record: what is damaged, and what to compute again."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.corpus.content import corpus_content
from pipeline.corpus.manifest import (
    MANIFEST,
    REJECTS,
    RELEASED,
    SUCCESS,
    Manifest,
    read_manifest,
)
from pipeline.runs import read_record
from pipeline.schemas import differences, run_schema
from workers.contracts import RECORD_SCHEMA, RunRecord, Sidecar
from workers.disk import file_hash, file_size
from workers.errors import IntegrityError, ParamsError, UsageError, VersionRefused
from workers.inputs import input_faults
from workers.shards import committed_jobs, discard_shard, shard_path, verify_shard
from workers.tables import content_hash, footer_facts


class Finding(NamedTuple):
    """One fault: the file, the job it belongs to (None for corpus files) and what is wrong."""

    file: Path
    job: int | None
    what: str

    def __str__(self) -> str:
        job = "" if self.job is None else f"job {self.job}: "
        return f"{self.file}: {job}{self.what}"


class ShardCheck:
    """Compares the shards of one run with their sidecars, the run and the schema."""

    def __init__(self, run_dir: Path, record: RunRecord) -> None:
        self._schema = _schema_or_none(record)
        self._run_dir = run_dir
        self._record = record

    def findings(self, job: int, deep: bool = False) -> list[Finding]:
        """Faults of a committed job, none when it is sound; `deep` recomputes its content hash."""
        path = shard_path(self._run_dir, job)
        try:
            sidecar = verify_shard(self._run_dir, job, self._record.cfg8)
            faults = list(self._faults(path, sidecar, deep))
        except IntegrityError as wrong:
            return [Finding(Path(str(wrong.args[0])), job, str(wrong.args[-1]))]
        except (pa.ArrowException, OSError) as wrong:
            faults = [f"no Parquet file: {wrong}"]
        return [Finding(path, job, what) for what in faults]

    def _faults(self, path: Path, sidecar: Sidecar, deep: bool) -> Iterator[str]:
        spec, job = self._record.facts.spec, sidecar.job
        first, stop = spec.row_range(job)
        if sidecar.schema != RECORD_SCHEMA:
            yield f"its record has schema {sidecar.schema}, not {RECORD_SCHEMA}"
        if job >= spec.jobs:
            yield f"the run has {spec.jobs} jobs only"
        elif sidecar.rows != stop - first:
            yield f"{sidecar.rows} rows, not {stop - first}"
        with pq.ParquetFile(path) as file:
            if file.metadata.num_rows != sidecar.rows:
                yield f"{file.metadata.num_rows} rows, its record says {sidecar.rows}"
            if footer_facts(file.metadata).get("job") != job:
                yield "holds the rows of another job"
            if self._schema is not None:
                yield from differences(file.schema_arrow, self._schema)
            if deep and content_hash(file.read()) != sidecar.content:
                yield "its values differ from its record (content hash)"


def verify(run_dir: Path, deep: bool = False) -> int:
    """Check every shard and corpus file against its record; returns the number of files checked.

    `deep` also recomputes the content hashes from the values. Raises IntegrityError with all
    findings, one a line (exit code 5); files are only read.
    """
    findings = list(run_findings(run_dir, deep))
    if findings:
        raise integrity_error(findings)
    corpus = run_dir / "corpus"
    files = len(read_manifest(corpus).files) if (corpus / MANIFEST).exists() else 0
    return len(committed_jobs(run_dir)) + files


def integrity_error(findings: list[Finding]) -> IntegrityError:
    """One error that tells all findings, one a line."""
    return IntegrityError("\n".join(str(finding) for finding in findings))


def run_findings(run_dir: Path, deep: bool = False) -> Iterator[Finding]:
    """All faults of a run folder: its input, then shards by job, then the corpus."""
    record = read_record(run_dir)
    if record.facts.spec.input is not None:
        for path, what in input_faults(run_dir, record.facts.spec.input):
            yield Finding(path, None, what)
    check = ShardCheck(run_dir, record)
    for job in committed_jobs(run_dir).tolist():
        yield from check.findings(job, deep)
    for job in lost_jobs(run_dir):
        yield Finding(shard_path(run_dir, job), job, "lost: in the corpus, but without its shard")
    if (run_dir / "corpus").is_dir():
        yield from corpus_findings(run_dir / "corpus", deep)


def lost_jobs(run_dir: Path) -> list[int]:
    """Jobs of a complete run whose rows are in its corpus, but whose shards are gone, in order.

    None when they were removed on purpose (`released`), or when the corpus cannot tell.
    """
    corpus = run_dir / "corpus"
    if not (corpus / SUCCESS).exists() or (run_dir / RELEASED).exists():
        return []
    try:
        manifest = read_manifest(corpus)
    except (IntegrityError, UsageError):
        return []  # `corpus_findings` says so
    merged = np.ones(manifest.jobs, np.bool_)
    for jobs in (manifest.quarantined, committed_jobs(run_dir)):
        places = np.asarray(jobs, np.int64)
        merged[places[places < manifest.jobs]] = False
    lost: list[int] = np.flatnonzero(merged).tolist()
    return lost


def bad_shards(run_dir: Path) -> list[int]:
    """Jobs whose sidecar stands but whose shard does not match it, in order."""
    check = ShardCheck(run_dir, read_record(run_dir))
    return [job for job in committed_jobs(run_dir).tolist() if check.findings(job)]


def discard(run_dir: Path, job: int) -> None:
    """Forget a committed job, so that it is computed again."""
    discard_shard(run_dir, job)


def corpus_findings(folder: Path, deep: bool = False) -> Iterator[Finding]:
    """Faults of a corpus folder: files against the manifest, strangers, the marker."""
    try:
        manifest = read_manifest(folder)
    except (IntegrityError, UsageError) as wrong:
        yield Finding(folder / MANIFEST, None, str(wrong.args[-1]))
        return
    marker = folder / SUCCESS
    if marker.exists() and marker.read_bytes().strip() != manifest.content.encode():
        yield Finding(marker, None, "names another content than the manifest")
    if file_hash(folder / REJECTS) != manifest.rejects:
        yield Finding(folder / REJECTS, None, "differs from the manifest (SHA-256)")
    for part in manifest.files:
        path = folder / part.file
        if file_size(path) is None:
            yield Finding(path, None, "is missing")
        elif file_size(path) != part.bytes:
            yield Finding(path, None, f"{file_size(path)} bytes, not {part.bytes}")
        elif file_hash(path) != part.sha256:
            yield Finding(path, None, "damaged (SHA-256 differs from the manifest)")
    listed = {part.file for part in manifest.files}
    for path in sorted(folder.glob("*.parquet")):
        if path.name not in listed:
            yield Finding(path, None, "is not in the manifest")
    if deep:
        yield from _content_findings(folder, manifest)


def _schema_or_none(record: RunRecord) -> pa.Schema | None:
    """The columns of the run, or None when another version made it: its bytes can be checked."""
    try:
        return run_schema(record.facts)
    except (VersionRefused, ParamsError):
        return None


def _content_findings(folder: Path, manifest: Manifest) -> Iterator[Finding]:
    try:
        if corpus_content(folder, manifest) != manifest.content:
            yield Finding(folder / MANIFEST, None, "the values are not those of its content hash")
    except (pa.ArrowException, OSError) as wrong:
        yield Finding(folder, None, f"cannot be read: {wrong}")
