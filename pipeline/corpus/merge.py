"""Shards of a run, or several corpora, become one corpus folder, made whole or not at all."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.corpus.identity import Dedupe
from pipeline.corpus.manifest import (
    MANIFEST_SCHEMA,
    REJECTS,
    Manifest,
    Origin,
    QuotaFacts,
    RowCounts,
    read_manifest,
    write_manifest,
)
from pipeline.corpus.order import sort_columns
from pipeline.corpus.passes import Choice, Report, Written, carry
from pipeline.corpus.quotas import QuotaCounter
from pipeline.corpus.reading import is_complete
from pipeline.corpus.sources import corpus_pieces, shard_piece
from pipeline.corpus.staging import staged
from pipeline.corpus.verify import Finding, ShardCheck, corpus_findings, integrity_error
from pipeline.levels import Levels
from pipeline.runs import read_record
from pipeline.schemas import RUN_COLUMN, corpus_schema, rater_versions, run_schema, unify
from workers.attempts import quarantined_jobs
from workers.contracts import RunFacts, RunRecord
from workers.errors import ConfigError, RunError, UsageError
from workers.kinds import registry
from workers.shards import committed_jobs


def silent(step: str, rows: int) -> None:
    """The report of a merge that nobody watches."""


def merge_run(run_dir: Path, accept_quarantined: bool = False, report: Report = silent) -> Manifest:
    """Make STORE/<run>/corpus from the shards; replaces an older one when it is whole.

    Every shard is verified first. Quarantined jobs are left out and named in the manifest; then
    the corpus is complete (has _SUCCESS) only with `accept_quarantined`, and never while a quota
    is not filled. Returns the manifest. Raises IntegrityError with all findings (damaged shards,
    rows out of range, equal keys of unequal forms), RunError when jobs are missing.
    """
    record = read_record(run_dir)
    facts = record.facts
    counter = QuotaCounter.for_run(facts, run_dir)
    choice = Choice(counter, corpus_schema(run_schema(facts), [facts], counter.levels))
    _choose_jobs(run_dir, record, choice)
    with staged(run_dir / "corpus") as folder:
        written = carry(choice, folder, report)
        rejects = _copy_rejects(run_dir, folder)
        origin = Origin(record.run_id, record.digest, facts)
        manifest = _manifest(choice, written, [origin], accept_quarantined, rejects)
        write_manifest(folder, manifest)
    return manifest


def merge_corpora(
    corpora: Sequence[Path],
    out: Path,
    *,
    dedupe: Dedupe = "canonical",
    levels: Levels | None = None,
    incomplete: bool = False,
    overwrite: bool = False,
    report: Report = silent,
) -> Manifest:
    """Merge corpora into the folder `out`; of doubles, the one of the earliest corpus stays.

    A column `run` says where a row came from. `levels`: a levels file for all rows; by default
    the corpora must agree on theirs. Raises UsageError when `out` exists (unless `overwrite`) or
    a corpus is not complete (unless `incomplete`), ConfigError when levels differ,
    VersionRefused when rater versions differ, IntegrityError when a file is damaged.
    """
    if out.exists() and not (overwrite and (out / "manifest.json").exists()):
        raise UsageError(out, "exists already")
    manifests = [_sound(folder, incomplete) for folder in corpora]
    levels = levels or _common_levels(corpora, manifests)
    facts = [origin.facts for manifest in manifests for origin in manifest.origins]
    if len({one.spec.kind for one in facts}) > 1:
        raise UsageError(out, "corpora of different puzzle kinds cannot be merged")
    rater_versions(facts)  # refuses what does not mix before any row is read
    counter = QuotaCounter({}, levels, dedupe)
    choice = Choice(counter, corpus_schema(_joint_schema(corpora, manifests), facts, levels))
    for folder, manifest in zip(corpora, manifests, strict=True):
        for piece in corpus_pieces(folder, manifest, manifest.origins[0].run_id):
            choice.take(counter.jobs, piece)
    with staged(out) as folder:
        written = carry(choice, folder, report)
        origins = [origin for manifest in manifests for origin in _origins(manifest)]
        manifest = _manifest(choice, written, origins, True, b"")
        write_manifest(folder, manifest)
    return manifest


def _choose_jobs(run_dir: Path, record: RunRecord, choice: Choice) -> None:
    """Take the shards of jobs 0, 1, 2 ... until all are taken or all quotas are filled."""
    check, counter = ShardCheck(run_dir, record), choice.counter
    committed = set(committed_jobs(run_dir).tolist())
    quarantined = set(quarantined_jobs(run_dir))
    findings: list[Finding] = []
    for job in range(record.facts.spec.jobs):
        if job in committed:
            findings += check.findings(job)
            if not findings:
                choice.take(job, shard_piece(run_dir, job))
        elif job in quarantined:
            if not findings:
                counter.skip(job)
        else:
            break
        if counter.filled:
            break
    if findings:
        raise integrity_error(findings)
    if not counter.filled and counter.jobs < record.facts.spec.jobs:
        raise RunError(run_dir, f"job {counter.jobs} is missing; resume the run first")


def _manifest(
    choice: Choice, written: Written, origins: list[Origin], accept: bool, rejects: bytes
) -> Manifest:
    rejected = rejects.count(b"\n")
    counter, facts = choice.counter, [origin.facts for origin in origins]
    unfilled = counter.unfilled()
    of_a_run = len(origins) == 1 and origins[0].content is None
    return Manifest(
        schema=MANIFEST_SCHEMA,
        content=written.content,
        kind=facts[0].spec.kind,
        kind_version=max(one.kind_version for one in facts),
        rater_versions=rater_versions(facts),
        dedupe=counter.dedupe,
        levels=counter.levels.table if counter.levels else None,
        level_rows={n: written.level_rows[n] for n in counter.names if n in written.level_rows},
        sorted_by=sort_columns(choice.schema),
        rows=RowCounts(
            counter.rows,
            counter.kept,
            counter.doubles,
            counter.surplus,
            rejected,
            counter.known,
            counter.missed,
        ),
        jobs=counter.jobs if of_a_run else 0,
        acceptance={
            n: round(found / max(counter.rows, 1), 9) for n, found in counter.found.items()
        },
        quotas=QuotaFacts(counter.quotas, counter.found, unfilled) if counter.quotas else None,
        quarantined=counter.skipped,
        complete=not unfilled and (accept or not counter.skipped),
        rejects=hashlib.sha256(rejects).hexdigest() if rejects else None,
        origins=origins,
        files=written.files,
        credits=_credits(facts),
    )


def _credits(facts: Sequence[RunFacts]) -> list[str]:
    """Whom the puzzles of runs with these facts are owed to, each once, where a kind says so."""
    found: list[str] = []
    for one in facts:
        kind = registry.get(one.spec.kind)
        credited = getattr(kind, "credits", None)
        if credited is not None and one.spec.action == "generate":
            found += credited(msgspec.convert(one.spec.params, kind.params_type))
    return list(dict.fromkeys(found))


def _copy_rejects(run_dir: Path, folder: Path) -> bytes:
    """Put the rejected lines of the input, if any, beside the corpus; returns them."""
    source = run_dir / "input" / REJECTS
    lines = source.read_bytes() if source.is_file() else b""
    if lines:
        (folder / REJECTS).write_bytes(lines)
    return lines


def _sound(folder: Path, incomplete: bool) -> Manifest:
    manifest = read_manifest(folder)
    if not incomplete and not is_complete(folder):
        raise UsageError(folder, "is not complete (no _SUCCESS)")
    findings = list(corpus_findings(folder))
    if findings:
        raise integrity_error(findings)
    return manifest


def _common_levels(corpora: Sequence[Path], manifests: Sequence[Manifest]) -> Levels | None:
    for folder, manifest in zip(corpora, manifests, strict=True):
        if manifest.levels != manifests[0].levels:
            raise ConfigError(folder, f"its levels are not those of {corpora[0]}; give --levels")
    table = manifests[0].levels
    return Levels.from_table(table) if table is not None else None


def _joint_schema(corpora: Sequence[Path], manifests: Sequence[Manifest]) -> pa.Schema:
    schemas = [
        pq.read_schema(folder / manifest.files[0].file)
        for folder, manifest in zip(corpora, manifests, strict=True)
    ]
    joint = unify(schemas)
    if RUN_COLUMN in joint.names:
        return joint
    notes = {"unit": "1", "values": "few", "description": "run that made the row"}
    return joint.append(pa.field(RUN_COLUMN, pa.string(), metadata=notes))


def _origins(manifest: Manifest) -> list[Origin]:
    """The origins of a merged corpus, with the content that was merged where it was a run's."""
    if len(manifest.origins) > 1:
        return manifest.origins
    one = manifest.origins[0]
    return [Origin(one.run_id, one.digest, one.facts, one.content or manifest.content)]
