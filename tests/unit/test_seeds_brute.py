"""Brute force: what is counted at the edges, budgets, depth limits, slices."""

import numpy as np
import pytest

from workers.engines.sudoku.seeds.brute import (
    CALLS,
    RUNNING,
    advance,
    begin,
    brute_batch,
    digit_tests,
    new_search,
)
from workers.engines.sudoku.seeds.outcome import BUDGET_OUT, CONTRADICTION, SOLVED, STOPPED
from workers.engines.sudoku.seeds.trace import trace_search
from workers.engines.sudoku.text import parse_text

pytestmark = pytest.mark.nojit

SOLUTION = parse_text(
    "957184362281963475643725198496357821875412936312896547729548613534671289168239754"
)
LEO = parse_text(
    "900104002080060070000000000400000001070000030300000007000000000030070080100209004"
)


def without(cells: list[int]) -> np.ndarray:
    puzzle = SOLUTION.copy()
    puzzle[cells] = 0
    return puzzle


def test_a_full_grid_takes_the_one_call_that_finds_no_empty_cell():
    found = brute_batch(SOLUTION)
    assert (found.iterations[0], found.digit_tests[0], found.status[0]) == (1, 0, SOLVED)


def test_one_empty_cell_takes_two_calls_and_tests_up_to_its_digit():
    found = brute_batch(without([4]))  # its digit is 8
    assert (found.iterations[0], found.digit_tests[0]) == (2, 8)


def test_conflicting_clues_are_a_contradiction_without_a_call():
    puzzle = np.zeros(81, dtype=np.uint8)
    puzzle[[0, 8]] = 5
    found = brute_batch(puzzle)
    assert (found.iterations[0], found.status[0]) == (0, CONTRADICTION)
    assert trace_search(puzzle).status == CONTRADICTION


def test_a_puzzle_without_solution_is_searched_to_the_end():
    puzzle = without([0, 1])
    puzzle[80] = 0
    puzzle[8] = 9  # r1c1 is 9 in the only solution of the rest
    puzzle[35] = 0
    found = brute_batch(puzzle)
    assert found.status[0] == CONTRADICTION
    assert found.digit_tests[0] == 9 * found.iterations[0]
    assert not found.censored[0]


@pytest.mark.parametrize("budget", [1, 2, 9, 10, 500])
def test_a_search_cut_off_by_its_budget_is_censored_and_says_what_it_counted(budget):
    found = brute_batch(LEO, budget)
    assert (found.iterations[0], found.status[0]) == (budget, BUDGET_OUT)
    assert found.censored[0]
    assert 9 * (budget - 81) <= found.digit_tests[0] <= 9 * budget


def test_a_budget_of_exactly_the_calls_needed_is_enough():
    puzzle = without(list(range(40)))
    needed = int(brute_batch(puzzle).iterations[0])
    assert not brute_batch(puzzle, needed).censored[0]
    assert brute_batch(puzzle, needed - 1).censored[0]


def test_a_search_that_may_not_go_deep_enough_stops_at_the_fullest_grid():
    found = brute_batch(without([0, 1, 2, 3]), max_depth=2)
    assert found.status[0] == STOPPED
    assert (found.grids[0] == without([2, 3])).all()
    assert brute_batch(LEO, max_depth=0).iterations[0] == 1


def test_a_censored_search_returns_the_fullest_grid_it_reached():
    found = brute_batch(LEO, 1000)
    clues = LEO > 0
    assert (found.grids[0][clues] == LEO[clues]).all()
    assert (found.grids[0] > 0).sum() > 50


def test_a_search_goes_on_where_it_was_stopped():
    puzzle = without(list(range(38)))
    whole = brute_batch(puzzle)
    search = new_search()
    begin(search, puzzle, 81)
    until, status = 1, RUNNING
    while status == RUNNING:
        status = advance(search, until)
        until += 7
    assert status == SOLVED
    assert search.scalar[CALLS] == whole.iterations[0]
    assert digit_tests(search) == whole.digit_tests[0]


def test_puzzles_of_a_batch_do_not_influence_each_other():
    puzzles = np.array([without(list(range(first, first + 30))) for first in range(0, 50, 10)])
    together = brute_batch(puzzles)
    for row, puzzle in enumerate(puzzles):
        alone = brute_batch(puzzle)
        assert together.iterations[row] == alone.iterations[0]
        assert (together.grids[row] == alone.grids[0]).all()


def test_an_empty_batch_is_no_mistake():
    assert len(brute_batch(np.zeros((0, 81), dtype=np.uint8)).iterations) == 0
