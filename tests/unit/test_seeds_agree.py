"""Every seed method finds the solution of the reference engine, or says where it stopped."""

import numpy as np
import pytest

from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.seeds.analytic import analytic_batch
from workers.engines.sudoku.seeds.brute import brute_batch
from workers.engines.sudoku.seeds.human_path import human_path_batch
from workers.engines.sudoku.seeds.models import fill_models
from workers.engines.sudoku.seeds.outcome import BUDGET_OUT, CONTRADICTION, SOLVED, STOPPED
from workers.engines.sudoku.text import parse_text

UNIQUE_LISTS = (
    "17_clue_49158.txt",
    "top1465.txt",
    "top95.txt",
    "norvig_hardest.txt",
    "forum_hardest_1106.txt",
    "forum_hardest_1905_11plus.txt",
    "qqwing_simple_1000.txt",
    "qqwing_easy_1000.txt",
    "qqwing_intermediate_1000.txt",
    "qqwing_expert_1000.txt",
    "kaggle_sample.txt",
)
FIRST = 200


@pytest.fixture(scope="module", params=UNIQUE_LISTS)
def solved(request, shared_data):
    """The first puzzles of a list that have one solution, and their solutions."""
    with (shared_data / request.param).open(encoding="ascii") as file:
        puzzles = np.array([parse_text(line[:81]) for line in list(file)[:FIRST]])
    found = solve_batch(puzzles)
    unique = found.counts == 1
    assert unique.sum() > 10
    return puzzles[unique], found.solutions[unique]


def assert_honest(status: np.ndarray, grids: np.ndarray, solutions: np.ndarray) -> None:
    done = status == SOLVED
    assert (grids[done] == solutions[done]).all()
    assert not (status == CONTRADICTION).any()
    assert ((grids[~done] == 0).any(axis=1)).all()


def test_brute_force(solved):
    puzzles, solutions = solved
    found = brute_batch(puzzles, 300_000)
    assert_honest(found.status, found.grids, solutions)
    assert ((found.status == BUDGET_OUT) == found.censored).all()
    assert not (found.status == STOPPED).any()


@pytest.mark.parametrize("level", [0, 1, 2])
def test_analytic_levels(solved, level):
    puzzles, solutions = solved
    found = analytic_batch(puzzles, level)
    assert_honest(found.status, found.grids, solutions)
    filled = found.grids > 0
    assert (found.grids[filled] == solutions[filled]).all()


def test_analytic_level_three_solves_what_level_two_does_not(solved):
    puzzles, solutions = solved
    found = analytic_batch(puzzles[:60])
    assert_honest(found.status, found.grids, solutions[:60])
    assert (found.status != STOPPED).mean() > 0.9


def test_human_path(solved):
    puzzles, solutions = solved
    found = human_path_batch(puzzles, last=10)
    assert_honest(found.status, found.grids, solutions)
    filled = found.grids > 0
    assert (found.grids[filled] == solutions[filled]).all()
    guessed = human_path_batch(puzzles[:60])
    assert (guessed.status == SOLVED).all()
    assert (guessed.grids == solutions[:60]).all()


def test_models(solved):
    puzzles, solutions = solved
    for puzzle, solution in zip(puzzles[:30], solutions[:30], strict=True):
        found = fill_models(puzzle)
        filled = found.grid > 0
        assert (found.grid[filled] == solution[filled]).all()
