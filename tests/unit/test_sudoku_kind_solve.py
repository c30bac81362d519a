"""Solving a Sudoku by each method: the documents' figures, what is known, where it stops."""

import numpy as np
import pytest

from workers.errors import BudgetError, ParamsError
from workers.kinds.sudoku import HARD, KIND

LEO = "900104002080060070000000000400000001070000030300000007000000000030070080100209004"
LEO_SOLVED = "957184362281963475643725198496357821875412936312896547729548613534671289168239754"
NEAR_WORST = "000000000000003085001020000000507000004000100090000000500000073002010000000040009"
NEAR_WORST_SOLVED = (
    "987654321246173985351928746128537694634892157795461832519286473472319568863745219"
)
FRENCH = "080400000007010600500003040300002500001070000000500009005300007020008030000060900"
ARTICLE_SOLVED = "812753649943682175675491283154237896369845721287169534521974368438526917796318452"
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
COMMON = ("puzzle", "n_solutions", "solution", "method", "iterations", "digit_tests", "nodes",
          "level", "steps")  # fmt: skip
FILLING = ("analytic", "models", "human-path")


def solve(text, method, limit=2, **options):
    return KIND.solve(text, method, limit, options)


def written(row):
    """The grid that the steps of a row lead to, without boards and without guesses."""
    cells = {name: digit for step in row["steps"] for name, digit in step["placements"]}
    signs = list(row["puzzle"])
    for name, digit in cells.items():
        signs[9 * int(name[1]) + int(name[3]) - 10] = str(digit)
    return "".join(signs)


@pytest.mark.parametrize("method", KIND.methods)
def test_every_method_has_the_common_keys_in_one_order(method):
    row = solve(EASY, method)
    assert tuple(row)[: len(COMMON)] == COMMON
    assert row["n_solutions"] == 1
    assert row["nodes"] == solve(EASY, "search")["nodes"]


@pytest.mark.parametrize("method", ["brute", "backtrack"])
@pytest.mark.parametrize(
    ("text", "solution", "iterations", "digit_tests"),
    [
        (LEO, LEO_SOLVED, 483_974, 4_355_517),
        (NEAR_WORST, NEAR_WORST_SOLVED, 69_175_317, 622_577_597),
        (HARD, ARTICLE_SOLVED, 49_559, 445_778),
        (FRENCH, None, 27_718, 249_223),
    ],
)
def test_brute_force_has_the_documents_counts(method, text, solution, iterations, digit_tests):
    row = solve(text, method)
    assert row["solution"] == (solution or solve(text, "search")["solution"]) == row["grid"]
    assert (row["iterations"], row["digit_tests"]) == (iterations, digit_tests)
    assert (row["status"], row["censored"]) == ("solved", False)
    assert written(row) == row["grid"]


def test_counts_that_a_budget_cut_off_are_censored_and_the_furthest_grid_is_given():
    row = solve(LEO, "brute", budget=100_000)
    assert (row["status"], row["censored"], row["solution"]) == ("budget out", True, None)
    assert row["iterations"] == 100_000
    assert row["n_solutions"] == 1
    assert 20 < row["filled"] == 81 - row["grid"].count(".") < 81


def test_a_depth_limit_stops_brute_force_honestly():
    row = solve(EASY, "brute", max_depth=10)
    assert (row["status"], row["censored"], row["filled"]) == ("stopped", False, 40)


def test_the_limit_tells_the_first_solution_from_all():
    several = EASY[:66].ljust(81, ".")
    first = solve(several, "brute", limit=1)
    every = solve(several, "brute", limit=10_000)
    reference = solve(several, "search", limit=10_000)
    assert (first["n_solutions"], solve(several, "brute")["n_solutions"]) == (1, 2)
    assert first["solution"] == every["solution"] == min(reference["solutions"])
    assert every["solutions"] == sorted(reference["solutions"])
    assert every["n_solutions"] == len(every["solutions"]) > 2
    assert every["iterations"] == first["iterations"] < every["iterations_total"]
    assert every["digit_tests"] == first["digit_tests"] < every["digit_tests_total"]
    with pytest.raises(ParamsError, match="limit"):
        solve(EASY, "search", limit=0)


@pytest.mark.parametrize("method", FILLING)
def test_all_solutions_are_not_asked_of_methods_that_find_one(method):
    with pytest.raises(ParamsError, match="one solution at most"):
        solve(EASY, method, limit=3)


def test_the_reference_search_gives_up_with_an_error_and_leaves_others_their_answer(monkeypatch):
    with pytest.raises(BudgetError, match="given up"):
        solve(FRENCH, "search", budget=5)
    from workers.kinds import sudoku_solve

    real = sudoku_solve.solve_batch
    monkeypatch.setattr(sudoku_solve, "solve_batch", lambda p, limit: real(p, limit, budget=5))
    row = solve(FRENCH, "human-path")
    assert row["n_solutions"] is None
    assert row["status"] == "solved"


