"""solve and generate by the documents' methods, on the command line."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline import api
from workers.jobs import job_seed

LEO = "900104002080060070000000000400000001070000030300000007000000000030070080100209004"
SOLUTION = "957184362281963475643725198496357821875412936312896547729548613534671289168239754"
NEAR = "000000000000003085001020000000507000004000100090000000500000073002010000000040009"
FRENCH = "080400000007010600500003040300002500001070000000500009005300007020008030000060900"
METHODS = ("brute", "backtrack", "analytic", "human-path")

Call = Callable[..., tuple[int, str, str]]


def solved(call: Call, text: str, *words: str) -> dict:
    code, out, _ = call("solve", text, *words, "--json")
    assert code == 0
    return json.loads(out)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_the_solution(call: Call, method: str) -> None:
    row = solved(call, LEO, "--method", method)
    assert (row["method"], row["solution"], row["status"]) == (method, SOLUTION, "solved")
    assert row["steps"]


def test_brute_force_counts_as_the_documents_do(call: Call) -> None:
    row = solved(call, LEO, "--method", "brute")
    assert (row["iterations"], row["digit_tests"]) == (483_974, 4_355_517)
    assert row["censored"] is False


def test_a_budget_marks_the_counts_as_censored(call: Call) -> None:
    row = solved(call, LEO, "--method", "brute", "--budget", "1000")
    assert (row["iterations"], row["censored"], row["solution"]) == (1000, True, None)
    assert row["status"] == "budget out"


def test_a_depth_limit_stops_brute_force(call: Call) -> None:
    row = solved(call, LEO, "--method", "backtrack", "--max-depth", "9")
    assert (row["status"], row["filled"]) == ("stopped", 29)


@pytest.mark.parametrize(("level", "filled"), [("0", 30), ("1", 30), ("2", 81), ("3", 81)])
def test_the_analytic_level_is_limited(call: Call, level: str, filled: int) -> None:
    row = solved(call, LEO, "--method", "analytic", "--max-level", level)
    assert row["filled"] == filled
    assert row["level"] == (2 if filled == 81 else None)


def test_models_fill_once_or_until_nothing_changes(call: Call) -> None:
    grid = SOLUTION
    for place in (0, 10, 9):  # r1c1, r2c2, r2c1: row 2 lacks two digits until column 1 gives one
        grid = grid[:place] + "." + grid[place + 1 :]
    by = ("--method", "models", "--by", "rows", "--by", "columns")
    assert solved(call, grid, *by)["filled"] == 81
    assert solved(call, grid, *by, "--until-stable")["filled"] == 81
    assert solved(call, grid, *by, "--once")["filled"] < 81
    assert solved(call, grid, "--method", "models", "--by", "boxes")["filled"] < 81


def test_the_french_grid_needs_a_guess(call: Call) -> None:
    row = solved(call, FRENCH, "--method", "human-path")
    assert row["guesses"] >= 1
    assert row["hardest_method"] == "guess"
    stuck = solved(call, FRENCH, "--method", "human-path", "--last", "10")
    assert (stuck["status"], stuck["solution"]) == ("stopped", None)


def test_a_person_sees_counts_in_words_and_no_list_of_steps(call: Call) -> None:
    code, out, _ = call("solve", LEO, "--method", "analytic")
    assert code == 0
    facts = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert facts["counts"].startswith("last_free_cell 7, hidden_single 52")
    assert "steps" not in facts


def test_a_list_shows_how_far_each_puzzle_came(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text(f"{LEO}\n{NEAR}\n")
    code, out, _ = call("solve", str(path), "--method", "analytic", "--max-level", "1")
    lines = out.splitlines()
    assert code == 0
    assert lines[0].split()[:3] == ["puzzle", "n_solutions", "solution"]
    assert lines[1].split()[3:5] == ["stopped", "30"]
    assert lines[2].split()[3:6] == ["solved", "81", "0"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--method", "nonesuch"], "'nonesuch' is not one of search, brute, "),
        (["--method", "brute", "--max-level", "2"], "max_level: no option of method brute"),
        (["--max-level", "2"], "max_level: no option of method search"),
        (["--method", "analytic", "--max-level", "4"], "max_level"),
        (["--method", "analytic", "--all"], "method: analytic finds one solution at most"),
        (["--method", "models", "--by", "diagonals"], "'rows', 'columns', 'boxes'"),
        (["--method", "brute", "--budget", "0"], "--budget"),
    ],
)
def test_a_wrong_option_is_one_line(call: Call, words: list[str], said: str) -> None:
    code, out, err = call("solve", LEO, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_the_api_takes_the_same_options() -> None:
    assert api.solve(LEO, method="analytic", max_level=1)["filled"] == 30
    assert api.explain(LEO, scheme="models", by="boxes", until_stable=False) == []


# generate


@pytest.mark.parametrize("method", ["opening", "cut"])
def test_generated_puzzles_are_as_wanted(call: Call, method: str) -> None:
    words = ("--method", method, "--level", "1", "--iterations", "100..50000", "--seed", "7")
    raters = ("--raters", "brute,analytic", "--json")
    code, out, _ = call("generate", *words, "--count", "3", *raters)
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [row["n_solutions"] for row in rows] == [1, 1, 1]
    assert {row["analytic_level"] for row in rows} == {1}
    assert all(100 <= row["brute_iterations"] <= 50_000 for row in rows)
    assert call("generate", *words, "--count", "3", *raters)[1] == out


@pytest.mark.parametrize(
    ("method", "clues", "least", "most"),
    [("cut", "30", 30, 30), ("opening", "34..38", 34, 38), ("opening", "36", 36, 81)],
)
def test_the_number_of_clues_is_kept_or_opened_further(
    call: Call, method: str, clues: str, least: int, most: int
) -> None:
    words = ("--seed", "3", "--count", "4", "--csv", "--raters", "basic")
    out = call("generate", "--method", method, "--clues", clues, *words)[1]
    found = list(csv.DictReader(io.StringIO(out)))
    assert all(least <= int(row["clues"]) <= most for row in found)
    assert {row["n_solutions"] for row in found} == {"1"}


def test_a_path_leads_from_the_full_grid_to_the_puzzle(call: Call) -> None:
    words = ("--method", "cut", "--seed", "9", "--count", "2")
    rows = list(csv.DictReader(io.StringIO(call("generate", *words, "--path", "--csv")[1])))
    puzzles = call("generate", *words, "--raters", "basic", "--csv")[1]
    made = [row["puzzle"] for row in csv.DictReader(io.StringIO(puzzles))]
    for number, puzzle in enumerate(made):
        path = [row for row in rows if row["number"] == str(number)]
        assert [int(row["removal"]) for row in path] == list(range(1, len(path) + 1))
        assert [int(row["clues"]) for row in path] == list(range(80, 80 - len(path), -1))
        assert path[-1]["puzzle"] == puzzle
        grades = api.solve(puzzle, method="brute"), api.solve(puzzle, method="analytic")
        assert int(path[-1]["iterations"]) == grades[0]["iterations"]
        assert int(path[-1]["analytic_level"]) == grades[1]["level"]


def test_numbers_of_a_path_go_on_over_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "JOB_ROWS", 2)
    kind = api.find_kind("sudoku", [])
    params = api.checked_params(kind, {"method": "cut", "clues": [70, 81]})
    batches = list(api.cut_paths(kind, 3, 1, params))
    assert [sorted({row["number"] for row in rows}) for rows in batches] == [[0, 1], [2]]
    assert batches[1] == [{**row, "number": 2} for row in kind.cut_path(job_seed(1, 1), params, 1)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--path"], "removal has no path"),
        (["--path", "--method", "cut", "--raters", "basic"], "--path excludes"),
        (["--level", "1"], "analytic_level: cannot be ordered with method removal"),
        (["--clues", "many"], "'many' is neither A..B nor a number"),
        (["--clues", "40..30"], "clues: 40 is more than 30"),
        (["--clues", "30", "--set", "clues=[20, 25]"], "clues is given twice"),
        (["--method", "magic"], "magic"),
        (["--kind", "null", "--path"], "null: this kind has no path of removals"),
        (["--kind", "null", "--level", "1"], "analytic_level: unknown"),
    ],
)
def test_a_wrong_order_is_one_line(call: Call, words: list[str], said: str) -> None:
    code, out, err = call("generate", "--seed", "1", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
