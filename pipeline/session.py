"""One run from its plan to its corpus, as a command line or a notebook asks for it.

    run(plan, ...)             create the run's folder, or find it, and go on
    resume(run_dir, ...)       go on with a run; shards found damaged are made anew
    retry_quarantined(run_dir) let jobs that were given up be tried again, and go on
    gc(run_dir)                remove what killed processes left

All but `gc` return an Outcome with the exit code; they raise UsageError, RunLocked, RunDiffers,
IntegrityError and RunError, after everything they started is stopped.
"""

import contextlib
import functools
import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

from pipeline import runs
from pipeline.broker import server_binary, stop_orphan
from pipeline.corpus.staging import sweep_folders, sweep_orphans
from pipeline.executors import Executor
from pipeline.interrupts import Interrupts
from pipeline.plan import load_plan
from pipeline.produce import FULL, DiskFull, DiskTrouble, Driver, check_room
from pipeline.progress import Progress
from pipeline.report import write_report
from pipeline.toml import find_config
from workers import attempts
from workers.contracts import RunRecord
from workers.disk import collect_garbage
from workers.errors import IntegrityError, TransientError, UsageError

GRACE_S = 10.0
TIME_LIMIT_S = 1200
EXIT_CODES = {
    "complete": 0,
    "interrupted": 3,
    "disk full": 3,
    "quota short": 3,
    "quarantined": 6,
}


class Options(Struct, frozen=True, kw_only=True):
    """How a run is carried out; nothing here changes a row."""

    executor: Literal["celery", "local", "serial"] = "celery"
    workers: int | None = None  # processes here; None: one a core, none with an outside broker
    broker: str | None = None  # an outside one; None: a private server
    accept_quarantined: bool = False
    time_limit_s: int = TIME_LIMIT_S  # of one job at most; only hangs come to it


class Outcome(Struct, frozen=True):
    """How a session ended."""

    run_dir: Path
    state: str
    exit_code: int
    message: str = ""


def run(
    plan: str,
    store: str | Path = "runs",
    *,
    overrides: Iterable[str] = (),
    source: str | None = None,
    new_run: bool = False,
    options: Options = Options(),  # noqa: B008
) -> Outcome:
    """Carry out a plan (a file, or a shipped one's name) in `store`; `source` is its list."""
    path, settings = find_config(plan, "plan"), tuple(overrides)
    parsed = load_plan(path, settings, source)
    origin = runs.PlanSource(str(path), settings)
    folder = _folder(store)
    with _full_disk_told(folder):
        run_dir = runs.create_run(folder, parsed, origin, new_run)
    return _drive(run_dir, runs.read_record(run_dir), options, heal=False)


def resume(
    run_dir: str | Path,
    *,
    as_recorded: bool = False,
    options: Options = Options(),  # noqa: B008
) -> Outcome:
    """Go on with a run; RunDiffers when its plan file or this code has changed since."""
    folder = Path(run_dir).absolute()
    record = runs.read_record(folder)
    runs.check_same(folder, record, as_recorded)
    return _drive(folder, record, options, heal=True)


def retry_quarantined(
    run_dir: str | Path,
    *,
    options: Options = Options(),  # noqa: B008
) -> Outcome:
    """Forget why jobs were given up, and go on; complete at once when there are none."""
    folder = Path(run_dir).absolute()
    record = runs.read_record(folder)
    runs.check_same(folder, record, as_recorded=True)
    with runs.hold(folder):
        released = attempts.quarantined_jobs(folder)
        for job in released:
            attempts.release_quarantine(folder, job)
        if released:
            (folder / "corpus" / "_SUCCESS").unlink(missing_ok=True)  # it was made without them
    return _drive(folder, record, options, heal=True)


def gc(run_dir: str | Path) -> list[str]:
    """Remove what killed processes left in a run's folder; returns what was removed.

    Raises RunLocked while a driver is at work.
    """
    folder = Path(run_dir).absolute()
    runs.read_record(folder)
    with runs.hold(folder):
        found = _tidy(folder)
        if orphans := sweep_orphans(folder):
            found.append(f"{orphans} shards without a record")
        return found


def _folder(store: str | Path) -> Path:
    if "://" in str(store):
        raise UsageError(store, "a store must be a folder; object stores are not supported")
    return Path(store).expanduser().absolute()