@pytest.mark.parametrize(
    ("text", "max_level", "status", "level", "filled"),
    [
        (NEAR_WORST, 3, "solved", 0, 81),
        (NEAR_WORST, 0, "solved", 0, 81),
        (LEO, 0, "stopped", None, 30),
        (LEO, 1, "stopped", None, 30),
        (LEO, 2, "solved", 2, 81),
        (LEO, 3, "solved", 2, 81),
        (FRENCH, 2, "stopped", None, 25),
        (FRENCH, 3, "solved", 3, 81),
    ],
)
def test_analytic_levels_of_the_documents_grids(text, max_level, status, level, filled):
    row = solve(text, "analytic", max_level=max_level)
    assert (row["status"], row["level"], row["filled"]) == (status, level, filled)
    assert (row["solution"] is None) == (status == "stopped")
    assert written(row) == row["grid"]
    placed = ("last_free_cell", "hidden_single", "naked_single")
    assert sum(row["counts"][name] for name in placed) == filled - 81 + text.count("0")
    assert (row["suppositions"] > 0) == (max_level >= 2 and level != 0)


def test_the_depth_of_suppositions_is_adjustable():
    assert solve(LEO, "analytic", max_depth=0)["status"] == "stopped"
    assert solve(LEO, "analytic", max_depth=1)["level"] == 2
    assert solve(FRENCH, "analytic", max_depth=1)["status"] == "stopped"
    row = solve(FRENCH, "analytic", budget=50)
    assert (row["status"], row["suppositions"], row["level"]) == ("budget out", 50, None)


def test_models_report_every_unit_they_fill():
    text = LEO_SOLVED[:8] + "." + LEO_SOLVED[9:72] + "." + LEO_SOLVED[73:]
    row = solve(text, "models", by="rows")
    assert (row["status"], row["solution"]) == ("solved", LEO_SOLVED)
    assert [step["units"] for step in row["steps"]] == [["row 1"], ["row 9"]]
    assert row["counts"] == {"row_model": 2, "column_model": 0, "box_model": 0}
    assert solve(LEO, "models")["steps"] == []


def test_models_once_stop_where_models_until_stable_go_on():
    gaps = {0, 1, 9}  # row 2 and column 2 lack one digit, row 1 and column 1 two
    text = "".join("." if cell in gaps else sign for cell, sign in enumerate(LEO_SOLVED))
    once = solve(text, "models", by=["rows", "columns"], until_stable=False)
    assert (once["status"], once["filled"]) == ("stopped", 80)
    assert solve(text, "models", by=["rows", "columns"])["solution"] == LEO_SOLVED
    rows = solve(text, "models", by=["rows"])
    assert (rows["status"], rows["filled"]) == ("stopped", 79)


def test_the_french_grid_needs_a_guess():
    row = solve(FRENCH, "human-path")
    assert (row["status"], row["hardest"], row["hardest_method"]) == ("solved", 11, "guess")
    assert row["guesses"] == row["counts"]["guess"] >= 1
    stopped = solve(FRENCH, "human-path", last=10)
    assert (stopped["status"], stopped["solution"]) == ("stopped", None)
    assert stopped["hardest"] < 11
    assert solve(FRENCH, "human-path", max_depth=0)["grid"] == stopped["grid"]


def test_the_effort_is_the_sum_of_the_levels_of_all_calls_and_five_a_guess():
    levels = (0, 0, 1, 2, 3, 5, 5, 10, 15, 20, 20, 0)
    for text in (EASY, LEO, FRENCH, HARD):
        row = solve(text, "human-path")
        calls = np.array(list(row["calls"].values()))
        assert row["score"] == calls @ levels + 5 * row["guesses"]
        assert row["hardest"] == max(np.flatnonzero(list(row["counts"].values())))


def test_a_budget_of_method_calls_ends_the_human_path():
    row = solve(FRENCH, "human-path", budget=30)
    assert (row["status"], row["solution"]) == ("budget out", None)
    assert sum(row["calls"].values()) == 30


@pytest.mark.parametrize("method", ["brute", "backtrack", *FILLING])
@pytest.mark.parametrize("text", ["11".ljust(81, "."), "12345678.........9".ljust(81, ".")])
def test_a_puzzle_without_solution_is_called_a_contradiction(method, text):
    row = solve(text, method)
    assert (row["status"], row["solution"], row["n_solutions"]) == ("contradiction", None, 0)
    assert row["grid"] == text


def test_reasoning_does_not_solve_what_has_several_solutions_by_luck():
    several = EASY[:66].ljust(81, ".")
    for method in ("analytic", "models"):
        row = solve(several, method)
        assert (row["n_solutions"], row["status"], row["solution"]) == (2, "stopped", None)
    assert solve(several, "human-path", last=10)["status"] == "stopped"
    guessed = solve(several, "human-path")
    assert (guessed["n_solutions"], guessed["status"]) == (2, "solved")
    assert guessed["solution"] in solve(several, "search", limit=10_000)["solutions"]
