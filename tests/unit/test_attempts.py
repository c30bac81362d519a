"""What was tried on a job is on disk, one line per event."""

import os

import pytest

from workers import attempts
from workers.errors import TransientError

pytestmark = pytest.mark.nojit


def failed(folder, event="error", number=0, pid=1):
    attempts.record_failure(folder, 4, number, "Traceback ...\nValueError: bad", event, pid)


def test_a_job_without_a_file_has_no_attempts(tmp_path):
    assert attempts.read_attempts(tmp_path, 4) == (0, 0, 0, "", "", ())


def test_a_start_without_an_end_is_unfinished(tmp_path):
    attempts.record_start(tmp_path, 4, 0)
    attempts.record_start(tmp_path, 4, 1)
    attempts.record_failure(tmp_path, 4, 1, ValueError("bad"))
    tried = attempts.read_attempts(tmp_path, 4)
    assert (tried.failures, tried.unfinished, tried.transients) == (1, 1, 0)
    assert tried.reason == "ValueError: bad"
    assert "ValueError: bad" in tried.traceback


@pytest.mark.parametrize("event", attempts.FAILURES)
def test_three_failures_exhaust_a_job(tmp_path, event):
    for number in range(3):
        assert not attempts.read_attempts(tmp_path, 4).exhausted
        failed(tmp_path, event, number)
    assert attempts.read_attempts(tmp_path, 4).exhausted


def test_workers_that_vanish_with_the_job_exhaust_it_later(tmp_path):
    for number in range(attempts.MAX_UNFINISHED):
        assert not attempts.read_attempts(tmp_path, 4).exhausted
        attempts.record_start(tmp_path, 4, number)
    assert attempts.read_attempts(tmp_path, 4).exhausted


def test_a_full_disk_is_nobodys_failure(tmp_path):
    for number in range(50):
        attempts.record_failure(tmp_path, 4, number, TransientError("disk", "full"))
    tried = attempts.read_attempts(tmp_path, 4)
    assert (tried.failures, tried.transients, tried.exhausted) == (0, 50, False)


def test_success_forgets_starts_but_not_failures(tmp_path):
    attempts.record_start(tmp_path, 4, 0)
    attempts.record_done(tmp_path, 4, 0)
    assert not attempts.attempts_path(tmp_path, 4).exists()
    failed(tmp_path)
    attempts.record_start(tmp_path, 4, 1)
    attempts.record_done(tmp_path, 4, 1)
    events = [event.event for event in attempts.read_attempts(tmp_path, 4).events]
    assert events == ["error", "start", "done"]
    assert attempts.read_attempts(tmp_path, 4).unfinished == 0


def test_a_torn_line_does_not_hide_the_others(tmp_path):
    failed(tmp_path)
    with attempts.attempts_path(tmp_path, 4).open("ab") as stream:
        stream.write(b'{"event": "err')
    assert attempts.read_attempts(tmp_path, 4).failures == 1


def test_a_record_that_cannot_be_written_is_given_up(tmp_path):
    failed(tmp_path / "nowhere" / "run")
    assert not (tmp_path / "nowhere").exists()


def test_a_long_traceback_keeps_its_end(tmp_path):
    attempts.record_failure(tmp_path, 4, 0, "x" * 50_000 + "\nValueError: the end")
    tried = attempts.read_attempts(tmp_path, 4)
    assert len(tried.traceback) == attempts.TRACEBACK_LENGTH
    assert tried.reason == "ValueError: the end"


def test_a_failure_belongs_to_the_process_that_had_the_job(tmp_path):
    attempts.record_start(tmp_path, 4, 0)
    failed(tmp_path, pid=os.getpid() + 1)
    assert attempts.read_attempts(tmp_path, 4).unfinished == 1
    failed(tmp_path, pid=os.getpid())
    assert attempts.read_attempts(tmp_path, 4).unfinished == 0


def test_quarantine_is_written_once_and_can_be_lifted(tmp_path):
    record = attempts.Quarantine(4, "why", "trace", 1, 40, 10, "command", ())
    assert attempts.write_quarantine(tmp_path, record)
    assert not attempts.write_quarantine(tmp_path, record)
    assert attempts.read_quarantine(tmp_path, 4) == record
    assert attempts.quarantined_jobs(tmp_path) == [4]
    failed(tmp_path)
    attempts.release_quarantine(tmp_path, 4)
    assert not attempts.is_quarantined(tmp_path, 4)
    assert attempts.read_quarantine(tmp_path, 4) is None
    assert attempts.read_attempts(tmp_path, 4).failures == 0


def test_a_file_of_another_name_is_no_quarantine(tmp_path):
    (tmp_path / "quarantine").mkdir()
    for name in ("abc.json", "4.json.txt", "04.json", "7.json"):
        (tmp_path / "quarantine" / name).write_text("{}")
    assert attempts.quarantined_jobs(tmp_path) == [7]
