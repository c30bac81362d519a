"""What was tried on a job: `attempts/<job>.jsonl`, one line per event, and `quarantine/<job>.json`.

    start      a process began the job               written by that process
    error      the job raised                        written by the worker's parent process
    timeout    the job hit its time limit            written by the worker's parent process
    lost       the process that had the job died     written by the worker's parent process
    transient  disk or network was in the way        written by the worker's parent process
    done       the job is committed                  written by that process, after failures only

A start without an end is a job that runs now, or one whose whole worker is gone. The file is
removed when a job succeeds without failures, so a healthy run has no attempts on disk.
"""

import contextlib
import os
import time
import traceback
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

from workers.disk import HOST, job_of, write_once
from workers.errors import TransientError

EventName = Literal["start", "error", "timeout", "lost", "transient", "done"]
FAILURES = ("error", "timeout", "lost")
MAX_FAILURES = 3
MAX_UNFINISHED = 10
REASON_LENGTH = 300
TRACEBACK_LENGTH = 6000


class Event(Struct, frozen=True):
    """One line of an attempts file; `pid` is the process that had the job."""

    event: EventName
    attempt: int
    host: str
    pid: int
    time: float  # Unix seconds of the host's clock
    reason: str = ""
    traceback: str = ""


class Attempts(NamedTuple):
    """The sum of an attempts file."""

    failures: int  # error, timeout and lost: the worker's parent outlived the job
    unfinished: int  # starts without an end: running now, or the whole worker died
    transients: int  # not the job's fault: never leads to quarantine
    reason: str  # of the last failure (or transient), one line
    traceback: str
    events: tuple[Event, ...]

    @property
    def exhausted(self) -> bool:
        """True when the job must not be tried again: it belongs into quarantine."""
        return self.failures >= MAX_FAILURES or self.unfinished >= MAX_UNFINISHED


class Quarantine(Struct, frozen=True):
    """`quarantine/<job>.json`: why a job was given up, and how to see it fail."""

    job: int
    reason: str
    traceback: str
    seed: int | None
    first_row: int
    rows: int
    repro: str  # command line that runs this job alone, in one process
    attempts: tuple[Event, ...]


def attempts_path(folder: Path, job: int) -> Path:
    """The attempts file of `job` in the run folder."""
    return folder / "attempts" / f"{job}.jsonl"


def quarantine_path(folder: Path, job: int) -> Path:
    """The quarantine record of `job` in the run folder."""
    return folder / "quarantine" / f"{job}.json"


def record_start(folder: Path, job: int, attempt: int) -> None:
    """Note that this process begins `job`."""
    _append(folder, job, Event("start", attempt, HOST, os.getpid(), time.time()))


def record_failure(
    folder: Path,
    job: int,
    attempt: int,
    failure: BaseException | str,
    event: EventName | None = None,
    pid: int | None = None,
) -> None:
    """Note that an attempt ended badly: `event` is told from the exception unless given.

    `pid` is the process that had the job (this one by default). A full disk is no reason to
    fail here: then the record is lost, which costs at most one attempt more.
    """
    if isinstance(failure, BaseException):
        event = event or ("transient" if isinstance(failure, TransientError) else "error")
        reason = f"{type(failure).__name__}: {failure}"
        trace = "".join(traceback.format_exception(failure))
    else:
        reason, trace = failure.strip().rpartition("\n")[2], failure
    line = Event(event or "error", attempt, HOST, pid or os.getpid(), time.time(),
                 reason[:REASON_LENGTH], trace[-TRACEBACK_LENGTH:])  # fmt: skip
    with contextlib.suppress(OSError):
        _append(folder, job, line)


def record_done(folder: Path, job: int, attempt: int) -> None:
    """Note success: forget the attempts, unless there were failures to be looked into."""
    if read_attempts(folder, job).failures == 0:
        clear_attempts(folder, job)
    else:
        _append(folder, job, Event("done", attempt, HOST, os.getpid(), time.time()))


def read_attempts(folder: Path, job: int) -> Attempts:
    """What was tried on `job`; a torn or foreign line does not count."""
    try:
        lines = attempts_path(folder, job).read_bytes().splitlines()
    except FileNotFoundError:
        return Attempts(0, 0, 0, "", "", ())
    events = []
    for line in lines:
        with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
            events.append(msgspec.json.decode(line, type=Event))
    started = {(e.host, e.pid, e.attempt) for e in events if e.event == "start"}
    ended = {(e.host, e.pid, e.attempt) for e in events if e.event != "start"}
    last = next((e for e in reversed(events) if e.reason), None)
    return Attempts(
        failures=sum(e.event in FAILURES for e in events),
        unfinished=len(started - ended),
        transients=sum(e.event == "transient" for e in events),
        reason=last.reason if last else "",
        traceback=last.traceback if last else "",
        events=tuple(events),
    )


def clear_attempts(folder: Path, job: int) -> None:
    """Forget what was tried on `job`."""
    attempts_path(folder, job).unlink(missing_ok=True)


def write_quarantine(folder: Path, record: Quarantine) -> bool:
    """Give `record.job` up; False when it is already in quarantine."""
    path = quarantine_path(folder, record.job)
    content = msgspec.json.format(msgspec.json.encode(record), indent=2)
    return write_once(folder, path, content)


def read_quarantine(folder: Path, job: int) -> Quarantine | None:
    """Why `job` was given up, None when it was not."""
    try:
        return msgspec.json.decode(quarantine_path(folder, job).read_bytes(), type=Quarantine)
    except FileNotFoundError:
        return None


def is_quarantined(folder: Path, job: int) -> bool:
    """True when `job` was given up."""
    return quarantine_path(folder, job).exists()


def quarantined_jobs(folder: Path) -> list[int]:
    """Indices of all jobs given up, ascending; files of other names are left alone."""
    jobs = (job_of(path.stem) for path in (folder / "quarantine").glob("*.json"))
    return sorted(job for job in jobs if job is not None)


def release_quarantine(folder: Path, job: int) -> None:
    """Let `job` be tried anew: forget its attempts first, then its quarantine record."""
    clear_attempts(folder, job)
    quarantine_path(folder, job).unlink(missing_ok=True)


def _append(folder: Path, job: int, event: Event) -> None:
    """One write with O_APPEND: lines of several processes do not mix."""
    path = attempts_path(folder, job)
    mode = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    try:
        handle = os.open(path, mode, 0o644)
    except FileNotFoundError:
        path.parent.mkdir(exist_ok=True)  # but not its run's: that may be deleted
        handle = os.open(path, mode, 0o644)
    try:
        os.write(handle, msgspec.json.encode(event) + b"\n")
    finally:
        os.close(handle)
