"""Cut: unique solutions, bounds, paths, and independence of the batch size."""

import numpy as np
import pytest

from workers.engines.machine.random import seeded
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.seeds.analytic import analytic_batch
from workers.engines.sudoku.seeds.brute import brute_batch
from workers.engines.sudoku.seeds.cut import cut_batch, shuffled_grids
from workers.engines.sudoku.seeds.difficulty import Bounds
from workers.engines.sudoku.seeds.outcome import conflicting
from workers.errors import ParamsError


def clues(puzzles: np.ndarray) -> list[int]:
    return (puzzles > 0).sum(axis=1).tolist()


def assert_proven(puzzles: np.ndarray, solutions: np.ndarray) -> None:
    found = solve_batch(puzzles)
    assert (found.counts == 1).all()
    assert (found.solutions == solutions).all()


def test_shuffled_grids_are_valid_and_differ():
    grids = shuffled_grids(seeded(1), 50)
    assert (np.sort(grids, axis=1) == np.repeat(np.arange(1, 10), 9)).all()
    assert not conflicting(grids).any()
    assert len({grid.tobytes() for grid in grids}) == 50


def test_cutting_with_nothing_wanted_gives_minimal_puzzles():
    found = cut_batch(seeded(2), 8)
    assert_proven(found.puzzles, found.solutions)
    assert found.reached.all()
    for puzzle in found.puzzles:
        smaller = np.array([np.where(np.arange(81) == cell, 0, puzzle)
                            for cell in np.flatnonzero(puzzle)])  # fmt: skip
        assert (solve_batch(smaller).counts == 2).all()


def test_cutting_stops_at_the_wanted_number_of_clues():
    found = cut_batch(seeded(3), 10, Bounds(clues=32))
    assert clues(found.puzzles) == [32] * 10
    assert found.reached.all()
    assert_proven(found.puzzles, found.solutions)


def test_a_number_of_clues_that_cannot_be_reached_is_admitted():
    found = cut_batch(seeded(3), 4, Bounds(clues=17))
    assert not found.reached.any()
    assert min(clues(found.puzzles)) > 17


@pytest.mark.parametrize("level", [0, 1, 2])
def test_cutting_never_goes_beyond_the_wanted_level(level):
    found = cut_batch(seeded(4), 25, Bounds(level=level))
    levels = analytic_batch(found.puzzles).level
    assert ((levels == level) == found.reached).all()
    assert levels.max() == level
    assert_proven(found.puzzles, found.solutions)


def test_level_zero_is_cut_as_long_as_it_lasts():
    assert max(clues(cut_batch(seeded(4), 10, Bounds(level=0)).puzzles)) < 40


def test_cutting_stops_within_the_wanted_iterations():
    found = cut_batch(seeded(5), 10, Bounds(iterations_from=500, iterations_to=900))
    calls = brute_batch(found.puzzles).iterations
    assert (calls <= 900).all()
    assert ((calls >= 500) == found.reached).all()
    assert found.reached.any()


def test_the_path_holds_the_difficulty_after_each_removal():
    found = cut_batch(seeded(6), 3, Bounds(clues=28), paths=True)
    for row, path in enumerate(found.paths):
        assert len(path.cells) == 81 - 28
        puzzle = found.solutions[row].copy()
        stages = []
        for cell in path.cells:
            puzzle[cell] = 0
            stages.append(puzzle.copy())
        assert (puzzle == found.puzzles[row]).all()
        brute, analytic = brute_batch(np.array(stages)), analytic_batch(np.array(stages))
        assert (path.found.iterations == brute.iterations).all()
        assert (path.found.levels == analytic.level).all()
        assert (path.found.counts == analytic.counts).all()


def test_a_cut_puzzle_does_not_depend_on_how_many_follow():
    few, many = cut_batch(seeded(7), 2), cut_batch(seeded(7), 5)
    assert (few.puzzles == many.puzzles[:2]).all()


def test_bounds_that_nothing_keeps_to_are_refused():
    for bounds in (Bounds(clues=82), Bounds(level=4), Bounds(iterations_from=9, iterations_to=8)):
        with pytest.raises(ParamsError):
            cut_batch(seeded(1), 1, bounds)
