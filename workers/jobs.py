"""One job of a run: from its index to a committed shard.

    open_run(store, run_id, cfg8) -> Run      read run.json, refuse what this code cannot repeat
    perform(run, job, attempt) -> Sidecar     compute, check and commit; at once when committed
    quarantine_job(run, job) -> Quarantine    give a job up, with a command that shows why
    current_versions(kind, raters)            what a new run records, and `open_run` compares

What was tried before is in `workers.attempts`. `python -m workers.jobs RUN_DIR JOB` performs one
job in this process, without a broker: that is how a job in quarantine is looked into.
"""

import functools
import os
import platform
import shlex
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite
import numba
import numpy as np
import pyarrow as pa

from workers import attempts
from workers.commit import After, ShardFacts, commit, nothing
from workers.contracts import RECORD_SCHEMA, Columns, Sidecar
from workers.disk import HOST
from workers.engines.machine.meter import kernel_seconds
from workers.errors import IntegrityError, ParamsError, PuzzleError, TransientError
from workers.inputs import read_input
from workers.kinds.columns import level_column
from workers.runs import Run, Versions, current_versions, open_folder, open_run
from workers.shards import sound_sidecar
from workers.tables import Origin, table_from_columns

__all__ = [
    "Run",
    "Versions",
    "current_versions",
    "job_seed",
    "open_folder",
    "open_run",
    "perform",
    "quarantine_job",
]

CHECKED_KEYS = 3
STREAM = 0  # first part of a job's spawn key; other streams are free for other uses


def job_seed(root: int, job: int) -> int:
    """The seed of `job`: the first 63 bits of SeedSequence(root, spawn_key=(0, job))."""
    words = np.random.SeedSequence(root, spawn_key=(STREAM, job)).generate_state(1, np.uint64)
    return int(words[0]) >> 1


def perform(run: Run, job: int, attempt: int | None = None, after: After = nothing) -> Sidecar:
    """Compute, check and commit `job`; returns its sidecar, at once when it is committed.

    With an `attempt` number the start is recorded, and forgotten on success; who started this
    process records failures (`attempts.record_failure`). Raises TransientError when disk or
    network is in the way, IntegrityError when the rows fail their checks or others are there.
    """
    if not 0 <= job < run.spec.jobs:
        raise ParamsError("job", f"{job} is not in 0..{run.spec.jobs - 1}")
    sidecar = sound_sidecar(run.folder, job)
    if sidecar is not None and sidecar.cfg8 == run.cfg8:
        return sidecar
    clock = _Clock.now()
    try:
        if attempt is not None:
            attempts.record_start(run.folder, job, attempt)
        columns, origin = _compute(run, job)
        _check(run, job, columns)
        table = table_from_columns(columns, run.schema, origin)
        facts = _footer(run)
        levels = _levels(table)

        def describe(shard: ShardFacts) -> Sidecar:
            return _sidecar(run, job, shard, levels, clock)

        sidecar = commit(run.folder, job, table, facts, describe, after)
        if attempt is not None:
            attempts.record_done(run.folder, job, attempt)
    except OSError as error:
        raise TransientError(error.filename or str(run.folder), error.strerror) from error
    return sidecar


def _compute(run: Run, job: int) -> tuple[Columns, Origin]:
    first, last = run.spec.row_range(job)
    raters = run.spec.raters
    if run.spec.action == "generate":
        seed = job_seed(run.spec.seed, job)
        return run.kind.generate(seed, last - first, run.params, raters), Origin(job, seed, None)
    if run.spec.input is None:
        raise IntegrityError(str(run.folder), "a grading run without input")
    texts, lines = read_input(run.folder, run.spec.input, first, last)
    return run.kind.grade(texts, run.params, raters), Origin(job, None, lines)


