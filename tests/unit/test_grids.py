"""Random grids: valid, repeatable, and as uniform as can be told from samples."""

from math import factorial

import numpy as np
import pytest

from workers.engines.machine.lanes import new_board
from workers.engines.machine.random import seeded
from workers.engines.sudoku.generate import random_grids
from workers.engines.sudoku.geometry import UNITS
from workers.engines.sudoku.grids import SPLITS, descend, draw_start
from workers.engines.sudoku.search import Search, load

ALL_GRIDS = 6_670_903_752_021_072_936_960  # Felgenhauer and Jarvis, 2005
SAMPLE = 20_000
FIRST_BAND = [5, 3, 9, 2, 4, 7, 1, 8, 6, 4, 6, 1, 8, 3, 9, 2, 5, 7, 7, 8, 2, 6, 1, 5, 3, 9, 4]


@pytest.fixture(scope="module")
def sample():
    return random_grids(seeded(20_240_607), SAMPLE)


@pytest.mark.nojit
def test_grids_are_complete_and_break_no_rule():
    grids = random_grids(seeded(1), 3)
    assert (np.sort(grids[:, UNITS], axis=2) == np.arange(1, 10)).all()


@pytest.mark.nojit
def test_equal_seeds_give_equal_grids_however_they_are_drawn():
    state = seeded(5, 2)
    one_by_one = np.vstack([random_grids(state, 1) for _ in range(3)])
    assert (one_by_one == random_grids(seeded(5, 2), 3)).all()
    assert not (one_by_one == random_grids(seeded(5, 3), 3)).all()


@pytest.mark.nojit
def test_the_compiled_and_the_plain_kernel_draw_the_same_grid():
    assert random_grids(seeded(1), 1)[0, :27].tolist() == FIRST_BAND


@pytest.mark.nojit
def test_there_are_56_ways_to_split_the_rows_of_the_corner():
    assert len(set(SPLITS.tolist())) == 56


def test_the_weights_of_descents_average_to_the_number_of_grids():
    state, search = seeded(11), Search(new_board(8), np.zeros(3, dtype=np.int64))
    grid = np.zeros((1, 81), dtype=np.uint8)
    weights = []
    for _ in range(SAMPLE):
        draw_start(state, grid, 0)
        load(search, grid, 0)
        weights.append(descend(state, search.board))
    starts = factorial(9) * (56 * 6**6) ** 2
    # The standard error of the mean is 0.6 %.
    assert abs(np.mean(weights) * starts / ALL_GRIDS - 1) < 0.02


def test_no_cell_prefers_a_digit(sample):
    counts = np.stack([(sample == digit).sum(axis=0) for digit in range(1, 10)])
    chi_squared = ((counts - SAMPLE / 9) ** 2 / (SAMPLE / 9)).sum(axis=0)
    # 8 degrees of freedom: 99.99 % lie below 31.8; the mean is 8.
    assert chi_squared.max() < 35
    assert 6.5 < chi_squared.mean() < 9.5


def pure_bands(rows):
    """How many bands (n, 3, 3, 3: row, box, place) repeat their rows' digits as sets."""
    ordered = np.sort(rows, axis=3)
    return ((ordered[:, [1, 2, 0], 1] == ordered[:, :, 0]).all(axis=(1, 2))
            | (ordered[:, [2, 0, 1], 1] == ordered[:, :, 0]).all(axis=(1, 2)))  # fmt: skip


def test_all_bands_and_stacks_are_alike(sample):
    """The drawn band and stack must not differ from those that the search filled."""
    square = sample.reshape(-1, 9, 9)
    shares = []
    for board in (square, square.transpose(0, 2, 1)):
        for band in range(3):
            rows = board[:, 3 * band : 3 * band + 3].reshape(-1, 3, 3, 3)
            shares.append(pure_bands(rows).mean())
    # About 2 in 56 bands, a little more where more grids lie behind them.
    assert max(shares) - min(shares) < 0.01
    assert 0.03 < np.mean(shares) < 0.045
