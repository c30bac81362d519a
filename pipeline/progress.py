"""How far a run is, as its driver tells it: in progress.json, a live display, or JSON lines."""

import contextlib
import os
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.rate import Rate
from workers import shards
from workers.contracts import JobSpec, RunRecord

LINE_EVERY_S = 10.0
FILE_EVERY_S = 1.0
SCREEN_EVERY_S = 0.25
LISTED = 100  # quarantined jobs named at most in one status
OLDEST = 8
SIDECARS_READ = 20_000  # at most, to count the levels of earlier sessions


class InFlight(Struct):
    """A job sent and not yet committed, and for how many seconds."""

    job: int
    age_s: float


class Status(Struct, kw_only=True):
    """Facts about a run, as `status --json` and progress.json give them."""

    run: str
    path: str
    state: str  # running, merging, complete, interrupted, quota short, disk full, quarantined, ...
    jobs: int  # planned
    committed: int
    quarantined: list[int]
    in_flight: int  # jobs
    oldest: list[InFlight]  # of these, the ones sent first
    rows: int  # planned, before deduplication; with quotas the most there may be
    rows_committed: int
    rows_per_s: float | None
    eta_s: float | None
    levels: dict[str, int]  # rows so far, before deduplication
    quotas: dict[str, str] = {}  # level -> "filled/wanted"
    resent: int = 0  # jobs that left the executor without a trace, and were sent again
    healed: int = 0  # workers and brokers started again
    disk_free: int = 0  # bytes
    driver: str | None = None
    updated: float = 0.0  # seconds since 1970
    message: str = ""


class Progress:
    """The driver's tally of one run. Times are monotonic, so a changed clock bends no rate."""

    def __init__(self, run_dir: Path, record: RunRecord, stream: TextIO | None = None) -> None:
        self.run_dir, self._spec = run_dir, record.facts.spec
        self._run_id = record.run_id
        self._stream = sys.stderr if stream is None else stream
        self.state = "starting"
        self.committed = self.rows_committed = self.jobs_here = self.rows_here = 0
        self.resent = self.healed = 0
        self.message = ""
        self.levels: Counter[str] = Counter()
        self.quotas: dict[str, str] = {}
        self.quarantined: set[int] = set()
        self.sent: dict[int, float] = {}  # job in flight -> when it was sent
        self.kernel_s = 0.0
        self._rate = Rate(time.monotonic())
        self._due = dict.fromkeys(("file", "line", "screen"), 0.0)
        self._screen: Any = None
        self._shown_state = ""

    def recount(self, committed: NDArray[np.int64]) -> None:
        """Count these jobs as committed, and no others."""
        self.committed = len(committed)
        self.rows_committed = rows_of(self._spec, committed)
        self.levels = Counter(_levels_of(self.run_dir, committed))

    def commit(self, job: int, rows: int, levels: Mapping[str, int], kernel_s: float) -> None:
        """Count one job that was committed in this session."""
        self.sent.pop(job, None)
        self.committed += 1
        self.rows_committed += rows
        self.jobs_here += 1
        self.rows_here += rows
        self.kernel_s += kernel_s
        self.levels.update(levels)
        self._rate.add(time.monotonic(), rows)

    def status(self) -> Status:
        now = time.monotonic()
        rate = self._rate.value(now)
        ages = sorted(((now - since, job) for job, since in self.sent.items()), reverse=True)
        return Status(
            run=self._run_id,
            path=str(self.run_dir),
            state=self.state,
            jobs=self._spec.jobs,
            committed=self.committed,
            quarantined=sorted(self.quarantined)[:LISTED],
            in_flight=len(ages),
            oldest=[InFlight(job, round(age, 1)) for age, job in ages[:OLDEST]],
            rows=self._spec.rows,
            rows_committed=self.rows_committed,
            rows_per_s=rate and round(rate, 1),
            eta_s=_eta(self._spec, self.rows_committed, rate, bool(self.quotas)),
            levels=dict(self.levels),
            quotas=self.quotas,
            resent=self.resent,
            healed=self.healed,
            disk_free=shutil.disk_usage(self.run_dir).free,
            driver=f"process {os.getpid()}",
            updated=round(time.time(), 3),
            message=self.message,
        )

    def tick(self) -> None:
        """Write and show what is due; raises OSError when the disk is full."""
        now = time.monotonic()
        if now >= self._due["file"]:
            self.write()
        if self._screen is not None:
            if now >= self._due["screen"]:
                self._due["screen"] = now + SCREEN_EVERY_S
                self._screen.show(self.status())
        elif now >= self._due["line"] or self.state != self._shown_state:
            self.line()

    def write(self) -> None:
        """progress.json, replaced as a whole."""
        self._due["file"] = time.monotonic() + FILE_EVERY_S
        part = self.run_dir / f"progress.json.{os.getpid()}"
        try:
            part.write_bytes(msgspec.json.encode(self.status()))
            part.replace(self.run_dir / "progress.json")
        except OSError:
            part.unlink(missing_ok=True)
            raise

    def last_words(self) -> None:
        """The same when there may be no room for a new file: then into the blocks of the old."""
        try:
            self.write()
        except OSError:
            with contextlib.suppress(OSError), (self.run_dir / "progress.json").open("r+b") as old:
                old.write(msgspec.json.encode(self.status()))
                old.truncate()

    def line(self) -> None:
        """One JSON line, for logs."""
        self._due["line"] = time.monotonic() + LINE_EVERY_S
        self._shown_state = self.state
        with contextlib.suppress(OSError, ValueError):  # nobody reads stderr any more
            print(msgspec.json.encode(self.status()).decode(), file=self._stream, flush=True)

    @contextlib.contextmanager
    def shown(self) -> Iterator[None]:
        """Show progress while the block runs: a live display on a terminal, else JSON lines."""
        if self._stream.isatty():
            from pipeline.screen import Screen

            self._screen = Screen(self._stream)
        try:
            yield
        finally:
            screen, self._screen = self._screen, None
            if screen is not None:
                screen.show(self.status())
                screen.close()
            elif self.state != self._shown_state:
                self.line()


def rows_of(spec: JobSpec, jobs: NDArray[np.int64]) -> int:
    """Rows of these jobs, ascending, together: all have job_rows but perhaps the last."""
    ends_last = len(jobs) > 0 and jobs[-1] == spec.jobs - 1
    short = spec.jobs * spec.job_rows - spec.rows if ends_last else 0
    return len(jobs) * spec.job_rows - short


def _levels_of(run_dir: Path, committed: NDArray[np.int64]) -> dict[str, int]:
    """Level -> rows of these jobs; of a sample, scaled up, when there are very many."""
    sample = committed[:: 1 + len(committed) // SIDECARS_READ]
    levels: Counter[str] = Counter()
    for job in sample.tolist():
        sidecar = shards.sound_sidecar(run_dir, job)
        levels.update(sidecar.levels if sidecar else {})
    scale = len(committed) / max(1, len(sample))
    return {level: round(rows * scale) for level, rows in levels.items()}


def _eta(spec: JobSpec, rows: int, rate: float | None, quotas: bool) -> float | None:
    """Seconds to the last planned row; None with quotas, where nobody knows the end."""
    if not rate or quotas:
        return None
    return round((spec.rows - rows) / rate, 1)
