"""Run folders: made whole, found again, refused when something differs, held by one driver."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from pipeline import runs
from pipeline.plan import load_plan
from workers.errors import IntegrityError, RunDiffers, RunLocked, UsageError

PLAN = "name = 'p'\nkind = 'null'\nseed = 1\nrows = 30\njob_rows = 10\n"


def create(folder: Path, text: str = PLAN, new_run: bool = False, *overrides: str) -> Path:
    path = folder / "plan.toml"
    path.write_text(text)
    source = runs.PlanSource(str(path), overrides)
    return runs.create_run(folder / "runs", source.plan(), source, new_run)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "runs").iterdir())


def test_a_run_folder_has_a_record_that_matches_its_digest(tmp_path: Path) -> None:
    run_dir = create(tmp_path)
    record = runs.read_record(run_dir)
    assert record.run_id == run_dir.name == f"p-{record.digest[:8]}"
    assert record.facts.digest() == record.digest
    assert record.created["plan"] == str(tmp_path / "plan.toml")
    assert names(tmp_path) == [run_dir.name]  # nothing half made beside it


def test_a_store_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("")
    with pytest.raises(UsageError, match="is no folder"):
        create(tmp_path)


def test_the_same_plan_finds_its_run_again(tmp_path: Path) -> None:
    first = create(tmp_path)
    record = (first / "run.json").read_bytes()
    assert create(tmp_path, PLAN + "# said otherwise\n") == first
    assert (first / "run.json").read_bytes() == record


def test_a_new_run_of_the_same_plan_gets_a_number(tmp_path: Path) -> None:
    first = create(tmp_path)
    second, third = create(tmp_path, new_run=True), create(tmp_path, new_run=True)
    assert [second.name, third.name] == [f"{first.name}-2", f"{first.name}-3"]
    assert runs.read_record(second).digest == runs.read_record(first).digest


def test_an_edited_plan_is_refused_while_its_run_is_unfinished(tmp_path: Path) -> None:
    first = create(tmp_path)
    with pytest.raises(RunDiffers, match=r"seed: 1 -> 2.*puzzlemill resume.*--new-run"):
        create(tmp_path, PLAN.replace("seed = 1", "seed = 2"))
    assert names(tmp_path) == [first.name]
    second = create(tmp_path, PLAN.replace("seed = 1", "seed = 2"), new_run=True)
    assert second != first


def test_an_edited_plan_is_a_new_run_when_the_old_one_is_complete(tmp_path: Path) -> None:
    first = create(tmp_path)
    (first / "corpus").mkdir()
    (first / "corpus" / "_SUCCESS").touch()
    assert create(tmp_path, PLAN.replace("seed = 1", "seed = 2")) != first


def test_plans_whose_names_begin_alike_do_not_meet(tmp_path: Path) -> None:
    create(tmp_path, PLAN.replace("'p'", "'p-quick'"))
    assert create(tmp_path).name.startswith("p-")
    assert len(names(tmp_path)) == 2


def test_resuming_with_an_edited_plan_tells_what_differs(tmp_path: Path) -> None:
    run_dir = create(tmp_path, PLAN, False, "rows=50")
    record = runs.read_record(run_dir)
    runs.check_same(run_dir, record)
    (tmp_path / "plan.toml").write_text(PLAN + "levels = 'levels-1'\n")
    with pytest.raises(RunDiffers, match=r"has changed since: levels") as told:
        runs.check_same(run_dir, record)
    assert told.value.exit_code == 4
    runs.check_same(run_dir, record, as_recorded=True)
    (tmp_path / "plan.toml").write_text("seed =")
    with pytest.raises(RunDiffers, match="not TOML"):
        runs.check_same(run_dir, record)
    (tmp_path / "plan.toml").unlink()
    runs.check_same(run_dir, record)  # the run does not need the file


def test_another_version_of_a_rater_is_refused_whatever_is_asked(tmp_path: Path) -> None:
    run_dir = create(tmp_path)
    record = runs.read_record(run_dir)
    facts = msgspec.structs.replace(record.facts, rater_versions={"basic": 7})
    older = msgspec.structs.replace(record, facts=facts)
    with pytest.raises(
        RunDiffers, match=r"other versions than these: rater_versions\.basic: 7 -> 1"
    ):
        runs.check_same(run_dir, older, as_recorded=True)


def test_a_record_changed_by_hand_is_noticed(tmp_path: Path) -> None:
    run_dir = create(tmp_path)
    path = run_dir / "run.json"
    path.write_text(path.read_text().replace('"rows": 30', '"rows": 31'))
    with pytest.raises(IntegrityError, match="digest"):
        runs.read_record(run_dir)


def test_a_folder_without_a_run_is_told(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(UsageError, match="holds no run"):
            runs.read_record(path)


def test_one_driver_holds_a_run_and_the_next_is_told_which(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from pipeline import runs\n"
        "with runs.hold(Path(sys.argv[1])): pass"
    )
    with runs.hold(tmp_path):
        assert runs.driver_at_work(tmp_path) is not None
        other = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False
        )
        assert f"another driver is at work (process {os.getpid()} on " in other.stderr
        assert "RunLocked" in other.stderr
    assert runs.driver_at_work(tmp_path) is None
    with runs.hold(tmp_path):
        pass


def test_looking_at_a_run_does_not_hold_it(tmp_path: Path) -> None:
    assert runs.driver_at_work(tmp_path) is None
    with runs.hold(tmp_path):
        pass
    assert runs.driver_at_work(tmp_path) is None


def test_a_lock_is_not_inherited_by_children(tmp_path: Path) -> None:
    with runs.hold(tmp_path):
        sleeper = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        with runs.hold(tmp_path):
            pass
    except RunLocked:
        pytest.fail("the child holds the lock")
    finally:
        sleeper.communicate(b"\n")


def test_a_plan_that_grades_needs_a_list(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give it with --input FILE"):
        create(tmp_path, "name = 'g'\nkind = 'null'\naction = 'grade'\n")
    assert names(tmp_path) == []


def test_a_list_is_read_into_the_run_and_its_content_is_in_the_digest(tmp_path: Path) -> None:
    plan = "name = 'g'\nkind = 'null'\naction = 'grade'\ninput = 'list.txt'\n"
    (tmp_path / "list.txt").write_text("12\n34\n")
    first = create(tmp_path, plan)
    assert (first / "input" / "lines.txt").read_text() == "000000012\n000000034\n"
    assert runs.read_record(first).facts.spec.rows == 2
    (tmp_path / "list.txt").write_text("12\n35\n")
    assert create(tmp_path, plan, new_run=True).name != first.name
    assert load_plan(tmp_path / "plan.toml").input == str(tmp_path / "list.txt")


@pytest.mark.parametrize("other", ["# first\n12\n34\n", "12\n34\nx\n"])
def test_the_same_puzzles_on_other_lines_are_another_run(tmp_path: Path, other: str) -> None:
    plan = "name = 'g'\nkind = 'null'\naction = 'grade'\ninput = 'list.txt'\n"
    made = []
    for text in ("12\n34\n", other):
        (tmp_path / "list.txt").write_text(text)
        made.append(create(tmp_path, plan, new_run=bool(made)))
    lines = [(path / "input" / "lines.txt").read_text() for path in made]
    assert lines[0] == lines[1]
    assert runs.read_record(made[0]).digest != runs.read_record(made[1]).digest


def test_half_made_folders_of_dead_processes_are_removed(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    dead, alive, other = (
        tmp_path / "runs" / f".new-{name}-12345678"
        for name in (
            f"{socket.gethostname()}-999999",
            f"{socket.gethostname()}-{os.getpid()}",
            "elsewhere-999999",
        )
    )
    for path in (dead, alive, other):
        path.mkdir()
    create(tmp_path)
    assert [path.exists() for path in (dead, alive, other)] == [False, True, True]
