"""The driver: keeps a window of jobs in flight until nothing planned is missing.

The truth is what lies committed in the run folder. The driver lists it once, at its start, and
then looks only at jobs that left the executor; whatever an executor or a broker loses, comes
back here as a job that ended without a shard, and is sent again.
"""

import heapq
import time
from collections import deque
from pathlib import Path
from typing import Literal

import numpy as np

from pipeline.corpus.quotas import QuotaCounter
from pipeline.corpus.sources import shard_piece
from pipeline.disk_room import DiskTrouble, check_room
from pipeline.executors import Executor
from pipeline.interrupts import Interrupts
from pipeline.progress import Progress
from workers import attempts, shards
from workers.contracts import RunRecord
from workers.errors import TransientError
from workers.inputs import check_input

State = Literal["complete", "interrupted", "quota short", "disk full", "quarantined"]
POLL_S = 0.25
RETRY_S, RETRY_MOST_S = 0.25, 30.0
WINDOW_SPARE = 32
WINDOW_LIMIT = 10_000
ALONE_AT = attempts.MAX_UNFINISHED - 1  # starts without an end, before the last one
TRANSIENT_LIMIT = 20
TODO, SENT, COMMITTED, QUARANTINED = range(4)


class Driver:
    """Sends the jobs of one run to one executor and keeps the tally."""

    def __init__(self, run_dir: Path, record: RunRecord, progress: Progress) -> None:
        self._run_dir, self._record = run_dir, record
        self.progress = progress
        self.states = bytearray(record.facts.spec.jobs)
        self._next = 0  # no job below it is TODO
        self._again: deque[int] = deque()
        self._later: list[tuple[float, int]] = []  # when, job
        self._alone: deque[int] = deque()
        self._lone: int | None = None  # a job that has the executor for itself
        self._tries: dict[int, int] = {}  # attempts of jobs in flight or to be sent again
        counting = record.facts.quotas or record.facts.target_rows
        self._counter = QuotaCounter.for_run(record.facts, run_dir) if counting else None
        self._check_input()
        self._scan()

    @property
    def done(self) -> bool:
        """Nothing is missing: all jobs are committed or given up, or all quotas are filled."""
        if self._counter is not None and self._counter.filled:
            return True
        waiting = self._again or self._later or self._alone
        return not (waiting or self.progress.sent or self._first_todo() is not None)

    def run(self, executor: Executor, interrupts: Interrupts) -> None:
        """Drive until `done` or interrupted. Raises DiskFull, DiskTrouble."""
        self.progress.state = "running"
        while not (self.done or interrupts.count):
            self._fill(executor)
            with interrupts.within(2 if executor.in_process else 10**9):
                ended = executor.poll(POLL_S)
            for job in ended:
                self._settle(job)
            self.progress.healed, self.progress.message = executor.healed, executor.trouble
            self.progress.tick()

    def collect(self) -> None:
        """Count jobs that were committed while the executor was drained."""
        for job in list(self.progress.sent):
            if (sidecar := shards.sound_sidecar(self._run_dir, job)) is not None:
                self._commit(job, sidecar.rows, sidecar.levels, sidecar.stats)

    def verdict(self) -> tuple[State, str]:
        """How the run stands, and one line that says what it lacks."""
        if not self.done:
            return "interrupted", "resumable"
        if self._counter is not None and not self._counter.filled:
            return "quota short", self._shortage(self._counter)
        if self.progress.quarantined:
            jobs = sorted(self.progress.quarantined)
            shown = ", ".join(str(job) for job in jobs[:10]) + (", ..." if len(jobs) > 10 else "")
            return "quarantined", f"{len(jobs)} of {len(self.states)} jobs given up: {shown}"
        return "complete", ""

    def _scan(self) -> None:
        """List what earlier sessions left: the only look at all jobs."""
        states = np.frombuffer(self.states, np.uint8)
        for jobs, state in (
            (np.array(attempts.quarantined_jobs(self._run_dir), np.int64), QUARANTINED),
            (shards.committed_jobs(self._run_dir), COMMITTED),
        ):
            states[jobs[jobs < len(states)]] = state
        self.progress.quarantined = set(np.flatnonzero(states == QUARANTINED).tolist())
        self.progress.recount(np.flatnonzero(states == COMMITTED))
        self._advance()

    def _fill(self, executor: Executor) -> None:
        window = self._window(executor)
        while len(self.progress.sent) < window and self._lone is None:
            job = self._take()
            if job is None:
                return
            tries = self._tries.get(job) or self._tried_before(job)
            try:
                executor.submit(job, tries)
            except TransientError:
                self._again.appendleft(job)
                check_room(self._run_dir)  # a broker without room refuses, too
                return
            self._tries[job] = tries + 1
            self.progress.sent[job] = time.monotonic()

    def _tried_before(self, job: int) -> int:
        """The number after the last attempt of earlier sessions."""
        events = attempts.read_attempts(self._run_dir, job).events
        return 1 + max((event.attempt for event in events), default=-1)

    def _window(self, executor: Executor) -> int:
        slots = executor.slots
        if not self.progress.jobs_here:  # the first to end tells how long the others may take
            return min(slots, WINDOW_LIMIT)
        if self._counter is not None:
            return min(2 * slots, WINDOW_LIMIT)  # what is ahead of the prefix may be surplus
        return min(max(2 * slots, slots + WINDOW_SPARE), WINDOW_LIMIT)

    def _take(self) -> int | None:
        """The next job to send, or None when there is none just now."""
        while self._later and self._later[0][0] <= time.monotonic():
            self._again.append(heapq.heappop(self._later)[1])
        if self._again:
            return self._again.popleft()
        job = self._first_todo()
        if job is not None:
            self.states[job] = SENT
        elif self._alone and not self.progress.sent:
            job = self._lone = self._alone.popleft()
        return job

    def _first_todo(self) -> int | None:
        found = self.states.find(TODO, self._next)
        self._next = found if found >= 0 else len(self.states)
        return found if found >= 0 else None

    def _settle(self, job: int) -> None:
        """A job left the executor: see on disk what became of it."""
        if job not in self.progress.sent:
            return
        sidecar = shards.sound_sidecar(self._run_dir, job)
        if sidecar is not None and sidecar.cfg8 == self._record.cfg8:
            self._commit(job, sidecar.rows, sidecar.levels, sidecar.stats)
            return
        del self.progress.sent[job]
        was_alone, self._lone = self._lone == job, None if self._lone == job else self._lone
        if attempts.is_quarantined(self._run_dir, job):
            self._give_up(job)
            return
        tried = attempts.read_attempts(self._run_dir, job)
        self._check_world(job, tried)
        if tried.exhausted or (was_alone and tried.unfinished >= ALONE_AT):
            from workers import jobs

            jobs.quarantine_job(jobs.open_folder(self._run_dir), job)
            self._give_up(job)
        elif tried.unfinished >= ALONE_AT:
            self._alone.append(job)
        elif tried.transients:
            delay = min(RETRY_MOST_S, RETRY_S * 2**tried.transients)
            heapq.heappush(self._later, (time.monotonic() + delay, job))
        else:
            self.progress.resent += tried.failures == 0
            self._again.append(job)

    def _commit(self, job: int, rows: int, levels: dict[str, int], stats: dict[str, float]) -> None:
        self.states[job] = COMMITTED
        self._tries.pop(job, None)
        if self._lone == job:
            self._lone = None
        self.progress.commit(job, rows, levels, stats.get("kernel_s", 0.0))
        self._advance()

    def _give_up(self, job: int) -> None:
        self.states[job] = QUARANTINED
        self._tries.pop(job, None)
        self.progress.quarantined.add(job)
        self._advance()

    def _advance(self) -> None:
        """Count the rows of the longest prefix of jobs that is there, until quotas are filled."""
        counter = self._counter
        if counter is None:
            return
        while counter.jobs < len(self.states) and not counter.filled:
            job = counter.jobs
            if self.states[job] == COMMITTED:
                counter.feed(job, shard_piece(self._run_dir, job).read(counter.columns))
            elif self.states[job] == QUARANTINED:
                counter.skip(job)
            else:
                break
        found = counter.found
        self.progress.quotas = {n: f"{found[n]}/{wanted}" for n, wanted in counter.quotas.items()}

    def _shortage(self, counter: QuotaCounter) -> str:
        short = (f"{n} by {k} of {counter.quotas[n]}" for n, k in counter.unfilled().items())
        return f"quota not filled after {counter.jobs} jobs (max_jobs): {', '.join(short)} short"

    def _check_input(self) -> None:
        """Raises IntegrityError when the list of the run has changed."""
        if self._record.facts.spec.input is not None:
            check_input(self._run_dir, self._record.facts.spec.input)

    def _check_world(self, job: int, tried: attempts.Attempts) -> None:
        """A job failed: was it the disk, or the list it grades?"""
        check_room(self._run_dir)
        self._check_input()
        if tried.transients >= TRANSIENT_LIMIT:
            what = f"job {job} failed {tried.transients} times"
            raise DiskTrouble(self._run_dir, what, tried.reason)