def _check(run: Run, job: int, columns: Columns) -> None:
    """Distrust the engines: rows as asked for, generated ones without fault, keys repeatable."""
    first, last = run.spec.row_range(job)
    rows, where = len(columns["key"]), str(run.folder)
    if rows != last - first:
        raise IntegrityError(where, f"job {job} gave {rows} rows, not {last - first}")
    if run.spec.action == "generate" and not np.ma.getmaskarray(columns["reason"]).all():
        raise IntegrityError(where, f"job {job} generated a puzzle that is not sound")
    sample = np.unique(np.linspace(0, rows - 1, CHECKED_KEYS).astype(np.int64))
    if (run.kind.key(columns["puzzle"][sample]) != columns["key"][sample]).any():
        raise IntegrityError(where, f"job {job}: a key is not that of its puzzle")


def _levels(table: pa.Table) -> dict[str, int]:
    """Rows by raw level: without one, "beyond" when sound and "unrated" when there is a reason."""
    name = level_column(table.schema)
    if name is None:
        return {}
    levels, reasons = (table.column(name).to_pylist() for name in (name, "reason"))
    missing = ("beyond" if reason is None else "unrated" for reason in reasons)
    found = (level or none for level, none in zip(levels, missing, strict=True))
    return dict(sorted(Counter(found).items()))


def _footer(run: Run) -> dict[str, Any]:
    facts = run.record.facts
    return {
        "run": run.record.digest,
        "kind": facts.spec.kind,
        "kind_version": facts.kind_version,
        "rater_versions": facts.rater_versions,
    }


class _Clock(NamedTuple):
    cpu: float
    kernel: float
    wall: float

    @classmethod
    def now(cls) -> "_Clock":
        return cls(time.process_time(), kernel_seconds(), time.perf_counter())


def _sidecar(
    run: Run, job: int, shard: ShardFacts, levels: dict[str, int], started: _Clock
) -> Sidecar:
    spent = _Clock(*(b - a for a, b in zip(started, _Clock.now(), strict=True)))
    return Sidecar(
        schema=RECORD_SCHEMA,
        job=job,
        cfg8=run.cfg8,
        rows=shard.rows,
        bytes=shard.bytes,
        sha256=shard.sha256,
        content=shard.content,
        levels=levels,
        stats={"cpu_s": spent.cpu, "kernel_s": spent.kernel, "wall_s": spent.wall},
        made_by={**_made_by(), "pid": str(os.getpid())},
    )


@functools.cache
def _made_by() -> dict[str, str]:
    versions = {library.__name__: library.__version__ for library in (np, pa, numba, llvmlite)}
    return {"host": HOST, "python": platform.python_version(), **versions}


def quarantine_job(run: Run, job: int) -> attempts.Quarantine:
    """Give `job` up: write its record from what was tried; returns the record in force."""
    tried = attempts.read_attempts(run.folder, job)
    first, last = run.spec.row_range(job)
    generating = run.spec.action == "generate"
    folder = shlex.quote(str(run.folder.absolute()))
    record = attempts.Quarantine(
        job=job,
        reason=tried.reason or f"{tried.unfinished} attempts never ended",
        traceback=tried.traceback,
        seed=job_seed(run.spec.seed, job) if generating else None,
        first_row=first,
        rows=last - first,
        repro=f"python -m workers.jobs {folder} {job}",
        attempts=tried.events,
    )
    attempts.write_quarantine(run.folder, record)
    return attempts.read_quarantine(run.folder, job) or record


def main(arguments: list[str]) -> int:
    """Perform one job of a run folder; the exit code is that of the error, 0 when committed."""
    if len(arguments) != 2 or not arguments[1].isdecimal():
        sys.stderr.write("usage: python -m workers.jobs RUN_DIR JOB\n")
        return 2
    try:
        sidecar = perform(open_folder(Path(arguments[0])), int(arguments[1]))
    except PuzzleError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    sys.stdout.write(f"job {sidecar.job}: {sidecar.rows} rows, content {sidecar.content}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
