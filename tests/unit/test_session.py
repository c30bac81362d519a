"""From a plan to a corpus in this process: quotas, healing, quarantine, exit codes, reports."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pipeline import execution, session
from pipeline.corpus import merge
from pipeline.corpus.verify import run_findings
from pipeline.executors.serial import SerialExecutor
from pipeline.session import Options, Outcome
from pipeline.status import status
from workers import attempts, shards
from workers.errors import IntegrityError, RunError, RunLocked, UsageError
from workers.inputs import FILES

SERIAL = Options(executor="serial")
PLAN = "name = 'p'\nkind = 'null'\nseed = 1\nrows = 45\njob_rows = 10\n"
QUOTAS = """
name = 'q'
kind = 'null'
seed = 1
job_rows = 10
max_jobs = {most}
levels = 'digits.toml'
params.limit = {limit}
[quotas]
low = {low}
high = 5
"""
LEVELS = """
name = 'digits'
[[level]]
name = 'low'
when = { solution = { below = 40 } }
[[level]]
name = 'high'
when = { solution = { from = 40 } }
"""


def run(folder: Path, text: str = PLAN, options: Options = SERIAL, **more: Any) -> Outcome:
    (folder / "plan.toml").write_text(text)
    (folder / "digits.toml").write_text(LEVELS)
    return session.run(str(folder / "plan.toml"), folder / "runs", options=options, **more)


def corpus(outcome: Outcome) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (outcome.run_dir / "corpus").iterdir()}


def manifest(outcome: Outcome) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((outcome.run_dir / "corpus" / "manifest.json").read_text())
    return found


def quotas(low: int = 40, most: int = 30, limit: int = 10**9) -> str:
    return QUOTAS.format(low=low, most=most, limit=limit)


def spoil(outcome: Outcome, job: int) -> None:
    """Flip one byte in the middle of a shard."""
    path = shards.shard_path(outcome.run_dir, job)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def test_a_run_ends_with_a_complete_corpus_and_a_report(tmp_path: Path) -> None:
    outcome = run(tmp_path)
    assert (outcome.state, outcome.exit_code) == ("complete", 0)
    assert (outcome.run_dir / "corpus" / "_SUCCESS").exists()
    report = json.loads((outcome.run_dir / "report.json").read_text())
    assert (report["jobs"], report["rows"]) == (5, 45)
    assert 0 <= report["kernel_cpu_s"] <= report["cpu_s"]


def test_the_same_plan_again_changes_nothing(tmp_path: Path) -> None:
    first = run(tmp_path)
    before = corpus(first)
    stamp = (first.run_dir / "corpus" / "_SUCCESS").stat().st_mtime_ns
    assert run(tmp_path) == first
    assert corpus(first) == before
    assert (first.run_dir / "corpus" / "_SUCCESS").stat().st_mtime_ns == stamp


def test_a_session_without_work_leaves_the_report_of_the_work(tmp_path: Path) -> None:
    outcome = run(tmp_path)
    report = (outcome.run_dir / "report.json").read_bytes()
    assert session.resume(outcome.run_dir, options=SERIAL).state == "complete"
    assert run(tmp_path).state == "complete"
    assert (outcome.run_dir / "report.json").read_bytes() == report


def test_lost_shards_of_a_complete_run_are_told_and_made_again(tmp_path: Path) -> None:
    outcome = run(tmp_path)
    before = corpus(outcome)
    for job in (1, 3):
        shards.discard_shard(outcome.run_dir, job)
    found = list(run_findings(outcome.run_dir))
    assert [(finding.job, finding.what[:4]) for finding in found] == [(1, "lost"), (3, "lost")]
    assert session.resume(outcome.run_dir, options=SERIAL).state == "complete"
    assert list(run_findings(outcome.run_dir)) == []
    assert corpus(outcome) == before


def test_shards_released_on_purpose_are_no_loss(tmp_path: Path) -> None:
    outcome = run(tmp_path)
    before = corpus(outcome)
    assert session.gc(outcome.run_dir, shards=True) == ["5 shards of a complete run"]
    assert not (outcome.run_dir / "shards").exists()
    assert list(run_findings(outcome.run_dir)) == []
    found = status(outcome.run_dir)
    assert (found.state, found.committed, found.rows_committed) == ("complete", 5, 45)
    assert session.resume(outcome.run_dir, options=SERIAL).state == "complete"
    assert not (outcome.run_dir / "shards").exists()
    (outcome.run_dir / "corpus" / "part-00000.parquet").unlink()
    assert len(list(run_findings(outcome.run_dir))) == 1
    assert session.resume(outcome.run_dir, options=SERIAL).state == "complete"  # all made again
    assert corpus(outcome) == before
    shards.discard_shard(outcome.run_dir, 0)
    assert len(list(run_findings(outcome.run_dir))) == 1


def test_shards_of_a_run_that_is_not_complete_are_not_released(tmp_path: Path) -> None:
    outcome = run(tmp_path)
    (outcome.run_dir / "corpus" / "_SUCCESS").unlink()
    with pytest.raises(UsageError, match="is not complete"):
        session.gc(outcome.run_dir, shards=True)
    assert len(shards.committed_jobs(outcome.run_dir)) == 5


def test_local_workers_give_the_corpus_of_the_serial_run(tmp_path: Path) -> None:
    serial = corpus(run(tmp_path))
    local = run(tmp_path, options=Options(executor="local", workers=2), new_run=True)
    assert local.run_dir.name.endswith("-2")
    assert {name: made for name, made in corpus(local).items() if name != "manifest.json"} == {
        name: made for name, made in serial.items() if name != "manifest.json"
    }


def test_a_list_is_graded_line_by_line(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("5\nx\n7\n5\n")
    text = "name = 'g'\nkind = 'null'\naction = 'grade'\n"
    outcome = run(tmp_path, text, source=str(tmp_path / "list.txt"))
    table = pq.read_table(outcome.run_dir / "corpus" / "part-00000.parquet")
    rows = sorted(zip(table["source_line"].to_pylist(), table["number"].to_pylist(), strict=True))
    assert rows == [(1, 5), (3, 7), (4, 5)]
    assert manifest(outcome)["rows"]["rejected"] == 1


def test_quotas_take_the_shortest_prefix_of_jobs(tmp_path: Path) -> None:
    outcome = run(tmp_path, quotas())
    assert outcome.state == "complete"
    facts = manifest(outcome)
    table = pq.read_table(outcome.run_dir / "corpus" / "part-00000.parquet")
    levels = table["level"].to_pylist()
    assert {name: levels.count(name) for name in ("low", "high")} == {"low": 40, "high": 5}
    last = facts["jobs"] - 1
    assert max(table["job"].to_pylist()) == last  # a shorter prefix would not do
    assert len(shards.committed_jobs(outcome.run_dir)) > last


def test_quotas_give_the_same_rows_whatever_runs_ahead(tmp_path: Path) -> None:
    serial = corpus(run(tmp_path, quotas()))
    local = run(tmp_path, quotas(), Options(executor="local", workers=2), new_run=True)
    assert corpus(local)["part-00000.parquet"] == serial["part-00000.parquet"]


def test_a_quota_out_of_reach_says_which_level_is_short_by_how_much(tmp_path: Path) -> None:
    outcome = run(tmp_path, quotas(low=20, most=6, limit=1000))  # three digits sum up to 27
    assert (outcome.state, outcome.exit_code) == ("quota short", 3)
    assert outcome.message == "quota not filled after 6 jobs (max_jobs): high by 5 of 5 short"
    assert not (outcome.run_dir / "corpus" / "_SUCCESS").exists()


def test_doubles_do_not_fill_a_quota(tmp_path: Path) -> None:
    outcome = run(tmp_path, quotas(low=20, most=6, limit=10))  # ten numbers only
    assert "low by 10 of 20" in outcome.message


def test_a_damaged_shard_fails_the_merge_and_is_made_anew_by_resume(tmp_path: Path) -> None:
    outcome = run(tmp_path)
    before = corpus(outcome)
    (outcome.run_dir / "corpus" / "_SUCCESS").unlink()
    spoil(outcome, 3)
    with pytest.raises(IntegrityError, match=r"3\.parquet: job 3: ") as told:
        run(tmp_path)
    assert told.value.exit_code == 5
    assert session.resume(outcome.run_dir, options=SERIAL).state == "complete"
    assert corpus(outcome) == before


def test_resume_makes_the_damaged_shards_of_a_complete_run_anew(tmp_path: Path) -> None:
    outcome = run(tmp_path)
    before = corpus(outcome)
    sound = {job: shards.shard_path(outcome.run_dir, job).stat().st_mtime_ns for job in range(5)}
    spoil(outcome, 1)
    shards.shard_path(outcome.run_dir, 4).unlink()
    assert session.resume(outcome.run_dir, options=SERIAL).state == "complete"
    assert corpus(outcome) == before
    now = {job: shards.shard_path(outcome.run_dir, job).stat().st_mtime_ns for job in range(5)}
    assert [job for job in range(5) if now[job] != sound[job]] == [1, 4]


def test_resume_mends_a_damaged_corpus(tmp_path: Path) -> None:
    outcome = run(tmp_path)
    before = corpus(outcome)
    (outcome.run_dir / "corpus" / "part-00000.parquet").write_bytes(b"PAR1")
    assert session.resume(outcome.run_dir, options=SERIAL).state == "complete"
    assert corpus(outcome) == before


def give_up(outcome: Outcome, job: int) -> None:
    from workers.jobs import open_folder, quarantine_job

    shards.discard_shard(outcome.run_dir, job)
    (outcome.run_dir / "corpus" / "_SUCCESS").unlink()
    attempts.record_failure(outcome.run_dir, job, 0, ValueError("bad"))
    quarantine_job(open_folder(outcome.run_dir), job)


def test_a_run_with_quarantine_is_no_success_unless_that_is_accepted(tmp_path: Path) -> None:
    outcome = run(tmp_path)
    whole = corpus(outcome)
    give_up(outcome, 2)
    again = run(tmp_path)
    assert (again.state, again.exit_code) == ("quarantined", 6)
    assert again.message == "1 of 5 jobs given up: 2"
    assert "_SUCCESS" not in corpus(outcome)
    assert manifest(outcome)["quarantined"] == [2]
    accepted = run(tmp_path, options=Options(executor="serial", accept_quarantined=True))
    assert accepted.exit_code == 0
    assert "_SUCCESS" in corpus(outcome)
    assert session.retry_quarantined(outcome.run_dir, options=SERIAL).state == "complete"
    assert corpus(outcome) == whole
    assert list((outcome.run_dir / "quarantine").iterdir()) == []


def test_a_full_disk_during_the_merge_is_resumable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*anything: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(merge, "merge_run", full)
    outcome = run(tmp_path)
    assert (outcome.state, outcome.exit_code) == ("disk full", 3)
    assert "No space left on device; resumable" in outcome.message
    monkeypatch.undo()
    assert run(tmp_path).exit_code == 0


def test_an_interrupted_merge_is_resumable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os
    import signal

    def stopped(*anything: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(merge, "merge_run", stopped)
    outcome = run(tmp_path)
    assert (outcome.state, outcome.exit_code) == ("interrupted", 3)


def test_without_a_server_jobs_run_in_child_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(execution, "server_binary", lambda: None)
    outcome = run(tmp_path, options=Options(workers=1))
    assert outcome.state == "complete"
    assert "running with --executor local" in capsys.readouterr().err


def test_an_outside_broker_that_does_not_answer_is_told_without_its_password(
    tmp_path: Path,
) -> None:
    options = Options(broker="redis://user:secret@127.0.0.1:1/0")
    with pytest.raises(
        RunError, match=r"no broker answers at redis://\*\*\*@127\.0\.0\.1:1/0"
    ) as told:
        run(tmp_path, options=options)
    assert "secret" not in str(told.value)


def test_local_workers_that_cannot_start_end_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(RunError, match=r"die at their start; see .*local\.log"):
        run(tmp_path, options=Options(executor="local", workers=1))


def test_a_store_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="must be a folder"):
        session.run("quickstart", "s3://bucket/runs")


def test_gc_removes_drafts_of_dead_processes_and_waits_for_no_driver(tmp_path: Path) -> None:
    from pipeline import runs
    from workers.disk import HOST

    outcome = run(tmp_path)
    draft = outcome.run_dir / "tmp" / f"3.parquet.999999.1.{HOST}"
    draft.touch()
    assert session.gc(outcome.run_dir) == ["1 unfinished files"]
    assert not draft.exists()
    assert session.gc(outcome.run_dir) == []
    with runs.hold(outcome.run_dir), pytest.raises(RunLocked):
        session.gc(outcome.run_dir)


LIST = "name = 'g'\nkind = 'null'\naction = 'grade'\njob_rows = 10\ninput = 'list.txt'\n"


@pytest.fixture
def unfinished(tmp_path: Path) -> Path:
    """A run that grades a list, one of whose shards is missing."""
    (tmp_path / "list.txt").write_text("".join(f"{number}\n" for number in range(25)))
    outcome = run(tmp_path, LIST)
    shutil.rmtree(outcome.run_dir / "corpus")
    shards.discard_shard(outcome.run_dir, 1)
    return outcome.run_dir


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("change", ["changed", "missing"])
def test_a_run_whose_list_was_changed_is_refused_until_it_is_put_back(
    unfinished: Path, name: str, change: str
) -> None:
    path = unfinished / "input" / name
    before = path.read_bytes()
    path.unlink()
    if change == "changed":
        path.write_bytes(before[::-1] or b"{}\n")
    with pytest.raises(IntegrityError, match=rf"{name}: (has changed|is missing).*put it back"):
        session.resume(unfinished, options=SERIAL)
    assert [str(found.file) for found in run_findings(unfinished)] == [str(path)]
    assert shards.committed_jobs(unfinished).tolist() == [0, 2]
    path.write_bytes(before)
    assert session.resume(unfinished, options=SERIAL).state == "complete"


def test_a_list_that_changes_while_the_run_goes_stops_it_and_costs_no_job(
    unfinished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = unfinished / "input" / "lines.txt"
    before, submit = path.read_bytes(), SerialExecutor.submit

    def spoiled(self: SerialExecutor, job: int, attempt: int) -> None:
        path.write_bytes(before[::-1])
        submit(self, job, attempt)

    with monkeypatch.context() as patch:
        patch.setattr(SerialExecutor, "submit", spoiled)
        with pytest.raises(IntegrityError, match="has changed"):
            session.resume(unfinished, options=SERIAL)
    assert attempts.quarantined_jobs(unfinished) == []
    path.write_bytes(before)
    assert session.resume(unfinished, options=SERIAL).state == "complete"
