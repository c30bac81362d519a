"""From the missing jobs of a run to its corpus: the executor asked for, the driver, the merge."""

import contextlib
import os
from pathlib import Path
from typing import Literal

from msgspec import Struct

from pipeline.broker import server_binary
from pipeline.disk_room import DiskFull, DiskTrouble, full_disk_told
from pipeline.executors import Executor
from pipeline.interrupts import Interrupts
from pipeline.mending import discard_damaged
from pipeline.produce import Driver
from pipeline.progress import Progress
from workers.contracts import RunRecord
from workers.errors import IntegrityError

GRACE_S = 10.0
TIME_LIMIT_S = 1200


class Options(Struct, frozen=True, kw_only=True):
    """How a run is carried out; nothing here changes a row."""

    executor: Literal["celery", "local", "serial"] = "celery"
    workers: int | None = None  # processes here; None: one a core, none with an outside broker
    broker: str | None = None  # an outside one; None: a private server
    insecure_broker: bool = False  # the outside one may be elsewhere without TLS and password
    accept_quarantined: bool = False
    time_limit_s: int = TIME_LIMIT_S  # of one job at most; only hangs come to it


class Execution:
    """One session's work on a run that this process holds; `progress` says how it ended."""

    def __init__(
        self,
        run_dir: Path,
        record: RunRecord,
        options: Options,
        progress: Progress,
        interrupts: Interrupts,
    ) -> None:
        self._run_dir, self._record, self._options = run_dir, record, options
        self._progress, self._interrupts = progress, interrupts

    def carry_out(self, heal: bool) -> None:
        """Produce and merge; once more when the merge finds damaged shards and may `heal` them."""
        progress = self._progress
        try:
            with full_disk_told(self._run_dir):
                try:
                    self._produce()
                except IntegrityError:
                    if not (heal and discard_damaged(self._run_dir)):
                        raise
                    self._produce()
        except KeyboardInterrupt:
            progress.state, progress.message = "interrupted", "resumable"
        except (DiskFull, DiskTrouble) as wrong:
            progress.state, progress.message = "disk full", f"{wrong}; resumable"

    def _produce(self) -> None:
        driver = Driver(self._run_dir, self._record, self._progress)
        with contextlib.ExitStack() as closing:
            if not driver.done:
                executor = self._executor()
                closing.callback(executor.close)
                try:
                    driver.run(executor, self._interrupts)
                finally:  # workers end while the corpus is merged
                    executor.drain(0.0 if driver.done else GRACE_S, self._interrupts.hurry)
                    driver.collect()
            state, message = driver.verdict()
            if state != "interrupted":
                self._progress.state = "merging"
                with self._interrupts.within(1):
                    self._merge()
            self._progress.state, self._progress.message = state, message

    def _merge(self) -> None:
        from pipeline.corpus.merge import merge_run

        def report(step: str, rows: int) -> None:
            self._announce(f"{step}: {rows:,} rows")

        merge_run(self._run_dir, self._options.accept_quarantined, report)

    def _executor(self) -> Executor:
        run_dir, options = self._run_dir, self._options
        slots = options.workers or len(os.sched_getaffinity(0))
        if options.executor == "serial":
            from pipeline.executors.serial import SerialExecutor

            return SerialExecutor(run_dir, self._announce)
        if options.executor == "celery" and (options.broker or server_binary()):
            from pipeline.executors.celery import CeleryExecutor

            children = (options.workers or 0) if options.broker else slots
            return CeleryExecutor(
                run_dir, self._record, children, options.broker, options.time_limit_s
            )
        from pipeline.executors.local import LocalExecutor

        if options.executor == "celery":
            self._announce("no Valkey or Redis server here: running with --executor local")
        return LocalExecutor(run_dir, slots, options.time_limit_s)

    def _announce(self, what: str) -> None:
        self._progress.message = what
        self._progress.tick()
