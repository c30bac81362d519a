"""Counting what is committed, telling it in lines and files, and reading it without a driver."""

import io
import json
import time
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from pipeline import progress, runs
from pipeline.progress import Progress, Status, rows_of
from pipeline.rate import Rate
from pipeline.screen import Screen, duration
from pipeline.status import status
from workers import attempts, jobs


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("every", [0.5, 7.0])
def test_the_rate_of_a_steady_run_is_its_rate_from_the_first_minute_on(every: float) -> None:
    rate = Rate(100.0)
    assert rate.value(101.0) is None
    at = 100.0
    while at < 460.0:
        at += every
        rate.add(at, round(50 * every))
    assert rate.value(at) == pytest.approx(50, rel=0.06)


def test_the_rate_forgets_how_fast_it_was_minutes_ago() -> None:
    rate = Rate(0.0)
    for second in range(1, 601):
        rate.add(float(second), 1000 if second <= 300 else 10)
    assert rate.value(600.0) == pytest.approx(10, rel=0.7)


def test_rows_of_jobs_know_the_short_last_one(make_run: Any) -> None:
    spec = make_run(jobs=3, rows=25).spec
    assert rows_of(spec, np.array([], np.int64)) == 0
    assert rows_of(spec, np.array([0, 1])) == 20
    assert rows_of(spec, np.array([0, 2])) == 15


def test_status_needs_the_run_folder_only(make_run: Any) -> None:
    run = make_run(jobs=4, rows=40)
    jobs.perform(run, 0)
    jobs.perform(run, 2)
    for _ in range(3):
        attempts.record_failure(run.folder, 3, 0, ValueError("bad"))
    jobs.quarantine_job(run, 3)
    before = sorted(run.folder.rglob("*"))
    found = status(run.folder)
    assert (found.jobs, found.committed, found.quarantined) == (4, 2, [3])
    assert (found.rows, found.rows_committed) == (40, 20)
    assert found.driver is None
    assert sorted(run.folder.rglob("*")) == before


def test_status_tells_how_long_ago_a_job_in_flight_was_sent(make_run: Any) -> None:
    run = make_run(jobs=4, rows=40)
    tally = Progress(run.folder, run.record)
    tally.state = "running"
    tally.sent = {1: time.monotonic() - 5, 2: time.monotonic() - 50}
    tally.write()
    said = msgspec.json.decode((run.folder / "progress.json").read_bytes(), type=Status)
    earlier = msgspec.structs.replace(said, updated=said.updated - 100)
    (run.folder / "progress.json").write_bytes(msgspec.json.encode(earlier))
    with runs.hold(run.folder):
        found = status(run.folder)
    assert found.state == "running"
    assert str(found.driver).startswith("process ")
    assert found.in_flight == 2
    assert [(job.job, round(job.age_s, -1)) for job in found.oldest] == [(2, 150), (1, 100)]


def test_the_status_of_a_killed_driver_is_interrupted(make_run: Any) -> None:
    run = make_run()
    tally = Progress(run.folder, run.record)
    tally.state, tally.sent = "running", {1: time.monotonic()}
    tally.write()
    found = status(run.folder)
    assert (found.state, found.in_flight, found.oldest, found.eta_s) == ("interrupted", 0, [], None)


@pytest.mark.parametrize("content", [b"", b"{", b'{"run": 3}', b"\xff"])
def test_a_damaged_progress_file_is_done_without(make_run: Any, content: bytes) -> None:
    run = make_run()
    jobs.perform(run, 1)
    (run.folder / "progress.json").write_bytes(content)
    assert status(run.folder).committed == 1


def test_a_log_gets_one_json_line_every_ten_seconds_and_at_each_change(
    make_run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    run, stream = make_run(), io.StringIO()
    tally = Progress(run.folder, run.record, stream)
    tally.state = "running"
    with tally.shown():
        for _ in range(100):
            clock[0] += 0.25
            tally.tick()
        tally.state = "merging"
        tally.tick()
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["state"] for line in lines] == ["running"] * 3 + ["merging"]
    assert {"run", "committed", "jobs", "eta_s", "levels", "in_flight"} <= set(lines[0])


