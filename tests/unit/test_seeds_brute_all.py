"""Brute force beyond the first solution: counts, order, limits."""

import itertools

import numpy as np
import pytest

from workers.engines.sudoku.search import all_solutions
from workers.engines.sudoku.seeds.brute import brute_batch
from workers.engines.sudoku.seeds.brute_all import brute_solutions
from workers.engines.sudoku.seeds.outcome import BUDGET_OUT, CONTRADICTION, SOLVED, STOPPED
from workers.engines.sudoku.text import parse_text

EASY = parse_text(
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
)
FULL = parse_text(
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
)


def opened(cells: list[int]) -> np.ndarray:
    return np.where(np.isin(np.arange(81), cells), 0, FULL).astype(np.uint8)


def slow_counts(puzzle: np.ndarray, limit: int) -> tuple[int, int, list[bytes]]:
    """Calls and digit tests of a plain recursive search until its `limit`-th solution."""
    grid = puzzle.astype(int).reshape(9, 9)
    calls = tests = 0
    found: list[bytes] = []

    def fits(row: int, column: int, digit: int) -> bool:
        box = grid[row // 3 * 3 : row // 3 * 3 + 3, column // 3 * 3 : column // 3 * 3 + 3]
        return digit not in grid[row] and digit not in grid[:, column] and digit not in box

    def call() -> bool:
        nonlocal calls, tests
        calls += 1
        for row, column in itertools.product(range(9), range(9)):
            if grid[row, column] == 0:
                for digit in range(1, 10):
                    tests += 1
                    if fits(row, column, digit):
                        grid[row, column] = digit
                        if call():
                            return True
                        grid[row, column] = 0
                return False
        found.append(grid.astype(np.uint8).tobytes())
        return len(found) == limit

    call()
    return calls, tests, found


@pytest.mark.nojit
@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_counts_and_order_are_those_of_a_plain_recursive_search(limit):
    puzzle = opened([0, 1, 2, 9, 10, 11, 30, 31, 32, 48, 49, 50, 57, 58, 59])
    found = brute_solutions(puzzle, limit)
    calls, tests, grids = slow_counts(puzzle, limit)
    assert found.total == (calls, tests)
    assert [grid.tobytes() for grid in found.solutions] == grids
    assert found.status == (SOLVED if len(grids) == limit else STOPPED)
    assert found.grid.tobytes() == grids[0]


def test_the_first_solution_has_the_counts_of_the_batch():
    several = EASY.copy()
    several[60:] = 0
    for puzzle in (EASY, several):
        batch = brute_batch(puzzle)
        for limit in (1, 7):
            found = brute_solutions(puzzle, limit)
            assert found.first == (batch.iterations[0], batch.digit_tests[0])
            assert (found.grid == batch.grids[0]).all()


def test_all_solutions_are_those_of_the_reference_search():
    puzzle = EASY.copy()
    puzzle[62:] = 0
    expected = all_solutions(puzzle, 1000)
    found = brute_solutions(puzzle, 1000)
    assert len(found.solutions) == len(expected) > 10
    assert {grid.tobytes() for grid in found.solutions} == {grid.tobytes() for grid in expected}
    assert found.status == STOPPED


@pytest.mark.nojit
def test_how_it_ends_without_a_solution():
    twice = brute_solutions(parse_text("11".ljust(81, ".")), 2)
    assert (twice.status, twice.total, len(twice.solutions)) == (CONTRADICTION, (0, 0), 0)
    none = brute_solutions(parse_text("12345678.........9".ljust(81, ".")), 2)
    assert (none.status, none.first, none.total) == (CONTRADICTION, (1, 9), (1, 9))
    shallow = brute_solutions(EASY, 2, max_depth=5)
    assert shallow.status == STOPPED
    assert np.count_nonzero(shallow.grid) == 35


@pytest.mark.nojit
def test_a_budget_cuts_off_at_exactly_so_many_calls():
    found = brute_solutions(EASY, 1, budget=100)
    batch = brute_batch(EASY, 100)
    assert found.status == BUDGET_OUT
    assert found.first == (100, batch.digit_tests[0])
    assert (found.grid == batch.grids[0]).all()
    later = brute_solutions(np.zeros(81, np.uint8), 10**6, budget=20_000)
    assert later.status == BUDGET_OUT
    assert later.total[0] == 20_000
    assert len(later.solutions) > 10


@pytest.mark.nojit
def test_a_full_grid_is_its_own_only_solution():
    found = brute_solutions(FULL, 2)
    assert (found.status, found.first, found.total) == (STOPPED, (1, 0), (1, 0))
    assert (found.solutions == FULL).all()
