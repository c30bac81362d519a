"""task: the thesis's own options, its inputs and outputs, and what it says of missing kinds."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pipeline import api
from workers.kinds import registry

LEO = "900104002080060070000000000400000001070000030300000007000000000030070080100209004"
SOLUTION = "957184362281963475643725198496357821875412936312896547729548613534671289168239754"
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
HARD_SOLUTION = "812753649943682175675491283154237896369845721287169534521974368438526917796318452"
SUDOKU = ("task", "--type", "sudoku", "--task")

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def puzzles(tmp_path: Path) -> Path:
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{LEO}\n{HARD}\n")
    return path


def test_the_short_options_of_the_thesis_solve_a_file(
    call: Call, puzzles: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.txt"
    words = ("-t", "sudoku", "-a", "solve", "-m", "brute", "-i", str(puzzles), "-o", str(out))
    assert call("task", *words)[:2] == (0, "")
    assert out.read_text() == f"{SOLUTION}\n{HARD_SOLUTION}\n"


@pytest.mark.parametrize("method", ["brute", "analytic"])
def test_both_methods_give_the_solution(call: Call, method: str) -> None:
    code, out, _ = call(*SUDOKU, "solve", "--method", method, stdin=LEO)
    assert code == 0
    assert ["solution", SOLUTION] in [line.split() for line in out.splitlines()]


def test_brute_is_the_method_when_none_is_named(call: Call) -> None:
    out = call(*SUDOKU, "solve", stdin=LEO)[1]
    assert "iterations   483974" in out.splitlines()


def test_a_json_output_has_all_there_is(call: Call, tmp_path: Path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    assert call(*SUDOKU, "solve", "-m", "analytic", "-o", str(one), stdin=LEO)[0] == 0
    found = json.loads(one.read_text())
    assert (found["level"], found["solution"]) == (2, SOLUTION)
    assert found["steps"][0]["placements"]
    assert call(*SUDOKU, "solve", "-o", str(two), stdin=f"{LEO}\n{HARD}\n")[0] == 0
    assert [row["solution"] for row in json.loads(two.read_text())] == [SOLUTION, HARD_SOLUTION]


def test_a_json_input_is_read(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    path.write_text(json.dumps({"puzzles": [LEO, HARD]}))
    out = tmp_path / "out.csv"
    assert call(*SUDOKU, "solve", "-i", str(path), "-o", str(out))[0] == 0
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert [row["solution"] for row in rows] == [SOLUTION, HARD_SOLUTION]


def test_a_grid_of_nine_rows_is_one_puzzle(call: Call) -> None:
    text = "\n".join(" ".join(LEO[row * 9 : row * 9 + 9]) for row in range(9))
    assert SOLUTION in call(*SUDOKU, "solve", stdin=text)[1]


def test_malformed_puzzles_are_named_and_the_others_solved(call: Call, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    code, _, err = call(*SUDOKU, "solve", "-o", str(out), stdin=f"12\n{LEO}\n")
    assert code == 2
    assert "<stdin>:1:3: a Sudoku has 81 cells, not 2" in err
    assert out.read_text() == f"{SOLUTION}\n"


def test_an_old_output_survives_a_task_that_fails(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text("old")
    code, _, err = call(*SUDOKU, "solve", "-o", str(path), stdin='["nothing"')
    assert code == 2
    assert "<stdin>:1:11: no JSON" in err
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("method", ["opening", "cut"])
def test_generated_puzzles_have_one_solution_and_follow_the_parameters(
    call: Call, method: str, tmp_path: Path
) -> None:
    wanted, out = tmp_path / "wanted.json", tmp_path / "out.parquet"
    wanted.write_text(json.dumps({"count": 3, "seed": 5, "analytic_level": 1}))
    words = ("-m", method, "-i", str(wanted), "-o", str(out))
    assert call(*SUDOKU, "generate", *words)[:2] == (0, "")
    table = pq.read_table(out)
    assert table.column("n_solutions").to_pylist() == [1, 1, 1]
    assert table.column("analytic_level").to_pylist() == [1, 1, 1]
    assert table.column("brute_iterations").null_count == 0


def test_generating_equals_a_plan_with_the_same_seed(call: Call) -> None:
    out = call(*SUDOKU, "generate", "-m", "cut", "-i", "-", stdin="seed = 5\ncount = 2\n")[1]
    same = api.generate(2, seed=5, method="cut", raters=["basic"])
    assert [line.split()[0] for line in out.splitlines()[1:]] == same["puzzle"].tolist()


def test_a_random_seed_is_printed(call: Call) -> None:
    code, out, err = call(*SUDOKU, "generate")
    assert code == 0
    assert err.startswith("seed ")
    seed = int(err.split()[1])
    assert api.generate(1, seed=seed, method="opening", raters=[])["puzzle"][0] in out


@pytest.mark.parametrize("name", ["math", "cryptarithm"])
def test_a_type_without_its_kind_says_what_is_installed(
    call: Call, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "KINDS", {"null": "workers.kinds.null"})
    code, out, err = call("task", "-t", name, "-a", "solve", stdin="1")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "is not installed (installed: null)" in err


def test_a_type_works_as_soon_as_its_kind_is_there(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry.get.cache_clear()
    monkeypatch.setattr(registry, "KINDS", {"cryptarithm": "workers.kinds.null"})
    code, out, _ = call("task", "-t", "cryptarithm", "-a", "solve", stdin="123")
    registry.get.cache_clear()
    assert code == 0
    assert out.splitlines()[0].split() == ["puzzle", "000000123"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-t", "math", "-a", "generate"], "math has no generate, only solve"),
        (["-t", "sudoku", "-a", "solve", "-m", "cut"], "sudoku solve has no 'cut'"),
        (["-t", "sudoku", "-a", "generate", "-m", "brute"], "but opening and cut"),
        (["-t", "sudoku", "-a", "solve", "-q", "x"], "-q: sudoku has no templates"),
        (["-t", "sudoku", "-a", "solve", "-i", "missing.txt"], "missing.txt: no such file"),
        (["-t", "sudoku", "-a", "solve", "-o", "out.doc"], "must end in .json"),
        (["-t", "sudoku", "-a", "dance"], "dance"),
        (["-t", "chess", "-a", "solve"], "chess"),
        (["-t", "sudoku", "-a", "solve"], "missing -i FILE"),
    ],
)
def test_a_wrong_task_is_one_line(
    call: Call, words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = call("task", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"clues": [40, 30]}', "clues"),
        ('{"nonesuch": 1}', "nonesuch: unknown"),
        ("nonesuch\n", "neither JSON nor key = value lines"),
        ("[1]", "parameters are an object"),
        ("count = -1", "count: -1 is no whole number from 1"),
        ('seed = "x"', "seed: 'x' is no whole number from 0"),
        ("count = 0", "count: 0 is no whole number from 1"),
    ],
)
def test_wrong_parameters_are_one_line(call: Call, text: str, said: str) -> None:
    code, out, err = call(*SUDOKU, "generate", "-i", "-", stdin=text)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
