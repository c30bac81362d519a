"""Lost jobs are told from slow ones: by the run folder, by the broker, by age."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.executors import watch
from pipeline.executors.watch import Sent, Watch
from workers import attempts
from workers.errors import TransientError

Clock = Callable[[float], None]
DEAD_PID = 2**22 + 1  # above the largest process id of Linux


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Clock:
    now = [1000.0]

    def pass_time(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(watch.time, "monotonic", lambda: now[0])
    return pass_time


def sent(watched: Watch, job: int, attempt: int = 0, limit: int = 60) -> None:
    watched.add(job, Sent(attempt, limit))


def start(folder: Path, job: int, attempt: int = 0, pid: int | None = None) -> None:
    path = attempts.attempts_path(folder, job)
    attempts.record_start(folder, job, attempt)
    if pid is not None:
        path.write_text(path.read_text().replace(f'"pid":{os.getpid()}', f'"pid":{pid}'))


def test_a_message_that_is_absent_twice_is_lost(tmp_path: Path, wait: Clock) -> None:
    watched = Watch(tmp_path)
    for job in (1, 2, 3):
        sent(watched, job)
    assert watched.lost({1}, {2}) == set()  # between two keys, perhaps
    wait(1)
    assert watched.lost({1}, {2}) == {3}


def test_a_message_seen_again_was_not_lost(tmp_path: Path, wait: Clock) -> None:
    watched = Watch(tmp_path)
    sent(watched, 1)
    for waiting in (set(), {1}, set(), {1}):
        wait(1)
        assert watched.lost(waiting, set()) == set()


@pytest.mark.parametrize("failure", ["error", "timeout", "lost", "transient"])
def test_an_attempt_that_failed_is_over(
    tmp_path: Path, failure: attempts.EventName, wait: Clock
) -> None:
    watched = Watch(tmp_path)
    sent(watched, 1)
    start(tmp_path, 1)
    assert watched.over() == set()
    attempts.record_failure(tmp_path, 1, 0, TransientError("x"), failure)
    assert watched.over() == {1}


def test_the_failure_of_an_earlier_attempt_does_not_count(tmp_path: Path) -> None:
    watched = Watch(tmp_path)
    attempts.record_failure(tmp_path, 1, 0, "bad")
    sent(watched, 1, attempt=1)
    assert watched.over() == set()


def test_a_job_in_quarantine_is_over(tmp_path: Path) -> None:
    watched = Watch(tmp_path)
    sent(watched, 1)
    attempts.quarantine_path(tmp_path, 1).parent.mkdir()
    attempts.quarantine_path(tmp_path, 1).touch()
    assert watched.over() == {1}


def test_a_dead_process_has_some_looks_left_for_its_parent_to_speak(tmp_path: Path) -> None:
    watched = Watch(tmp_path)
    sent(watched, 1)
    start(tmp_path, 1, pid=DEAD_PID)
    looks = [watched.over() for _ in range(watch.DEAD_SCANS)]
    assert looks == [set()] * (watch.DEAD_SCANS - 1) + [{1}]


def test_a_process_of_another_machine_is_not_looked_for(tmp_path: Path) -> None:
    watched = Watch(tmp_path)
    sent(watched, 1)
    start(tmp_path, 1, pid=DEAD_PID)
    path = attempts.attempts_path(tmp_path, 1)
    path.write_text(path.read_text().replace(f'"host":"{watch.HOST}"', '"host":"elsewhere"'))
    for _ in range(10):
        assert watched.over() == set()


def test_a_taken_job_has_twice_its_limit_once_begun(tmp_path: Path, wait: Clock) -> None:
    watched = Watch(tmp_path)
    watched.longest_s = 2.0
    sent(watched, 1, limit=60)
    start(tmp_path, 1)
    watched.over()
    assert watched.lost(set(), {1}) == set()
    wait(2 * 60 + watch.LEASE_SPARE_S - 1)
    assert watched.lost(set(), {1}) == set()
    wait(2)
    assert watched.lost(set(), {1}) == {1}


def test_a_taken_job_that_nobody_begins_is_lost_soon(tmp_path: Path, wait: Clock) -> None:
    watched = Watch(tmp_path)
    sent(watched, 1)
    watched.lost(set(), {1})
    wait(100)
    assert watched.lost(set(), {1}) == set()  # perhaps all jobs take that long
    watched.longest_s = 2.0
    assert watched.lost(set(), {1}) == {1}


def test_a_message_that_waits_is_never_lost_by_age(tmp_path: Path, wait: Clock) -> None:
    watched = Watch(tmp_path)
    watched.longest_s = 1.0
    sent(watched, 1)
    for _ in range(10):
        wait(1000)
        assert watched.lost({1}, {1}) == set()  # taken is the record of a dead worker


def test_a_job_sent_again_starts_afresh(tmp_path: Path, wait: Clock) -> None:
    watched = Watch(tmp_path)
    watched.longest_s = 1.0
    sent(watched, 1)
    watched.lost(set(), {1})
    wait(100)
    sent(watched, 1, attempt=1)
    assert watched.lost(set(), {1}) == set()


def test_what_others_send_over_the_same_broker_is_not_ours(tmp_path: Path, wait: Clock) -> None:
    watched = Watch(tmp_path)
    watched.longest_s = 1.0
    watched.lost(set(), {7})
    wait(1000)
    assert watched.lost(set(), {7}) == set()


def test_workers_are_stuck_when_messages_wait_and_nothing_moves(
    tmp_path: Path, wait: Clock
) -> None:
    watched = Watch(tmp_path)
    for _ in range(4):
        wait(100)
        watched.lost(set(), {2})
    assert not watched.stuck(60)  # no message waits
    for _ in range(2):
        wait(100)
        watched.lost({1}, {2})
    assert watched.stuck(60)
    watched.lost({1}, {3})
    assert not watched.stuck(60)
