"""One run from its plan to its corpus, as a command line or a notebook asks for it.

    run(plan, ...)             create the run's folder, or find it, and go on
    resume(run_dir, ...)       go on with a run; shards found damaged are made anew
    retry_quarantined(run_dir) let jobs that were given up be tried again, and go on
    gc(run_dir)                remove what killed processes left

All but `gc` return an Outcome with the exit code; they raise UsageError, RunLocked, RunDiffers,
IntegrityError and RunError, after everything they started is stopped.
"""

import time
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from pipeline import runs
from pipeline.corpus.released import forget_release, release_shards
from pipeline.corpus.staging import sweep_orphans
from pipeline.disk_room import full_disk_told
from pipeline.execution import Execution, Options
from pipeline.interrupts import Interrupts
from pipeline.mending import damaged, tidy
from pipeline.plan import load_plan
from pipeline.progress import Progress
from pipeline.report import write_report
from pipeline.toml import find_config
from workers import attempts
from workers.broker_url import checked_url
from workers.contracts import RunRecord
from workers.disk import collect_garbage
from workers.errors import UsageError

__all__ = ["Options", "Outcome", "gc", "resume", "retry_quarantined", "run"]

EXIT_CODES = {
    "complete": 0,
    "interrupted": 3,
    "disk full": 3,
    "quota short": 3,
    "quarantined": 6,
}


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
    options = _checked(options)
    path, settings = find_config(plan, "plan"), tuple(overrides)
    parsed = load_plan(path, settings, source)
    origin = runs.PlanSource(str(path), settings)
    folder = _folder(store)
    with full_disk_told(folder):
        run_dir = runs.create_run(folder, parsed, origin, new_run)
    return _drive(run_dir, runs.read_record(run_dir), options, heal=False)


def resume(
    run_dir: str | Path,
    *,
    as_recorded: bool = False,
    options: Options = Options(),  # noqa: B008
) -> Outcome:
    """Go on with a run; RunDiffers when its plan file or this code has changed since."""
    options = _checked(options)
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
    options = _checked(options)
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


def gc(run_dir: str | Path, *, shards: bool = False) -> list[str]:
    """Remove what killed processes left in a run's folder; returns what was removed.

    With `shards` also those of a complete run: its corpus is all that it then has. Raises
    RunLocked while a driver is at work, UsageError for the shards of a run that is not complete.
    """
    folder = Path(run_dir).absolute()
    runs.read_record(folder)
    with runs.hold(folder):
        found = tidy(folder)
        if orphans := sweep_orphans(folder):
            found.append(f"{orphans} shards without a record")
        if shards:
            found.append(f"{release_shards(folder)} shards of a complete run")
        return found


def _checked(options: Options) -> Options:
    """The options with a broker's URL as it is used; ConfigError when it must not be."""
    if options.broker is None:
        return options
    url = checked_url(options.broker, options.insecure_broker)
    return msgspec.structs.replace(options, broker=url)


def _folder(store: str | Path) -> Path:
    if "://" in str(store):
        raise UsageError(store, "a store must be a folder; object stores are not supported")
    return Path(store).expanduser().absolute()


def _drive(run_dir: Path, record: RunRecord, options: Options, heal: bool) -> Outcome:
    started = time.monotonic()
    with runs.hold(run_dir), Interrupts() as interrupts:
        tidy(run_dir)
        progress = Progress(run_dir, record)
        with progress.shown():
            if (run_dir / "corpus" / "_SUCCESS").exists() and not (heal and damaged(run_dir)):
                progress.state = "complete"  # long ago: this session has nothing to report
            else:
                forget_release(run_dir)
                Execution(run_dir, record, options, progress, interrupts).carry_out(heal)
                collect_garbage(run_dir)  # of workers that were killed meanwhile
                write_report(progress, started)
        code = EXIT_CODES[progress.state]
        if progress.state == "quarantined" and options.accept_quarantined:
            code = 0
        return Outcome(run_dir, progress.state, code, progress.message)
