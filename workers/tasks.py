"""The one Celery task, `pm.job`: decode a message, run the job, or say why not. Thin.

The work is done in a child of the worker; what goes wrong there is written down by the parent
(`JobRequest`), because a child that was killed cannot.
"""

import functools
import os
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import structlog
from celery import Task
from celery.exceptions import (
    Ignore,
    Reject,
    Retry,
    SoftTimeLimitExceeded,
    TimeLimitExceeded,
    WorkerLostError,
)
from celery.worker import state
from celery.worker.request import Request
from kombu.asynchronous import get_event_loop

from workers import attempts, settings
from workers.celery import TASK, app
from workers.contracts import JobMessage
from workers.disk import HOST, write_once
from workers.errors import ConfigError, PuzzleError, RunError, TransientError, VersionRefused

if TYPE_CHECKING:
    from workers.jobs import Run

PAUSE_S = 2.0
ACK_AGAIN_S = 2.0
MAX_STRAYS = 3
WORKER = f"{HOST}-{os.getpid()}"  # of the parent: it imports this module before it forks
log = structlog.get_logger("puzzlemill.worker")
refused: Counter[str] = Counter()
strays: Counter[str] = Counter()


class JobRequest(Request):  # type: ignore[misc]
    """A message in the worker's parent process; notes on disk how its job failed."""

    noted = False

    def acknowledge(self) -> None:
        """Acknowledge, and when the broker is away, again later.

        Celery only logs that; once it holds as many messages that it could not acknowledge as
        it may take at once, it would wait for ever.
        """
        super().acknowledge()  # puts it on the loop
        loop: Any = get_event_loop()
        if loop is not None:
            loop.call_soon(self._see_acknowledged, loop)

    def _see_acknowledged(self, loop: Any) -> None:
        if not (self.message.acknowledged or self.message.channel.closed):
            loop.call_later(ACK_AGAIN_S, self._acknowledge_again)

    def _acknowledge_again(self) -> None:
        if not self.message.acknowledged:
            self.acknowledged = False
            self.acknowledge()

    def on_timeout(self, soft: bool, timeout: float) -> None:
        """The parent is about to kill the child: it ran longer than it may."""
        if not soft:
            self._note(f"ran longer than {timeout} s", "timeout")
        super().on_timeout(soft, timeout)

    def on_failure(
        self, exc_info: Any, send_failed_event: bool = True, return_ok: bool = False
    ) -> Any:
        """The child raised, or is gone."""
        error = getattr(exc_info.exception, "exc", exc_info.exception)
        if not isinstance(error, (Reject, Ignore, Retry)) and not state.should_terminate:
            self._note(str(exc_info.traceback) or repr(error), _event(error))
        return super().on_failure(exc_info, send_failed_event, return_ok)

    def _note(self, what: str, event: attempts.EventName) -> None:
        try:
            message = decode(self.args, self.kwargs)
        except msgspec.ValidationError:
            return
        folder = Path(settings.store_path()) / message.run
        if not self.noted and folder.is_dir():
            self.noted = True
            pid = self.worker_pid
            attempts.record_failure(folder, message.i, message.attempt, what, event, pid)


def _event(error: BaseException) -> attempts.EventName:
    if isinstance(error, (TimeLimitExceeded, SoftTimeLimitExceeded)):
        return "timeout"
    if isinstance(error, (WorkerLostError, SystemExit, KeyboardInterrupt)):
        return "lost"
    return "transient" if isinstance(error, TransientError) else "error"


class JobTask(Task):  # type: ignore[misc]
    """A task whose messages are `JobRequest`s."""

    abstract = True
    Request = JobRequest


def decode(args: Any, fields: Any) -> JobMessage:
    """The message; msgspec.ValidationError names the field that is unknown or out of range."""
    if args:
        raise msgspec.ValidationError("a job message has named fields only")
    return msgspec.convert(fields, JobMessage)


@app.task(name=TASK, base=JobTask, typing=False)
def job(*args: Any, **fields: Any) -> None:
    """Run the job a message names, unless it is malformed, done, given up, or not for this code."""
    try:
        message = decode(args, fields)
    except msgspec.ValidationError as error:
        _refuse("malformed message", str(error))
        return
    with structlog.contextvars.bound_contextvars(run=message.run, job=message.i):
        try:
            _run(message)
        except MemoryError as error:  # Celery's parent would take it for its own
            raise RunError("out of memory") from error


def _run(message: JobMessage) -> None:
    run = _open(message)
    if run is None:
        return
    if message.i >= run.spec.jobs:
        _refuse("job out of range", f"{message.i} of {run.spec.jobs}")
    elif attempts.is_quarantined(run.folder, message.i):
        log.info("job is in quarantine")
    elif attempts.read_attempts(run.folder, message.i).exhausted:
        log.warning("job has failed too often; left to the driver")
    else:
        _perform(run, message)


def _perform(run: "Run", message: JobMessage) -> None:
    from workers.compile import ensure_compiled
    from workers.jobs import perform

    spec = run.spec
    ensure_compiled(spec.kind, spec.action, spec.raters, announce=log.warning)
    sidecar = perform(run, message.i, message.attempt)
    log.info("job committed", rows=sidecar.rows, wall_s=round(sidecar.stats["wall_s"], 3))


def _open(message: JobMessage) -> "Run | None":
    """The run of a message, or None when the message was refused; Reject puts it back."""
    store = settings.store_path()
    try:
        return _opened(store, message.run, message.cfg8)
    except VersionRefused as error:
        _write_refusal(Path(store) / message.run, error)
        time.sleep(PAUSE_S)
        raise Reject(str(error), requeue=True) from error
    except ConfigError as error:
        # Perhaps this worker has the wrong store and another one the right one. But a run that
        # was deleted must not keep its messages circling: drop them in the end.
        strays[message.run] += 1
        if strays[message.run] > MAX_STRAYS:
            _refuse("no such run in this store", str(error))
            return None
        log.warning("no such run in this store", store=store)
        time.sleep(PAUSE_S)
        raise Reject(str(error), requeue=True) from error
    except PuzzleError as error:
        _refuse("run cannot be opened", str(error))
        return None


@functools.lru_cache(maxsize=8)
def _opened(store: str, run_id: str, cfg8: str) -> "Run":
    from workers import jobs

    return jobs.open_run(store, run_id, cfg8)


def _refuse(why: str, what: str) -> None:
    """A message that no worker can use: count it, log it, let it go."""
    refused[why] += 1
    log.error(why, reason=what, refused=refused[why])


def _write_refusal(folder: Path, error: VersionRefused) -> None:
    """Tell the driver, once for each worker and run, that this worker is not fit for the run."""
    content = msgspec.json.encode({"worker": WORKER, "reason": str(error), "time": time.time()})
    if write_once(folder, folder / "refusals" / f"{WORKER}.json", content):
        log.error("this worker cannot work for the run", reason=str(error))
