"""Where jobs run. All executors give the same rows, because a job's rows depend on its index.

    serial    in this process, one after the other: for debugging, and the reference of tests
    local     in child processes of the driver: no broker, no other machine
    celery    by Celery workers on a broker: those this run starts, and any that join

An executor promises little: a job that was submitted is returned by `poll` sooner or later,
when nobody works on it any more as far as the executor knows. Whether it is committed, the
driver sees on disk; if not, the job is submitted again.
"""

from collections.abc import Callable
from typing import Protocol


class Executor(Protocol):
    """Runs jobs of one run folder; used by one thread."""

    @property
    def slots(self) -> int:
        """How many jobs can run at the same time, as far as is known now."""

    @property
    def in_process(self) -> bool:
        """Jobs run inside `poll`: only an exception can end one early."""

    @property
    def healed(self) -> int:
        """How often a worker, a child or a broker was started again."""

    @property
    def trouble(self) -> str:
        """What keeps jobs from running just now, for a person; empty when nothing does."""

    def submit(self, job: int, attempt: int) -> None:
        """Take a job; TransientError when that is not possible just now."""

    def poll(self, seconds: float) -> list[int]:
        """Wait at most about `seconds` for submitted jobs to end, and return those that did."""

    def drain(self, seconds: float, hurry: Callable[[], bool]) -> None:
        """Take no more jobs and let those that run now end; wait no longer than `seconds`, and
        not at all once `hurry` is true."""

    def close(self) -> None:
        """Stop everything that this executor started, at once, and wait until it is gone."""