def test_a_reader_that_went_away_stops_nothing(make_run: Any) -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    run = make_run()
    Progress(run.folder, run.record, Closed()).line()


def test_levels_are_counted_over_sessions(make_run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    run = make_run(jobs=6, rows=60)
    for job in range(6):
        jobs.perform(run, job)
    for path in run.folder.glob("shards/*/*.json"):
        sidecar = json.loads(path.read_text())
        path.write_text(json.dumps({**sidecar, "levels": {"easy": 7, "hard": 3}}))
    tally = Progress(run.folder, run.record)
    tally.recount(np.arange(6))
    assert tally.status().levels == {"easy": 42, "hard": 18}
    tally.commit(6, 10, {"easy": 10}, 0.5)
    assert tally.status().levels == {"easy": 52, "hard": 18}
    monkeypatch.setattr(progress, "SIDECARS_READ", 4)  # a sample, scaled up
    tally.recount(np.arange(6))
    assert tally.status().levels == {"easy": 42, "hard": 18}


def test_a_terminal_gets_a_live_display_that_stays(make_run: Any) -> None:
    run, stream = make_run(), Terminal()
    tally = Progress(run.folder, run.record, stream)
    tally.state = "running"
    tally.levels.update({"easy": 1200})
    tally.quarantined = {2}
    with tally.shown():
        tally.tick()
        tally.state = "complete"
    shown = stream.getvalue()
    assert "run-1  running" in shown
    assert "run-1  complete" in shown
    assert "easy 1,200" in shown
    assert "quarantined" in shown
    assert "{" not in shown


def test_a_display_shows_age_rate_and_what_was_healed(make_run: Any) -> None:
    run, stream = make_run(), Terminal()
    tally = Progress(run.folder, run.record)
    found = tally.status()
    found.in_flight, found.oldest = 1, [progress.InFlight(0, 75.2)]
    found.rows_per_s, found.eta_s, found.resent, found.healed = 1234.5, 200.0, 3, 1
    found.quotas = {"hard": "3/50"}
    screen = Screen(stream)
    screen.show(found)
    screen.close()
    shown = stream.getvalue()
    for text in ("oldest 75 s", "1,234 rows/s", "3 min 20 s", "3 sent again, 1 rest", "hard 3/50"):
        assert text in shown


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (59.6, "1 min 00 s"), (3720, "1 h 02 min")]
)
def test_durations_are_for_people(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_progress_json_is_replaced_as_a_whole(make_run: Any, tmp_path: Path) -> None:
    run = make_run()
    Progress(run.folder, run.record).write()
    first = (run.folder / "progress.json").stat().st_ino
    Progress(run.folder, run.record).write()
    assert (run.folder / "progress.json").stat().st_ino != first
    assert [path.name for path in run.folder.glob("progress*")] == ["progress.json"]


def test_a_full_disk_keeps_the_last_words_in_the_old_file(
    make_run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run()
    tally = Progress(run.folder, run.record)
    tally.state, tally.message = "running", "a message longer than the last one"
    tally.write()
    tally.state, tally.message = "disk full", "resumable"

    def half(path: Path, content: bytes) -> None:
        path.touch()
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", half)
        tally.last_words()
    assert [path.name for path in run.folder.glob("progress*")] == ["progress.json"]
    found = status(run.folder)
    assert (found.state, found.message) == ("disk full", "resumable")


def test_the_last_line_of_a_log_tells_how_a_run_ended(make_run: Any) -> None:
    run, stream = make_run(), io.StringIO()
    tally = Progress(run.folder, run.record, stream)
    tally.state = "running"
    with tally.shown():
        tally.tick()
        tally.state = "complete"
    states = [json.loads(line)["state"] for line in stream.getvalue().splitlines()]
    assert states == ["running", "complete"]


def test_a_run_whose_corpus_is_gone_is_not_complete(make_run: Any) -> None:
    run = make_run()
    tally = Progress(run.folder, run.record)
    tally.state = "complete"
    tally.write()
    assert status(run.folder).state == "interrupted"
    (run.folder / "corpus").mkdir()
    (run.folder / "corpus" / "_SUCCESS").touch()
    assert status(run.folder).state == "complete"
