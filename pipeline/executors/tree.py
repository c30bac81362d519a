"""A Celery worker with its pool of children, started and watched by the driver."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import workers
from workers.contracts import JobSpec
from workers.errors import RunError

ROOT = Path(workers.__file__).resolve().parents[1]
GIVE_UP_AFTER = 3  # deaths in a row before any job was taken
STEP_S = 0.02
LOG_READ = 100_000


class WorkerTree:
    """`celery -A workers worker`: one process group, in a session of its own.

    The worker holds the reading end of a pipe whose writing end is here: it ends by itself when
    the driver is gone, however that happened.
    """

    def __init__(self, run_dir: Path, broker_url: str, children: int, spec: JobSpec) -> None:
        self.children = children
        self.log = run_dir / "logs" / "worker.log"
        self.fruitless = 0  # deaths since a job was taken
        self._command = [sys.executable, "-m", "celery", "-A", "workers", "worker"]
        self._command += ["--concurrency", str(children), "--loglevel", "WARNING"]
        self._environment = {
            **os.environ,
            "PUZZLEMILL_BROKER": broker_url,
            "PUZZLEMILL_INSECURE_BROKER": "1",  # whether it may be used is for the driver to say
            "PUZZLEMILL_STORE": str(run_dir.parent),
            "PUZZLEMILL_WARM": f"{spec.kind}:{spec.action}:{','.join(spec.raters)}",
            "PUZZLEMILL_PARENT_PIPE": "1",
        }
        self._worker: subprocess.Popen[bytes] | None = None
        self._log_start = 0

    @property
    def pid(self) -> int | None:
        return self._worker.pid if self._worker is not None else None

    def start(self) -> None:
        self.log.parent.mkdir(exist_ok=True)
        with self.log.open("ab") as log:
            self._log_start = log.tell()
            self._worker = subprocess.Popen(
                self._command,
                cwd=ROOT,  # where `workers` is found, whatever stands in the caller's folder
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def alive(self) -> bool:
        return self._worker is not None and self._worker.poll() is None

    def compiles(self) -> bool:
        """The worker has said that it compiles kernels before it takes jobs."""
        with self.log.open("rb") as log:
            log.seek(self._log_start)
            return b"compiling kernels" in log.read(LOG_READ)

    def revive(self) -> None:
        """Start anew after a death; RunError when workers die as soon as they are born."""
        code = self._worker.returncode if self._worker is not None else 0
        self.end()
        self.fruitless += 1
        if self.fruitless >= GIVE_UP_AFTER:
            raise RunError(f"the workers end at their start (code {code}); see {self.log}")
        self.start()

    def wind_down(self) -> None:
        """Ask the worker to take no more jobs, and to end after those it has."""
        if self._worker is not None and self.alive():
            self._worker.send_signal(signal.SIGTERM)

    def wait(self, seconds: float, hurry: Callable[[], bool]) -> None:
        """Wait until the worker has ended, at most `seconds`, and no more once `hurry` is true."""
        deadline = time.monotonic() + seconds
        while self.alive() and time.monotonic() < deadline and not hurry():
            time.sleep(STEP_S)

    def end(self) -> None:
        """Kill what is left of the tree, and wait until the worker itself is gone."""
        worker, self._worker = self._worker, None
        if worker is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
        _close(worker.stdin)


def _close(pipe: IO[bytes] | None) -> None:
    if pipe is not None:
        with contextlib.suppress(OSError):
            pipe.close()
