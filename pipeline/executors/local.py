"""Jobs in child processes of the driver: no broker, no other machine.

Children are plain programs on pipes, not forks: the driver's threads and the caller's `__main__`
stay out of them. A child that dies is replaced, one that hangs is killed, and what it had counts
as a failed attempt, because its parent is here to tell.
"""

import contextlib
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from workers import attempts
from workers.errors import RunError

END_S = 2.0
START_S = 120.0  # a start that takes longer hangs; the job is not to blame
STILLBORN = 5  # children that die before they are ready, in a row
DEAD = "dead"


class Submitted(NamedTuple):
    """A job and the number of this attempt at it."""

    job: int
    attempt: int


class Child:
    """One child process, the job it has, and a thread that hears its answers."""

    def __init__(self, run_dir: Path, heard: "queue.SimpleQueue[Word]") -> None:
        (run_dir / "logs").mkdir(exist_ok=True)
        with (run_dir / "logs" / "local.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "pipeline.executors.local_child", str(run_dir)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        self.job: Submitted | None = None
        self.given = 0.0  # when it got the job, or was ready for it
        self.ready = False
        self._heard = heard
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def give(self, job: Submitted) -> None:
        self.job, self.given = job, time.monotonic()
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # dead: the listener will say so
            self.process.stdin.write(b"%d %d\n" % job)
            self.process.stdin.flush()

    def hang_up(self) -> None:
        """Close the pipe: the child ends after the job it has."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()

    def end(self) -> None:
        """Let an idle child end, kill a busy one, and wait until it is gone."""
        self.hang_up()
        if self.job is not None:
            self.process.kill()
        try:
            self.process.wait(END_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._listener.join()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as answers:
            for answer in answers:
                self._heard.put(Word(self, answer.decode("ascii").strip()))
        self.process.wait()
        self._heard.put(Word(self, DEAD))


class Word(NamedTuple):
    """What a child said: `ready`, the number of the job it ended, or that it is dead."""

    child: Child
    said: str


class LocalExecutor:
    """Keeps `slots` children busy."""

    in_process = False
    trouble = ""

    def __init__(self, run_dir: Path, slots: int, time_limit_s: float) -> None:
        self.slots, self.healed = slots, 0
        self._run_dir, self._limit = run_dir, time_limit_s
        self._waiting: deque[Submitted] = deque()
        self._heard: queue.SimpleQueue[Word] = queue.SimpleQueue()
        self._stillborn = 0
        self._children = [Child(run_dir, self._heard) for _ in range(slots)]

    def submit(self, job: int, attempt: int) -> None:
        self._waiting.append(Submitted(job, attempt))
        self._give_out()

    def poll(self, seconds: float) -> list[int]:
        ended = self._kill_hanging() + self._listen(seconds)
        while not self._heard.empty():
            ended += self._listen(0)
        self._give_out()
        return ended

    def drain(self, seconds: float, hurry: Callable[[], bool]) -> None:
        self._waiting.clear()
        deadline = time.monotonic() + seconds
        for child in self._children:
            child.hang_up()
        while any(child.job for child in self._children) and time.monotonic() < deadline:
            if hurry():
                break
            self._listen(0.1, heal=False)

    def close(self) -> None:
        self._waiting.clear()
        for child in self._children:
            child.end()
        self._children = []

    def _give_out(self) -> None:
        for child in self._children:
            if child.job is None and self._waiting:
                child.give(self._waiting.popleft())

    def _listen(self, seconds: float, heal: bool = True) -> list[int]:
        """The job that ended by the next word of a child, if one comes in time."""
        try:
            child, said = self._heard.get(timeout=seconds) if seconds else self._heard.get_nowait()
        except queue.Empty:
            return []
        if said == "ready":
            child.ready, child.given, self._stillborn = True, time.monotonic(), 0
            return []
        job, child.job = child.job, None
        if said == DEAD and child in self._children:
            if job is not None and child.ready and heal:
                what = f"the process ended with code {child.process.returncode}"
                self._record(child, job, what, "lost")
            self._replace(child, heal)
        return [job.job] if job is not None else []

    def _replace(self, child: Child, heal: bool) -> None:
        self._children.remove(child)
        child.hang_up()
        if not heal:
            return
        self._stillborn += not child.ready
        if self._stillborn >= STILLBORN:
            log = self._run_dir / "logs" / "local.log"
            raise RunError(f"worker processes die at their start; see {log}")
        self._children.append(Child(self._run_dir, self._heard))
        self.healed += 1

    def _kill_hanging(self) -> list[int]:
        ended = []
        for child in list(self._children):
            job = child.job
            limit = self._limit if child.ready else START_S
            if job is not None and time.monotonic() - child.given > limit:
                if child.ready:
                    self._record(child, job, f"no end after {self._limit:.0f} s", "timeout")
                ended.append(job.job)
                child.end()
                self._replace(child, heal=True)
        return ended

    def _record(self, child: Child, job: Submitted, what: str, event: attempts.EventName) -> None:
        pid = child.process.pid
        attempts.record_failure(self._run_dir, *job, failure=what, event=event, pid=pid)
