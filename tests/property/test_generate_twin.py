"""Generated puzzles proven unique and minimal by a plain Python solver."""

import numpy as np
import pytest

from workers.engines.machine.random import seeded
from workers.engines.sudoku.generate import GenerateOptions, generate_puzzles, minimal_puzzles
from workers.engines.sudoku.removal import minimal
from workers.engines.sudoku.search import solve_batch


def prove(twins, made):
    for puzzle, solution in zip(made.puzzles, made.solutions, strict=True):
        assert twins.is_solution(puzzle, solution)
        assert twins.count_solutions(puzzle, 2) == 1
        assert twins.is_minimal(puzzle, solution)


def test_some_puzzles_are_proven_unique_and_minimal(twins):
    prove(twins, minimal_puzzles(seeded(2026), 40))


@pytest.mark.slow
def test_a_thousand_puzzles_are_proven_unique_and_minimal(twins):
    prove(twins, minimal_puzzles(seeded(1000), 1000))


@pytest.mark.slow
def test_a_hundred_thousand_puzzles_are_unique_and_every_clue_is_needed():
    """Counted from the clues alone: without the solution, and without the state, of generation."""
    for part in range(20):
        made = minimal_puzzles(seeded(100_000, part), 5_000)
        found = solve_batch(made.puzzles)
        assert (found.counts == 1).all()
        assert (found.solutions == made.solutions).all()
        rows, cells = np.nonzero(made.puzzles)
        less = made.puzzles[rows]
        less[np.arange(len(rows)), cells] = 0
        assert (solve_batch(less).counts == 2).all()


def test_minimality_is_that_of_a_plain_solver(twins):
    """Puzzles one clue above minimal, and some that are minimal."""
    rng = np.random.default_rng(8)
    made = generate_puzzles(seeded(8), 12, GenerateOptions("rotate180", minimal=False))
    tight = minimal_puzzles(seeded(8), 12)
    loose = tight.puzzles.copy()
    for puzzle, solution in zip(loose, tight.solutions, strict=True):
        cell = rng.choice(np.flatnonzero(puzzle == 0))
        puzzle[cell] = solution[cell]
    puzzles = np.vstack([made.puzzles, tight.puzzles, loose])
    solutions = np.vstack([made.solutions, tight.solutions, tight.solutions])
    expected = [twins.is_minimal(*pair) for pair in zip(puzzles, solutions, strict=True)]
    assert minimal(puzzles, solutions).tolist() == expected
