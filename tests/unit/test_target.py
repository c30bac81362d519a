"""Targets: which rows pass, what walks make for, and runs that end when enough rows passed."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from pipeline import api, cli, session
from pipeline.corpus.manifest import read_manifest
from pipeline.corpus.quotas import QuotaCounter
from pipeline.levels import load_levels
from pipeline.plan import load_plan, run_facts
from pipeline.target import Target, goals
from pipeline.target_search import TargetSearch
from workers.errors import ConfigError
from workers.kinds import registry

LEVELS = load_levels("levels-1")
SCHEMA = pa.schema(
    [
        ("clues", pa.int8()),
        ("er", pa.float64()),
        ("hodoku_level", pa.string()),
        ("n_solutions", pa.int8()),
        ("minimal", pa.bool_()),
    ]
)
PLAN = """
name = "many"
kind = "null"
seed = 1
rows = 20
job_rows = 10
max_jobs = {jobs}
target = "solution >= 50"
"""


def rows(levels: list[str]) -> pa.Table:
    count = len(levels)
    return pa.table(
        {
            "key": pa.array([bytes([i]) * 16 for i in range(count)], pa.binary(16)),
            "puzzle": [str(i) for i in range(count)],
            "clues": np.arange(20, 20 + count, dtype=np.int8),
            "hodoku_level": levels,
            "n_solutions": np.ones(count, np.int8),
        }
    )


def aimed(text: str) -> dict[str, Any]:
    return goals(Target(text, SCHEMA, LEVELS), SCHEMA, LEVELS)


def run(folder: Path, plan: str, name: str = "plan") -> session.Outcome:
    path = folder / f"{name}.toml"
    path.write_text(plan)
    options = session.Options(executor="serial")
    return session.run(str(path), folder / "runs", options=options)


def test_rows_count_when_they_pass_the_target_and_only_as_many_as_wanted() -> None:
    table = rows(["easy", "hard", "hard", "medium", "hard"])
    target = Target("level = hard and clues < 24", table.schema, LEVELS)
    counter = QuotaCounter({}, LEVELS, "canonical", target, 2)
    taken = counter.feed(0, table.slice(0, 2))
    assert taken.kept.tolist() == [False, True]
    assert (counter.filled, counter.unfilled()) == (False, {"target": 1})
    taken = counter.feed(1, table.slice(2))
    assert taken.kept.tolist() == [True, False, False]
    assert counter.filled
    assert (counter.rows, counter.kept, counter.missed, counter.surplus) == (5, 2, 3, 0)
    assert counter.found["target"] == counter.found["hard"] == 2


def test_quotas_count_rows_that_pass_the_target() -> None:
    table = rows(["easy", "hard", "easy", "easy"])
    target = Target("clues > 20", table.schema, LEVELS)
    counter = QuotaCounter({"easy": 1}, LEVELS, "canonical", target)
    assert counter.feed(0, table).kept.tolist() == [False, False, True, False]
    assert (counter.missed, counter.surplus) == (1, 2)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("clues in 20..22", {"clues": {"least": 20, "most": 22}}),
        ("clues > 20 and clues < 25", {"clues": {"least": 21, "most": 24}}),
        ("clues >= 20 and 22 <= clues", {"clues": {"least": 22}}),
        ("er = 4.5", {"er": {"least": 4.5, "most": 4.5}}),
        ("er > 4.5", {"er": {"least": np.nextafter(4.5, 5)}}),
        ("hodoku_level in (easy, hard)", {"hodoku_level": {"among": ["easy", "hard"]}}),
        ("level = expert", {"hodoku_level": {"among": ["unfair"]}}),
        ("minimal and clues <= 22", {"minimal": {"among": [True]}, "clues": {"most": 22}}),
    ],
)
def test_tests_joined_by_and_are_goals(text: str, expected: dict[str, Any]) -> None:
    assert aimed(text) == expected


@pytest.mark.parametrize("text", ["clues < 20 or er > 7", "not minimal", "er is null"])
def test_other_targets_give_a_walk_no_direction(text: str) -> None:
    with pytest.raises(ConfigError, match="no direction"):
        aimed(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [("cluse > 3", "did you mean 'clues'"), ("level = hrad", "no level 'hrad'"), ("er >", "end")],
)
def test_a_wrong_target_is_refused(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        Target(text, SCHEMA, LEVELS)


def test_a_run_ends_when_enough_rows_passed(tmp_path: Path) -> None:
    outcome = run(tmp_path, PLAN.format(jobs=50))
    assert outcome.exit_code == 0
    found = api.open_corpus(outcome.run_dir).read()
    assert found.num_rows == 20
    assert min(found.column("solution").to_pylist()) >= 50
    manifest = read_manifest(outcome.run_dir / "corpus")
    assert manifest.quotas is not None
    assert manifest.quotas.wanted == {"target": 20}
    share = manifest.quotas.found["target"] / manifest.rows.read
    assert manifest.acceptance["target"] == round(share, 9)
    assert manifest.jobs < 50
    assert manifest.rows.missed > 0


def test_a_target_that_is_not_reached_is_not_relaxed(tmp_path: Path) -> None:
    outcome = run(tmp_path, PLAN.format(jobs=3))
    assert (outcome.state, outcome.exit_code) == ("quota short", 3)
    assert "target by" in outcome.message
    manifest = read_manifest(outcome.run_dir / "corpus")
    assert not manifest.complete
    assert 0 < manifest.rows.unique < 20


def test_the_target_is_part_of_what_a_run_is(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN.format(jobs=9))
    facts = run_facts(load_plan(path))
    assert (facts.target, facts.target_rows, facts.spec.rows) == ("solution >= 50", 20, 90)
    other = run_facts(load_plan(path, ['target="solution >= 51"']))
    assert facts.digest() != other.digest()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("max_jobs = 3\n", "max_jobs: required with quotas or a target"),
        ("rows = 20\n", r"rows: required \(or quotas\)"),
        ("solution >= 50", "target: no column"),
    ],
)
def test_a_plan_with_half_a_target_is_refused(tmp_path: Path, change: str, said: str) -> None:
    path = tmp_path / "plan.toml"
    new = "solutoin >= 50" if ">" in change else ""
    path.write_text(PLAN.format(jobs=3).replace(change, new))
    with pytest.raises(ConfigError, match=said):
        run_facts(load_plan(path))


def test_walks_get_their_goals_from_the_target(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    text = PLAN.format(jobs=3).replace("null", "sudoku").replace("solution >= 50", "clues <= 21")
    path.write_text(text + 'params = {method = "vicinity"}\n')
    assert run_facts(load_plan(path)).spec.params["goals"] == {"clues": {"most": 21}}
    path.write_text(text + 'params = {method = "vicinity", goals = {clues = {most = 20}}}\n')
    assert run_facts(load_plan(path)).spec.params["goals"] == {"clues": {"most": 20}}


def test_generate_writes_what_passed_and_says_how_many_did(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["generate", "--kind", "null", "--seed", "4", "--target", "solution > 55", "--json"]
    assert cli.run([*words, "--count", "5"]) == 0
    said = capsys.readouterr()
    found = [json.loads(line)["solution"] for line in said.out.splitlines()]
    assert len(found) == 5
    assert min(found) > 55
    assert "5 of " in said.err
    assert cli.run([*words, "--count", "50", "--tries", "100"]) == 3
    said = capsys.readouterr()
    assert 0 < len(said.out.splitlines()) < 50
    assert "target not filled" in said.err
    assert "of 100 puzzles tried" in said.err
    path = tmp_path / "none.parquet"
    assert cli.run([*words[:-1], "--tries", "1", "-o", str(path)]) == 3
    assert path.exists()


def test_rows_that_pass_do_not_depend_on_how_many_are_wanted() -> None:
    kind = registry.get("null")

    def found(count: int) -> list[str]:
        search = TargetSearch("solution > 50", kind, ("basic",))
        tables = api.aimed(search, kind, count, 3, kind.params_type())
        return [text for table in tables for text in table.column("puzzle").to_pylist()]

    assert found(30)[:4] == found(4)


def test_python_is_warned_when_tries_run_out() -> None:
    with pytest.warns(UserWarning, match="passed the target"):
        frame = api.generate(50, 3, "null", target="solution > 60", tries=40)
    assert len(frame) < 50
