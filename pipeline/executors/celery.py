"""Jobs by Celery workers: those of this run on a private broker, or any on an outside one.

What became of a job is read from the run folder; the broker is asked once a second which
messages it still has. A message that it has not, twice in a row, is lost; so is one that was
taken longer ago than any live worker would keep it. Lost ones go back to the driver, which
sends them again: doing a job twice is harmless, waiting for nothing is not.
"""

import contextlib
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import psutil

from pipeline.broker import EmbeddedBroker, QueueView
from pipeline.executors.tree import WorkerTree
from workers import attempts, shards
from workers.contracts import JobMessage, RunRecord
from workers.disk import HOST
from workers.errors import RunError, TransientError

STEP_S = 0.05
SCAN_S = 1.0
LIMIT_FACTOR, LIMIT_LEAST_S, LIMIT_DOUBLINGS = 20, 60, 4
OUTSIDE_SLOTS = 32  # assumed of workers that this run did not start
LEASE_SPARE_S = 60.0
END_S = 5.0
DEAD_SCANS = 3  # scans until a dead process is believed to have left no last word


class Sent(NamedTuple):
    """The message of a job: its number, when it went out, and how long the job may run."""

    attempt: int
    at: float
    limit: int


class CeleryExecutor:
    """Sends jobs to a queue and watches over what this run started."""

    in_process = False

    def __init__(
        self,
        run_dir: Path,
        record: RunRecord,
        children: int,
        broker_url: str | None = None,
        time_limit_s: int = 1200,
    ) -> None:
        import redis

        from workers import celery, tasks

        self._run_dir, self._record = run_dir, record
        self._celery, self._send = celery, tasks.send
        self._refused = redis.exceptions.ResponseError  # no memory, or no disk for its file
        self.healed, self.trouble = 0, ""
        self._sent: dict[int, Sent] = {}
        self._absent: set[int] = set()
        self._dead: dict[int, int] = {}
        self._taken_most = 0
        self._taken: set[int] = set()
        self._moved = time.monotonic()
        self._longest_s = 0.0
        self._time_limit_s = min(time_limit_s, int(celery.HARD_LIMIT_S))
        self._patience_s = END_S
        self._scanned = time.monotonic()
        self._broker: EmbeddedBroker | None = None
        self._tree: WorkerTree | None = None
        self._open = contextlib.ExitStack()  # closes in reverse: the broker last
        try:
            self._start(children, broker_url)
        except BaseException:
            self.close()
            raise

    @property
    def slots(self) -> int:
        """Children started here, or more when more jobs were seen to be taken at once."""
        return max(self._tree.children if self._tree else OUTSIDE_SLOTS, self._taken_most)

    def submit(self, job: int, attempt: int) -> None:
        message = JobMessage(self._record.run_id, job, self._record.cfg8, attempt)
        limit = min(self._limit() << min(attempt, LIMIT_DOUBLINGS), self._time_limit_s)
        try:
            self._send(message, limit, self._producer)
        except self._refused as wrong:
            raise TransientError("broker", str(wrong)) from None
        self._sent[job] = Sent(attempt, time.monotonic(), limit)

    def poll(self, seconds: float) -> list[int]:
        deadline = time.monotonic() + seconds
        while True:
            self._revive_broker()
            ended = [job for job in self._sent if self._committed(job)]
            if time.monotonic() >= self._scanned + SCAN_S:
                ended += self._lost()
                self._scanned = time.monotonic()
            if ended or time.monotonic() >= deadline:
                break
            time.sleep(STEP_S)
        for job in ended:
            self._sent.pop(job, None)
        return ended

    def drain(self, seconds: float, hurry: Callable[[], bool]) -> None:
        if self._tree is not None:
            self._tree.wind_down()
            self._tree.wait(seconds, hurry)
            if seconds:
                self._patience_s = 0.0

    def close(self) -> None:
        self._open.close()

    def _start(self, children: int, broker_url: str | None) -> None:
        if broker_url is None:
            self._broker = EmbeddedBroker(self._run_dir / "broker")
            self._open.callback(self._broker.stop)
            self._broker.start()
            broker_url = self._broker.url
        self._view = QueueView(
            broker_url, self._record.run_id, self._celery.QUEUE, self._celery.KEY_PREFIX
        )
        self._open.callback(self._view.close)
        try:
            self._view.jobs()
        except TransientError:
            raise RunError(f"no broker answers at {_without_password(broker_url)}") from None
        self._celery.use_broker(broker_url)
        connection = self._celery.app.connection_for_write(broker_url)
        self._open.callback(connection.release)
        self._producer = self._celery.app.amqp.Producer(connection)
        if children:
            spec = self._record.facts.spec
            self._tree = WorkerTree(self._run_dir, broker_url, children, spec)
            self._open.callback(self._stop_tree, self._tree)
            self._tree.start()

    def _stop_tree(self, tree: WorkerTree) -> None:
        tree.wind_down()
        tree.wait(self._patience_s, lambda: False)
        tree.end()

    def _limit(self) -> int:
        """Seconds a job may run: 20 times the longest so far; it only catches hangs."""
        if not self._longest_s:
            return self._time_limit_s
        return min(max(LIMIT_LEAST_S, round(LIMIT_FACTOR * self._longest_s)), self._time_limit_s)

    def _committed(self, job: int) -> bool:
        if not shards.sidecar_path(self._run_dir, job).exists():
            return False
        sidecar = shards.sound_sidecar(self._run_dir, job)
        if sidecar is not None:
            self._longest_s = max(self._longest_s, sidecar.stats.get("wall_s", 0.0))
        return sidecar is not None

    def _lost(self) -> list[int]:
        """Heal what died, and find the jobs that nobody works on any more."""
        lost = {job for job, sent in self._sent.items() if self._over_on_disk(job, sent)}
        try:
            waiting, taken = self._view.jobs()
            self.trouble = self._refusals() or self._news(waiting | taken)
        except TransientError as away:
            self.trouble = str(away)
            return list(lost)
        if self._tree is not None:
            if taken:
                self._tree.fruitless = 0
            if not self._tree.alive() or self._stuck(waiting, taken):
                lost |= self._revive(taken)
        self._taken_most = max(self._taken_most, len(taken))
        absent = self._before_last_scan() - waiting - taken
        lost |= (absent & self._absent) | self._expired(taken)
        self._absent = absent - lost
        return [job for job in lost if job in self._sent]

    def _revive_broker(self) -> None:
        """Start the private server anew, on its data and socket, when it has died."""
        if self._broker is not None and not self._broker.alive():
            self._broker.start()
            self.healed += 1

    def _revive(self, taken: set[int]) -> set[int]:
        """Start the workers anew; what the dead ones had taken is lost with them."""
        assert self._tree is not None
        self._tree.revive()
        self.healed += 1
        if self._broker is not None:
            self._view.forget_taken()
        return taken

    def _stuck(self, waiting: set[int], taken: set[int]) -> bool:
        """Messages wait, and for longer than any job lasts none was taken or let go."""
        now = time.monotonic()
        if taken != self._taken or not waiting:
            self._taken, self._moved = taken, now
        return now - self._moved > 2 * self._limit() + LEASE_SPARE_S

    def _before_last_scan(self) -> set[int]:
        return {job for job, sent in self._sent.items() if sent.at < self._scanned}

    def _expired(self, taken: set[int]) -> set[int]:
        """Taken so long ago that a live worker would have ended or killed the job."""
        now = time.monotonic()
        return {
            job
            for job, sent in self._sent.items()
            if job in taken and now - sent.at > 2 * sent.limit + LEASE_SPARE_S
        }

    def _over_on_disk(self, job: int, sent: Sent) -> bool:
        """The attempt failed, the job was given up, or the process that had it is dead."""
        if attempts.is_quarantined(self._run_dir, job):
            return True
        events = attempts.read_attempts(self._run_dir, job).events
        last = next((event for event in reversed(events) if event.attempt == sent.attempt), None)
        if last is None:
            return False
        if last.event != "start":
            return True
        if last.host != HOST or psutil.pid_exists(last.pid):
            self._dead.pop(job, None)
            return False
        self._dead[job] = self._dead.get(job, 0) + 1
        return self._dead[job] >= DEAD_SCANS

    def _news(self, sent: set[int]) -> str:
        """What the workers do before they take their first job."""
        if self._tree is None or self._taken_most or not sent:
            return ""
        return "compiling kernels (once on this machine)" if self._tree.compiles() else ""

    def _refusals(self) -> str:
        names = sorted(path.stem for path in (self._run_dir / "refusals").glob("*.json"))
        return f"not fit for this run: worker {', '.join(names)}" if names else ""


def _without_password(url: str) -> str:
    return re.sub(r"://[^@/]*@", "://***@", url)
