"""The driver against executors that lose, fail and forget: every job is committed in the end."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline import produce
from pipeline.disk_room import DiskFull, DiskTrouble
from pipeline.interrupts import Interrupts
from pipeline.produce import Driver
from pipeline.progress import Progress
from workers import attempts, jobs, shards
from workers.errors import TransientError


class Executor:
    """Performs what it is given in this process, but only after `mishap` had a say."""

    in_process = False
    healed = 0
    trouble = ""

    def __init__(self, run: Any, slots: int = 2) -> None:
        self.run, self.slots = run, slots
        self.given: list[tuple[int, int]] = []
        self.log: list[int] = []
        self.most = 0
        self.mishap: Callable[[int, int], bool] = lambda job, attempt: False

    def submit(self, job: int, attempt: int) -> None:
        self.given.append((job, attempt))
        self.most = max(self.most, len(self.given))

    def poll(self, seconds: float) -> list[int]:
        if not self.given:
            return []
        job, attempt = self.given.pop(0)
        self.log.append(job)
        if not self.mishap(job, attempt):
            jobs.perform(self.run, job, attempt)
        return [job]

    def drain(self, seconds: float, hurry: Callable[[], bool]) -> None: ...

    def close(self) -> None: ...


def drive(run: Any, executor: Executor, interrupts: Interrupts | None = None) -> Driver:
    driver = Driver(run.folder, run.record, Progress(run.folder, run.record))
    driver.run(executor, interrupts or Interrupts())
    return driver


def committed(run: Any) -> list[int]:
    found: list[int] = shards.committed_jobs(run.folder).tolist()
    return found


def test_every_planned_job_is_sent_once_and_in_order(make_run: Any) -> None:
    run = make_run(jobs=9, rows=85)
    executor = Executor(run)
    driver = drive(run, executor)
    assert executor.log == list(range(9))
    assert committed(run) == list(range(9))
    assert driver.verdict() == ("complete", "")
    assert driver.progress.rows_committed == 85


def test_only_what_is_missing_is_sent_by_the_next_driver(make_run: Any) -> None:
    run = make_run(jobs=9, rows=90)
    for job in (0, 3, 8):
        jobs.perform(run, job)
    executor = Executor(run)
    drive(run, executor)
    assert executor.log == [1, 2, 4, 5, 6, 7]


def test_a_driver_with_nothing_to_do_is_done_at_once(make_run: Any) -> None:
    run = make_run()
    drive(run, Executor(run))
    assert Driver(run.folder, run.record, Progress(run.folder, run.record)).done


def test_a_damaged_shard_is_left_for_the_merge_to_find(make_run: Any) -> None:
    run = make_run()
    drive(run, Executor(run))
    shards.shard_path(run.folder, 1).write_bytes(b"")
    progress = Progress(run.folder, run.record)
    assert Driver(run.folder, run.record, progress).done


@pytest.mark.parametrize(("slots", "window"), [(1, 33), (2, 34), (40, 80)])
def test_the_window_bounds_what_is_in_flight(make_run: Any, slots: int, window: int) -> None:
    run = make_run(jobs=100, rows=100, job_rows=1)
    executor = Executor(run, slots)
    drive(run, executor)
    assert executor.most == window


def test_until_the_first_commit_only_the_slots_are_filled(make_run: Any) -> None:
    run = make_run(jobs=50, rows=50, job_rows=1)
    executor = Executor(run, 3)
    seen: list[int] = []
    executor.mishap = lambda job, attempt: bool(seen.append(len(executor.given)))
    drive(run, executor)
    assert seen[0] == 2
    assert seen[1] > 30


def test_a_lost_job_is_sent_again(make_run: Any) -> None:
    run = make_run(jobs=4, rows=40)
    executor = Executor(run)
    executor.mishap = lambda job, attempt: job == 2 and attempt < 5
    driver = drive(run, executor)
    assert executor.log.count(2) == 6
    assert committed(run) == [0, 1, 2, 3]
    assert driver.progress.resent == 5


def test_a_job_that_fails_three_times_is_given_up_and_no_other(make_run: Any) -> None:
    run = make_run(jobs=4, rows=40)
    executor = Executor(run)

    def fail(job: int, attempt: int) -> bool:
        if job == 1:
            attempts.record_start(run.folder, job, attempt)
            attempts.record_failure(run.folder, job, attempt, ValueError("bad"))
        return job == 1

    executor.mishap = fail
    driver = drive(run, executor)
    assert executor.log.count(1) == 3
    assert committed(run) == [0, 2, 3]
    assert driver.verdict() == ("quarantined", "1 of 4 jobs given up: 1")
    record = attempts.read_quarantine(run.folder, 1)
    assert record is not None
    assert record.reason == "ValueError: bad"
    assert record.repro == f"python -m workers.jobs {run.folder} 1"
    again = Executor(run)
    drive(run, again)
    assert again.log == []  # quarantine outlives the driver


def test_attempts_of_earlier_sessions_are_counted_on(make_run: Any) -> None:
    run = make_run()
    attempts.record_start(run.folder, 0, 4)
    attempts.record_failure(run.folder, 0, 4, ValueError("bad"))
    executor = Executor(run)
    numbers: dict[int, int] = {}
    executor.mishap = lambda job, attempt: bool(numbers.update({job: attempt}))
    drive(run, executor)
    assert numbers == {0: 5, 1: 0, 2: 0}


def test_a_job_whose_starts_never_end_runs_alone_and_is_then_given_up(make_run: Any) -> None:
    run = make_run(jobs=40, rows=40, job_rows=1)
    executor = Executor(run)
    company: list[int] = []

    def vanish(job: int, attempt: int) -> bool:
        if job == 5:
            attempts.record_start(run.folder, job, attempt)
            company.append(len(executor.given))
        return job == 5

    executor.mishap = vanish
    driver = drive(run, executor)
    assert len(company) == attempts.MAX_UNFINISHED
    assert company[-1] == 0
    assert executor.log[-1] == 5
    assert driver.verdict()[0] == "quarantined"
    assert "never ended" in str(attempts.read_quarantine(run.folder, 5))


def test_trouble_that_passes_never_leads_to_quarantine(
    make_run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(produce, "RETRY_S", 0.001)
    run = make_run()
    executor = Executor(run)

    def flicker(job: int, attempt: int) -> bool:
        if job == 1 and attempt < 6:
            attempts.record_start(run.folder, job, attempt)
            attempts.record_failure(run.folder, job, attempt, TransientError("net", "away"))
            return True
        return False

    executor.mishap = flicker
    assert drive(run, executor).verdict() == ("complete", "")


def test_trouble_that_does_not_pass_stops_the_run(
    make_run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(produce, "RETRY_S", 0.0)
    run = make_run()
    executor = Executor(run)

    def fail(job: int, attempt: int) -> bool:
        attempts.record_start(run.folder, job, attempt)
        attempts.record_failure(run.folder, job, attempt, TransientError("disk", "I/O error"))
        return True

    executor.mishap = fail
    with pytest.raises(DiskTrouble, match=r"job \d failed 20 times: .*disk: I/O error"):
        drive(run, executor)


def test_a_full_disk_is_found_out_when_a_job_fails(
    make_run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run()
    executor = Executor(run)
    executor.mishap = lambda job, attempt: True

    def full(path: Path, content: bytes) -> int:
        path.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(DiskFull, match="No space left on device") as told:
        drive(run, executor)
    assert told.value.exit_code == 3
    assert list((run.folder / "tmp").iterdir()) == []


def test_a_broker_that_takes_nothing_is_asked_again(make_run: Any) -> None:
    run = make_run()
    executor = Executor(run)
    refusals = [3]

    def submit(job: int, attempt: int) -> None:
        if refusals[0]:
            refusals[0] -= 1
            raise TransientError("broker", "away")
        executor.given.append((job, attempt))

    executor.submit = submit  # type: ignore[method-assign]
    drive(run, executor)
    assert sorted(executor.log) == [0, 1, 2]


def test_an_interrupted_driver_stops_sending(make_run: Any) -> None:
    run = make_run(jobs=50, rows=50, job_rows=1)
    executor, interrupts = Executor(run), Interrupts()

    def stop(job: int, attempt: int) -> bool:
        interrupts.count = 1
        return False

    executor.mishap = stop
    driver = drive(run, executor, interrupts)
    assert committed(run) == [0]
    assert driver.verdict() == ("interrupted", "resumable")


def test_jobs_that_end_while_the_executor_is_drained_are_counted(make_run: Any) -> None:
    run = make_run()
    executor, interrupts = Executor(run), Interrupts()
    executor.mishap = lambda job, attempt: bool(setattr(interrupts, "count", 1))
    driver = drive(run, executor, interrupts)
    jobs.perform(run, 1)
    driver.collect()
    assert driver.progress.committed == 2
    assert set(driver.progress.sent) == set()


def test_ten_million_jobs_are_planned_without_a_list_of_them(make_run: Any) -> None:
    run = make_run(jobs=10_000_000, rows=10_000_000, job_rows=1)
    executor, interrupts = Executor(run), Interrupts()
    executor.mishap = lambda job, attempt: bool(setattr(interrupts, "count", job >= 40))
    driver = drive(run, executor, interrupts)
    assert executor.most <= 34
    assert len(driver.progress.sent) <= 34
    assert len(driver.states) == 10_000_000
