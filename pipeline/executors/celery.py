"""Jobs by Celery workers: those of this run on a private broker, or any on an outside one.

What became of a job is read from the run folder; once a second the broker is asked which
messages it still has, and what is lost (see `watch`) goes back to the driver, which sends it
again.
"""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

from pipeline.broker import EmbeddedBroker
from pipeline.executors.tree import WorkerTree
from pipeline.executors.watch import Sent, Watch
from pipeline.queue_view import QueueView
from workers import shards
from workers.contracts import JobMessage, RunRecord
from workers.errors import TransientError

STEP_S = 0.05
SCAN_S = 1.0
LIMIT_FACTOR, LIMIT_LEAST_S, LIMIT_DOUBLINGS = 20, 60, 4
OUTSIDE_SLOTS = 32  # assumed of workers that this run did not start
END_S = 5.0


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

        from workers import celery

        self._run_dir, self._record = run_dir, record
        self._celery = celery
        self._refused = redis.exceptions.ResponseError  # no memory, or no disk for its file
        self.healed, self.trouble = 0, ""
        self._watch = Watch(run_dir)
        self._taken_most = 0
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
        """Children started here; on an outside broker more, when more jobs were seen taken."""
        if self._tree is not None and self._broker is not None:
            return self._tree.children
        return max(self._tree.children if self._tree else OUTSIDE_SLOTS, self._taken_most)

    def submit(self, job: int, attempt: int) -> None:
        message = JobMessage(self._record.run_id, job, self._record.cfg8, attempt)
        limit = min(self._limit() << min(attempt, LIMIT_DOUBLINGS), self._time_limit_s)
        try:
            self._celery.send(message, limit, self._producer)
        except self._refused as wrong:
            raise TransientError("broker", str(wrong)) from None
        self._watch.add(job, Sent(attempt, limit))

    def poll(self, seconds: float) -> list[int]:
        deadline = time.monotonic() + seconds
        while True:
            self._revive_broker()
            ended = [job for job in self._watch.sent if self._committed(job)]
            if time.monotonic() >= self._scanned + SCAN_S:
                ended += self._lost()
                self._scanned = time.monotonic()
            if ended or time.monotonic() >= deadline:
                break
            time.sleep(STEP_S)
        for job in ended:
            self._watch.drop(job)
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
        self._view.check()
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
        longest = self._watch.longest_s
        if not longest:
            return self._time_limit_s
        return min(max(LIMIT_LEAST_S, round(LIMIT_FACTOR * longest)), self._time_limit_s)

    def _committed(self, job: int) -> bool:
        if not shards.sidecar_path(self._run_dir, job).exists():
            return False
        sidecar = shards.sound_sidecar(self._run_dir, job)
        if sidecar is not None:
            self._watch.longest_s = max(self._watch.longest_s, sidecar.stats.get("wall_s", 0.0))
        return sidecar is not None

    def _lost(self) -> set[int]:
        """Heal what died, and find the jobs that nobody works on any more."""
        lost = self._watch.over()
        try:
            waiting, taken = self._view.jobs()
            self.trouble = self._refusals() or self._news(waiting | taken)
        except TransientError as away:
            self.trouble = str(away)
            return lost
        self._taken_most = max(self._taken_most, len(taken))
        lost |= self._watch.lost(waiting, taken)
        if self._tree is not None:
            if taken:
                self._tree.fruitless = 0
            if not self._tree.alive() or self._watch.stuck(self._limit()):
                lost |= self._revive(taken)
        return lost & self._watch.sent.keys()

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

    def _news(self, sent: set[int]) -> str:
        """What the workers do before they take their first job."""
        if self._tree is None or self._taken_most or not sent:
            return ""
        return "compiling kernels (once on this machine)" if self._tree.compiles() else ""

    def _refusals(self) -> str:
        names = sorted(path.stem for path in (self._run_dir / "refusals").glob("*.json"))
        return f"not fit for this run: worker {', '.join(names)}" if names else ""
