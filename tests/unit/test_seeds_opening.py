"""Opening: more cells are shown until the solution is unique and the puzzle easy enough."""

import numpy as np
import pytest

from workers.engines.machine.random import seeded
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.seeds.analytic import analytic_batch
from workers.engines.sudoku.seeds.brute import brute_batch
from workers.engines.sudoku.seeds.difficulty import Bounds
from workers.engines.sudoku.seeds.opening import opening_batch
from workers.errors import ParamsError


def clues(puzzles: np.ndarray) -> list[int]:
    return (puzzles > 0).sum(axis=1).tolist()


def assert_proven(puzzles: np.ndarray, solutions: np.ndarray) -> None:
    found = solve_batch(puzzles)
    assert (found.counts == 1).all()
    assert (found.solutions == solutions).all()


@pytest.mark.parametrize("wanted", [0, 24, 36, 81])
def test_opening_goes_on_until_the_solution_is_unique(wanted):
    found = opening_batch(seeded(8), 12, Bounds(clues=wanted))
    assert_proven(found.puzzles, found.solutions)
    assert clues(found.puzzles) == found.clues.tolist()
    assert (found.clues >= wanted).all()
    assert ((found.clues == wanted) == found.reached).all()


def test_opening_stops_at_the_first_cell_that_makes_the_solution_unique():
    # The cells opened for fewer wanted clues are the same, so 81 wanted shows the whole order.
    found = opening_batch(seeded(9), 6, Bounds(clues=20))
    for wanted in range(20, int(found.clues.min())):
        fewer = opening_batch(seeded(9), 6, Bounds(clues=wanted))
        assert (fewer.puzzles == found.puzzles).all()


def test_opening_makes_a_puzzle_easier_until_it_is_as_easy_as_wanted():
    bounds = Bounds(clues=22, level=1, iterations_to=100_000)
    found = opening_batch(seeded(10), 12, bounds)
    levels = analytic_batch(found.puzzles).level
    assert ((levels == 0) | (levels == 1)).all()
    assert (brute_batch(found.puzzles).iterations <= 100_000).all()
    assert_proven(found.puzzles, found.solutions)


def test_opening_wants_to_know_how_many_cells_to_open():
    with pytest.raises(ParamsError, match="clues"):
        opening_batch(seeded(1), 1, Bounds())
