"""Puzzles with clues in given cells, and with a given solution."""

import numpy as np
import pytest

from workers.engines.machine.random import seeded
from workers.engines.sudoku.generate import ATTEMPTS_OUT, MADE, GenerateOptions, generate_puzzles
from workers.engines.sudoku.generate_pattern import pattern_puzzles
from workers.engines.sudoku.grids import random_grids
from workers.engines.sudoku.properties import minimal
from workers.engines.sudoku.search import solve_batch
from workers.errors import ParamsError

CELLS_OF_ONE = np.flatnonzero(generate_puzzles(seeded(1), 1).puzzles[0])


def check(made, cells):
    assert (made.status == MADE).all()
    found = solve_batch(made.puzzles)
    assert (found.counts == 1).all()
    assert (found.solutions == made.solutions).all()
    shown = np.isin(np.arange(81), cells)
    assert ((made.puzzles > 0) == shown).all()


def test_clues_stand_exactly_in_the_cells_of_the_pattern():
    made = pattern_puzzles(seeded(2), 10, CELLS_OF_ONE)
    check(made, CELLS_OF_ONE)
    assert len({puzzle.tobytes() for puzzle in made.puzzles}) == 10


def test_all_clues_of_a_pattern_can_be_needed():
    made = pattern_puzzles(seeded(3), 3, CELLS_OF_ONE, minimal=True)
    check(made, CELLS_OF_ONE)
    assert minimal(made.puzzles, made.solutions).all()


def test_puzzles_of_a_pattern_do_not_depend_on_how_many_are_made():
    state = seeded(9)
    parts = [pattern_puzzles(state, 1, CELLS_OF_ONE).puzzles for _ in range(3)]
    assert (pattern_puzzles(seeded(9), 3, CELLS_OF_ONE).puzzles == np.vstack(parts)).all()


@pytest.mark.nojit
def test_a_pattern_that_no_puzzle_has_is_given_up():
    cells = np.arange(18)  # two rows: the other seven can be exchanged
    made = pattern_puzzles(seeded(4), 1, cells, attempts=1)
    assert made.status.tolist() == [ATTEMPTS_OUT]
    assert made.attempts.tolist() == [1]
    assert not made.puzzles.any()
    assert not made.solutions.any()


@pytest.mark.nojit
def test_a_pattern_of_few_cells_is_refused():
    with pytest.raises(ParamsError, match="16 cells"):
        pattern_puzzles(seeded(5), 1, np.arange(16))


@pytest.mark.parametrize("symmetry", ["none", "rotate180"])
def test_all_puzzles_have_the_solution_given(symmetry):
    grid = random_grids(seeded(6), 1)[0]
    options = GenerateOptions(symmetry, minimal=symmetry == "none", grid=grid)
    made = generate_puzzles(seeded(7), 10, options)
    found = solve_batch(made.puzzles)
    assert (found.counts == 1).all()
    assert (found.solutions == grid).all()
    assert len({puzzle.tobytes() for puzzle in made.puzzles}) == 10


@pytest.mark.nojit
@pytest.mark.parametrize("grid", [np.zeros(81, np.uint8), np.arange(81, dtype=np.uint8) % 9 + 1])
def test_a_grid_that_is_none_is_refused(grid):
    with pytest.raises(ParamsError, match="not a solved Sudoku"):
        generate_puzzles(seeded(8), 1, GenerateOptions(grid=grid))
