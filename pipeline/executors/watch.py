"""Which jobs were sent and are lost: nobody works on them any more.

Told from three things: what the run folder says of the attempt, which messages the broker still
has, and how long ago each was taken. In doubt a job counts as lost, because doing it twice is
harmless and waiting for nothing is not.
"""

import time
from pathlib import Path
from typing import NamedTuple

import psutil

from workers import attempts
from workers.disk import HOST

LEASE_SPARE_S = 60.0
UNSTARTED_S = 10.0
DEAD_SCANS = 3  # looks until a dead process is believed to have left no last word


class Sent(NamedTuple):
    """The message of a job: its number, and how many seconds the job may run."""

    attempt: int
    limit: int


class Watch:
    """Keeps the jobs that were sent; looked at about once a second."""

    def __init__(self, run_dir: Path) -> None:
        self.sent: dict[int, Sent] = {}
        self.longest_s = 0.0  # that any job took
        self._run_dir = run_dir
        self._absent: set[int] = set()
        self._started: set[int] = set()
        self._dead: dict[int, int] = {}  # job -> looks at which its process was dead
        self._taken: dict[int, float] = {}  # job -> when its message was first seen taken
        self._moved = time.monotonic()

    def add(self, job: int, sent: Sent) -> None:
        self.drop(job)
        self.sent[job] = sent

    def drop(self, job: int) -> None:
        for forgotten in (self.sent, self._dead, self._taken):
            forgotten.pop(job, None)
        self._started.discard(job)

    def over(self) -> set[int]:
        """Jobs whose attempt has ended without a commit, as the run folder tells."""
        return {job for job, sent in self.sent.items() if self._is_over(job, sent)}

    def lost(self, waiting: set[int], taken: set[int]) -> set[int]:
        """Jobs that the broker has lost, or that were taken by workers that are gone."""
        now = time.monotonic()
        if set(self._taken) != taken or not waiting:
            self._moved = now
        self._taken = {job: self._taken.get(job, now) for job in taken}
        absent = self.sent.keys() - waiting - taken
        lost = {job for job in taken - waiting if job in self.sent and self._expired(job, now)}
        lost |= absent & self._absent
        self._absent = absent - lost
        return lost

    def stuck(self, limit: int) -> bool:
        """Messages wait, and for longer than any job lasts none was taken or let go."""
        return time.monotonic() - self._moved > 2 * limit + LEASE_SPARE_S

    def _expired(self, job: int, now: float) -> bool:
        """Taken so long ago that a live worker would have begun the job, or ended or killed it."""
        lease = 2 * self.sent[job].limit + LEASE_SPARE_S
        if self.longest_s and job not in self._started:
            lease = min(lease, UNSTARTED_S + 3 * self.longest_s)
        return now - self._taken[job] > lease

    def _is_over(self, job: int, sent: Sent) -> bool:
        """The attempt failed, the job was given up, or the process that had it is dead."""
        if attempts.is_quarantined(self._run_dir, job):
            return True
        events = attempts.read_attempts(self._run_dir, job).events
        last = next((event for event in reversed(events) if event.attempt == sent.attempt), None)
        if last is None:
            return False
        self._started.add(job)
        if last.event != "start":
            return True
        if last.host != HOST or psutil.pid_exists(last.pid):
            self._dead.pop(job, None)
            return False
        self._dead[job] = self._dead.get(job, 0) + 1
        return self._dead[job] >= DEAD_SCANS
