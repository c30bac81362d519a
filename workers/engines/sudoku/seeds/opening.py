"""Generation by opening: cells of a random full grid are shown until the solution is unique.

The document opens a chosen number of cells and lives with puzzles that have several solutions.
Here more cells are opened, in the same random order, until uniqueness is proven.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.random import State, shuffle
from workers.engines.sudoku.geometry import CELLS, Digits
from workers.engines.sudoku.grids import random_grids
from workers.engines.sudoku.seeds.brute import DEFAULT_BUDGET
from workers.engines.sudoku.seeds.difficulty import (
    Bounds,
    check_bounds,
    difficulty,
    hard_enough,
    proven_unique,
    too_hard,
)
from workers.errors import ParamsError


class OpeningResult(NamedTuple):
    """n puzzles, each with exactly one solution."""

    puzzles: Digits  # (n, 81)
    solutions: Digits  # (n, 81)
    clues: NDArray[np.int64]  # (n,) cells opened in the end
    reached: NDArray[np.bool_]  # (n,) whether the puzzle is as the bounds want it


def opening_batch(
    state: State, count: int, bounds: Bounds,
    iteration_budget: int = DEFAULT_BUDGET, node_budget: int = 10_000_000,
) -> OpeningResult:  # fmt: skip
    """Open `bounds.clues` cells of `count` random grids, and more until all is as it must be.

    Opening goes on until the solution is proven unique (within `node_budget` nodes) and the
    puzzle is no harder than the bounds allow. `reached` says whether it is not too easy and no
    cell had to be opened beyond the wanted number. Puzzle i does not depend on how many are
    made after it. Raises ParamsError without a number of clues.
    """
    check_bounds(bounds)
    if bounds.clues is None:
        raise ParamsError("clues", "opening needs to know how many cells to open")
    solutions = np.empty((count, CELLS), dtype=np.uint8)
    ranks = np.empty((count, CELLS), dtype=np.int64)  # when a cell is opened
    for number in range(count):
        solutions[number] = random_grids(state, 1)[0]
        order = np.arange(CELLS, dtype=np.int64)
        shuffle(state, order)
        ranks[number, order] = np.arange(CELLS)
    opened = _least_unique(solutions, ranks, bounds.clues, node_budget)
    found = difficulty(_shown(solutions, ranks, opened), bounds, False, iteration_budget)
    while (rows := np.flatnonzero(too_hard(found, bounds) & (opened < CELLS))).size:
        opened[rows] += 1
        puzzles = _shown(solutions[rows], ranks[rows], opened[rows])
        again = difficulty(puzzles, bounds, False, iteration_budget)
        columns: list[NDArray[Any]] = list(found)
        for column, fresh in zip(columns, again, strict=True):
            column[rows] = fresh
    reached = hard_enough(found, bounds) & ~too_hard(found, bounds) & (opened == bounds.clues)
    return OpeningResult(_shown(solutions, ranks, opened), solutions, opened, reached)


def _shown(solutions: Digits, ranks: NDArray[np.int64], opened: NDArray[np.int64]) -> Digits:
    """The puzzles when the first `opened` cells (n,) of each order are shown."""
    return np.where(ranks < opened[:, None], solutions, 0).astype(np.uint8)


def _least_unique(
    solutions: Digits, ranks: NDArray[np.int64], wanted: int, node_budget: int
) -> NDArray[np.int64]:
    """The fewest cells, at least `wanted`, whose opening leaves one solution (n,).

    Opening more cells never loses uniqueness, so halving the range finds what opening one by
    one would.
    """
    least = np.full(len(solutions), wanted, dtype=np.int64)
    proven = np.full(len(solutions), CELLS, dtype=np.int64)
    middle = least.copy()
    while (rows := np.flatnonzero(least < proven)).size:
        unique = proven_unique(_shown(solutions[rows], ranks[rows], middle[rows]), node_budget)
        proven[rows[unique]] = middle[rows[unique]]
        least[rows[~unique]] = middle[rows[~unique]] + 1
        middle = (least + proven) // 2
    return proven
