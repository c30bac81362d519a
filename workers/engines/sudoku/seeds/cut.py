"""Generation by cutting: a shuffled grid loses cells as long as the solution stays unique.

Cells are tried in random order, each once. A removal that makes the solution ambiguous, or the
puzzle harder than the bounds allow, is taken back. Cutting stops as soon as the puzzle is as
wanted. When already the full grid is (nothing wanted, or level 0), it stops when no cell can go
any more: with nothing wanted, that is a minimal puzzle. The difficulty after each removal makes
the puzzle's path.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.random import State, shuffle
from workers.engines.sudoku.geometry import CELLS, Digits
from workers.engines.sudoku.seeds.brute import DEFAULT_BUDGET
from workers.engines.sudoku.seeds.difficulty import (
    ANYTHING,
    Bounds,
    Difficulty,
    check_bounds,
    difficulty,
    hard_enough,
    proven_unique,
    too_hard,
)


class CutPath(NamedTuple):
    """The removals that led to one puzzle, in order; entry k is the puzzle after k+1 of them."""

    cells: NDArray[np.int64]  # (k,) the cell that was removed
    found: Difficulty  # of k puzzles


class CutResult(NamedTuple):
    """n puzzles, each with exactly one solution."""

    puzzles: Digits  # (n, 81)
    solutions: Digits  # (n, 81)
    reached: NDArray[np.bool_]  # (n,) whether the puzzle is as the bounds want it
    paths: list[CutPath]  # one a puzzle when asked for, else empty


def shuffled_grids(state: State, count: int) -> Digits:
    """`count` full grids: one valid grid, its digits, rows, columns, bands and stacks permuted."""
    grids = np.empty((count, 9, 9), dtype=np.uint8)
    for number in range(count):
        rows, columns = _line_order(state), _line_order(state)
        digits = _permutation(state, 9)
        pattern = (3 * (rows % 3) + rows // 3)[:, None] + columns[None, :]
        grids[number] = digits[pattern % 9] + 1
    return grids.reshape(count, CELLS)


def _line_order(state: State) -> NDArray[np.int64]:
    """The nine lines with their bands, and those of each band, in random order."""
    bands = _permutation(state, 3)
    return np.concatenate([3 * band + _permutation(state, 3) for band in bands])


def _permutation(state: State, size: int) -> NDArray[np.int64]:
    order = np.arange(size, dtype=np.int64)
    shuffle(state, order)
    return order


def cut_batch(
    state: State, count: int, bounds: Bounds = ANYTHING, paths: bool = False,
    iteration_budget: int = DEFAULT_BUDGET, node_budget: int = 10_000_000,
) -> CutResult:  # fmt: skip
    """Cut `count` puzzles; puzzle i does not depend on how many are made after it.

    `iteration_budget` bounds the brute-force count of a difficulty, `node_budget` the proof of
    uniqueness (a cell whose removal is not proven harmless stays). Raises ParamsError for
    bounds that nothing can keep to.
    """
    check_bounds(bounds)
    solutions = np.empty((count, CELLS), dtype=np.uint8)
    orders = np.empty((count, CELLS), dtype=np.int64)
    for number in range(count):
        solutions[number] = shuffled_grids(state, 1)[0]
        orders[number] = _permutation(state, CELLS)
    cut = _Cut(solutions, orders, bounds, paths)
    for turn in range(CELLS):
        cut.try_cell(turn, iteration_budget, node_budget)
    cut_paths = [cut.path(row) for row in range(count)] if paths else []
    return CutResult(cut.puzzles, solutions, cut.reached, cut_paths)


class _Cut:
    """A batch that is being cut, one cell of each puzzle a turn."""

    def __init__(self, solutions: Digits, orders: NDArray[np.int64], bounds: Bounds, paths: bool
                 ) -> None:  # fmt: skip
        self.orders, self.bounds, self.paths = orders, bounds, paths
        self.puzzles = solutions.copy()
        self.open = np.ones(len(solutions), dtype=np.bool_)
        self.steps: list[tuple[NDArray[np.int64], NDArray[np.int64], Difficulty]] = []
        full = difficulty(solutions, bounds, paths)
        self.reached = self._wanted(np.arange(len(solutions)), full)
        self.to_the_end = bounds.clues is None and bool(self.reached.all())
        if bounds.clues == CELLS:
            self.open[:] = False

    def try_cell(self, turn: int, iteration_budget: int, node_budget: int) -> None:
        """Remove the cell that is number `turn` in each puzzle's order where that is allowed."""
        rows = np.flatnonzero(self.open)
        if len(rows) == 0:
            return
        cells = self.orders[rows, turn]
        trial = self.puzzles[rows]
        trial[np.arange(len(rows)), cells] = 0
        kept = proven_unique(trial, node_budget)
        rows, cells, trial = rows[kept], cells[kept], trial[kept]
        found = difficulty(trial, self.bounds, self.paths, iteration_budget)
        kept = ~too_hard(found, self.bounds)
        rows, cells = rows[kept], cells[kept]
        found = Difficulty._make(column[kept] for column in found)
        self.puzzles[rows, cells] = 0
        self.reached[rows] = self._wanted(rows, found)
        if self.bounds.clues is not None:
            self.open[rows] = self._clues(rows) > self.bounds.clues
        if not self.to_the_end:
            self.open[rows] &= ~self.reached[rows]
        if self.paths:
            self.steps.append((rows, cells, found))

    def _wanted(self, rows: NDArray[np.int64], found: Difficulty) -> NDArray[np.bool_]:
        """Which of the puzzles in `rows`, none of them too hard, are as the bounds want them."""
        enough = hard_enough(found, self.bounds)
        if self.bounds.clues is not None:
            enough &= self._clues(rows) == self.bounds.clues
        return enough

    def _clues(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        clues: NDArray[np.int64] = (self.puzzles[rows] > 0).sum(axis=1)
        return clues

    def path(self, row: int) -> CutPath:
        """The removals of one puzzle, picked out of all turns."""
        turns = [(at[0], cells, found) for rows, cells, found in self.steps
                 if len(at := np.flatnonzero(rows == row))]  # fmt: skip
        cells = np.array([step_cells[at] for at, step_cells, _ in turns], dtype=np.int64)
        nothing = difficulty(self.puzzles[:0], ANYTHING, False)
        found = Difficulty._make(
            np.array([step[column][at] for at, _, step in turns], dtype=empty.dtype)
            for column, empty in enumerate(nothing)
        )
        return CutPath(cells, found)
