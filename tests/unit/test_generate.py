"""Generated puzzles are what was ordered, or are reported."""

import numpy as np
import pytest

from workers.engines.machine.random import seeded
from workers.engines.sudoku.generate import (
    ATTEMPTS_OUT,
    MADE,
    GenerateOptions,
    generate_puzzles,
    minimal_puzzles,
)
from workers.engines.sudoku.properties import SYMMETRY_NAMES, minimal
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.symmetry import orbits
from workers.errors import ParamsError


def check(made):
    """All rows are made, fit their solution and have no other."""
    assert (made.status == MADE).all()
    found = solve_batch(made.puzzles)
    assert (found.counts == 1).all()
    assert (found.solutions == made.solutions).all()
    return np.count_nonzero(made.puzzles, axis=1)


def test_puzzles_are_unique_and_minimal():
    made = minimal_puzzles(seeded(1), 500)
    clues = check(made)
    assert minimal(made.puzzles, made.solutions).all()
    assert 24 < clues.mean() < 24.8
    assert len({puzzle.tobytes() for puzzle in made.puzzles}) == 500


@pytest.mark.nojit
def test_equal_seeds_give_equal_puzzles_however_they_are_made():
    state = seeded(9)
    first, second = minimal_puzzles(state, 1), minimal_puzzles(state, 1)
    together = minimal_puzzles(seeded(9), 2)
    assert (together.puzzles == np.vstack([first.puzzles, second.puzzles])).all()
    check(together)


@pytest.mark.parametrize("name", SYMMETRY_NAMES)
def test_the_pattern_has_the_symmetry_ordered(name):
    made = generate_puzzles(seeded(2), 20, GenerateOptions(name, minimal=False))
    check(made)
    for orbit in orbits(name):
        shown = made.puzzles[:, orbit[orbit >= 0]] > 0
        assert (shown.all(axis=1) | ~shown.any(axis=1)).all()


def test_no_orbit_of_a_symmetric_puzzle_can_go():
    made = generate_puzzles(seeded(3), 5, GenerateOptions("rotate180", minimal=False))
    for puzzle in made.puzzles:
        less = [np.where(np.isin(np.arange(81), orbit), 0, puzzle)
                for orbit in orbits("rotate180") if puzzle[orbit[0]]]  # fmt: skip
        assert (solve_batch(np.array(less)).counts > 1).all()


def test_symmetric_and_minimal_at_once_can_be_ordered():
    made = generate_puzzles(seeded(4), 5, GenerateOptions("diagonal"))
    check(made)
    assert minimal(made.puzzles, made.solutions).all()
    assert made.attempts.mean() > 3


@pytest.mark.parametrize("options", [
    GenerateOptions(clues=(22, 23)),
    GenerateOptions(clues=(30, 32), minimal=False),
    GenerateOptions("mirror", clues=(28, 28), minimal=False),
    GenerateOptions("full", clues=(40, 81), minimal=False),
    GenerateOptions(clues=(80, 81), minimal=False),
])  # fmt: skip
def test_the_number_of_clues_is_in_the_range(options):
    made = generate_puzzles(seeded(5), 20, options)
    clues = check(made)
    assert options.clues[0] <= clues.min() <= clues.max() <= options.clues[1]
    if options.minimal:
        assert minimal(made.puzzles, made.solutions).all()


def test_numbers_of_clues_are_spread_over_the_range():
    made = generate_puzzles(seeded(6), 300, GenerateOptions(clues=(30, 34), minimal=False))
    assert np.bincount(check(made))[30:].min() > 30


@pytest.mark.nojit
def test_what_cannot_be_made_is_reported():
    made = generate_puzzles(seeded(7), 2, GenerateOptions(clues=(17, 17), attempts=2))
    assert made.status.tolist() == [ATTEMPTS_OUT] * 2
    assert made.attempts.tolist() == [2, 2]
    assert not made.puzzles.any()
    assert not made.solutions.any()


@pytest.mark.nojit
@pytest.mark.parametrize(("options", "name"), [
    (GenerateOptions("round"), "symmetry"),
    (GenerateOptions(clues=(16, 20)), "clues"),
    (GenerateOptions(clues=(30, 29)), "clues"),
    (GenerateOptions(clues=(30, 82)), "clues"),
    (GenerateOptions(attempts=0), "attempts"),
])  # fmt: skip
def test_impossible_orders_are_refused(options, name):
    with pytest.raises(ParamsError) as caught:
        generate_puzzles(seeded(1), 1, options)
    assert caught.value.args[0] == name