def _drive(run_dir: Path, record: RunRecord, options: Options, heal: bool) -> Outcome:
    started = time.monotonic()
    with runs.hold(run_dir), Interrupts() as interrupts:
        _tidy(run_dir)
        progress = Progress(run_dir, record)
        with progress.shown():
            if (run_dir / "corpus" / "_SUCCESS").exists() and not (heal and _damaged(run_dir)):
                progress.state = "complete"
            else:
                _until_merged(run_dir, record, options, progress, interrupts, heal)
            collect_garbage(run_dir)  # of workers that were killed meanwhile
            write_report(progress, started)
        code = EXIT_CODES[progress.state]
        if progress.state == "quarantined" and options.accept_quarantined:
            code = 0
        return Outcome(run_dir, progress.state, code, progress.message)


def _until_merged(
    run_dir: Path,
    record: RunRecord,
    options: Options,
    progress: Progress,
    interrupts: Interrupts,
    heal: bool,
) -> None:
    """Produce and merge; once more when the merge finds damaged shards and may heal them."""
    try:
        with _full_disk_told(run_dir):
            try:
                _produce(run_dir, record, options, progress, interrupts)
            except IntegrityError:
                if not (heal and _discard_damaged(run_dir)):
                    raise
                _produce(run_dir, record, options, progress, interrupts)
    except KeyboardInterrupt:
        progress.state, progress.message = "interrupted", "resumable"
    except (DiskFull, DiskTrouble) as wrong:
        progress.state, progress.message = "disk full", f"{wrong}; resumable"


@contextlib.contextmanager
def _full_disk_told(folder: Path) -> Iterator[None]:
    """Whatever fails in this block because the disk is full, raises DiskFull."""
    try:
        yield
    except OSError as wrong:
        if wrong.errno not in FULL:
            raise
        raise DiskFull(folder, wrong.strerror) from None
    except TransientError:
        check_room(folder)  # a server that does not start has no better word for it
        raise


def _produce(
    run_dir: Path,
    record: RunRecord,
    options: Options,
    progress: Progress,
    interrupts: Interrupts,
) -> None:
    driver = Driver(run_dir, record, progress)
    with contextlib.ExitStack() as closing:
        if not driver.done:
            executor = _executor(run_dir, record, options, progress)
            closing.callback(executor.close)
            try:
                driver.run(executor, interrupts)
            finally:  # workers end while the corpus is merged
                executor.drain(0.0 if driver.done else GRACE_S, interrupts.hurry)
                driver.collect()
        state, message = driver.verdict()
        if state != "interrupted":
            progress.state = "merging"
            with interrupts.within(1):
                _merge(run_dir, options, progress)
        progress.state, progress.message = state, message


def _merge(run_dir: Path, options: Options, progress: Progress) -> None:
    from pipeline.corpus.merge import merge_run

    def report(step: str, rows: int) -> None:
        progress.message = f"{step}: {rows:,} rows"
        progress.tick()

    merge_run(run_dir, options.accept_quarantined, report)


def _executor(run_dir: Path, record: RunRecord, options: Options, progress: Progress) -> Executor:
    slots = options.workers or len(os.sched_getaffinity(0))
    if options.executor == "serial":
        from pipeline.executors.serial import SerialExecutor

        return SerialExecutor(run_dir, functools.partial(_announce, progress))
    if options.executor == "celery" and (options.broker or server_binary()):
        from pipeline.executors.celery import CeleryExecutor

        children = (options.workers or 0) if options.broker else slots
        return CeleryExecutor(run_dir, record, children, options.broker, options.time_limit_s)
    from pipeline.executors.local import LocalExecutor

    if options.executor == "celery":
        _announce(progress, "no Valkey or Redis server here: running with --executor local")
    return LocalExecutor(run_dir, slots, options.time_limit_s)


def _announce(progress: Progress, what: str) -> None:
    progress.message = what
    progress.tick()


def _damaged(run_dir: Path) -> bool:
    """A complete run is damaged: prepare that what is broken is made anew."""
    from pipeline.corpus.verify import corpus_findings

    return bool(_discard_damaged(run_dir)) or any(corpus_findings(run_dir / "corpus"))


def _discard_damaged(run_dir: Path) -> list[int]:
    from pipeline.corpus.verify import bad_shards, discard

    jobs = bad_shards(run_dir)
    for job in jobs:
        discard(run_dir, job)
    return jobs


def _tidy(run_dir: Path) -> list[str]:
    """Stop orphans and remove leftovers; the caller holds the run."""
    found = []
    if stop_orphan(run_dir / "broker"):
        found.append("an orphaned broker")
    if drafts := collect_garbage(run_dir):
        found.append(f"{drafts} unfinished files")
    if folders := sweep_folders(run_dir):
        found.append(f"{folders} unfinished corpus folders")
    return found
