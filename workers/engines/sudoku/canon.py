"""The canonical form of a puzzle, the same for all its isomorphs, and its number of symmetries.

The canonical form (minlex) is the smallest of the 81-digit strings, 0 for an empty cell, that the
2 * 6**8 geometric symmetries (transposition, orders of bands and stacks, orders of the rows and
columns inside them) and all renamings of the digits make of a puzzle. Its digits are therefore
named in order of first appearance.

    canon.py         canonical_batch, what other rooms call
    canon_search.py  a step of the search: partial transformations and how they grow
    canon_grid.py    the first steps for complete grids
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.kernel import kernel
from workers.engines.machine.meter import metered
from workers.engines.sudoku.canon_grid import GRID_LEVELS, is_complete, start_grid
from workers.engines.sudoku.canon_search import (
    BEST,
    FRESH,
    NODES,
    NOTHING_DECIDED,
    SIDE,
    SIZE,
    TARGET,
    Workspace,
    extend,
    keep,
    new_workspace,
    open_level,
    start_row,
)

DONE, BUDGET_OUT = 0, 1
BUDGET = 200_000
LEVELS = 27
SLICE_NODES = 5_000_000
"""Nodes after which a kernel call returns: some tenths of a second."""
PUZZLE_NODES = 100
"""What a puzzle costs besides its nodes, counted in nodes."""
_FACTORIAL = np.array([1, 1, 2, 6], np.int64)


class CanonResult(NamedTuple):
    """Canonical forms of n puzzles, a row each."""

    forms: NDArray[np.uint8]
    """(n, 81), 0 = empty; all 0 where the budget ran out."""
    automorphisms: NDArray[np.int64]
    """(n,), geometric symmetries that, with a renaming, map the puzzle to itself; 0 = unknown."""
    status: NDArray[np.uint8]
    """(n,), DONE or BUDGET_OUT."""


@metered
def canonical_batch(puzzles: NDArray[np.uint8], budget: int = BUDGET) -> CanonResult:
    """Compute the canonical forms of `puzzles` (n, 81), digits 0-9, 0 = empty.

    Any arrangement of digits has a form, also one that breaks the rules. `budget` is the number
    of partial transformations tried per puzzle; each takes 32 bytes of workspace. Usual puzzles
    try 130, complete grids 900, the most symmetric grid 21,384; what ran out of the default budget
    in trials broke the rules. Costs 5 microseconds per usual puzzle, 25 per complete grid.
    """
    puzzles = np.ascontiguousarray(puzzles, np.uint8)
    forms = np.zeros_like(puzzles)
    transforms = np.zeros(len(puzzles), np.int64)
    work = new_workspace(budget)
    done = 0
    while done < len(puzzles):
        done = canonical_slice(work, puzzles, forms, transforms, done, budget)
    status = np.where(transforms > 0, DONE, BUDGET_OUT).astype(np.uint8)
    return CanonResult(forms, transforms * _orders_of_empty_lines(forms), status)


def _orders_of_empty_lines(forms: NDArray[np.uint8]) -> NDArray[np.int64]:
    """For each form (n, 81), the number of ways (n,) to order its empty lines among themselves.

    The search tries one order of the empty rows of a band, of empty bands, of the empty columns
    of a stack and of empty stacks, because all orders give the same string.
    """
    filled = forms.reshape(-1, 9, 9) > 0
    orders = np.ones(len(forms), np.int64)
    for axis in (1, 2):
        empty = 3 - filled.any(axis=axis).reshape(-1, 3, 3).sum(axis=2)
        orders *= _FACTORIAL[empty].prod(axis=1) * _FACTORIAL[(empty == 3).sum(axis=1)]
    return orders


@kernel
def canonical_slice(
    work: Workspace,
    puzzles: NDArray[np.uint8],
    forms: NDArray[np.uint8],
    transforms: NDArray[np.int64],
    done: int,
    budget: int,
) -> int:
    """Canonicalise `puzzles` from index `done` on, for part of a second; return the next index.

    `forms` gets the forms, `transforms` what `search` returns.
    """
    tried = 0
    while done < len(puzzles) and tried < SLICE_NODES:
        transforms[done] = search(work, puzzles[done], forms[done], budget)
        tried += PUZZLE_NODES + work.counters[NODES]
        done += 1
    return done


@kernel
def search(work: Workspace, puzzle: NDArray[np.uint8], form: NDArray[np.uint8], budget: int) -> int:
    """Write the canonical form of `puzzle` (81,) to `form`, breadth first.

    A level is a minirow, three cells of a row: it keeps all partial transformations that give
    the smallest string so far. Returns how many give the whole form, or 0 and an empty form if
    more than `budget` were tried.
    """
    counters = work.counters
    for level in range(start(work, puzzle, form), LEVELS):
        size = open_level(work)
        for index in range(size):
            if counters[NODES] > budget:
                form[:] = 0
                return 0
            state = work.states[1 - counters[TARGET], index]
            if level % 3 == 0:
                start_row(work, state[0], state[1], level // 3)
            else:
                extend(work, state[0], state[1], level % 3)
        close_level(work, form, level)
    return int(counters[SIZE])


@kernel
def start(work: Workspace, puzzle: NDArray[np.uint8], form: NDArray[np.uint8]) -> int:
    """Write the first states and what they settle of `form`; return the level to go on with."""
    load(work, puzzle)
    work.counters[:] = 0
    open_level(work)
    if not is_complete(puzzle):
        for side in range(2):
            keep(work, 0, NOTHING_DECIDED | side << SIDE, 0)
        work.counters[FRESH] = 1
        return 0
    start_grid(work)
    close_level(work, form, GRID_LEVELS - 1)
    for column in range(9):
        form[column] = column + 1
    work.counters[FRESH] = 10
    return GRID_LEVELS


@kernel
def load(work: Workspace, puzzle: NDArray[np.uint8]) -> None:
    """Fill the minirows of `puzzle` (81,) and of its transposition."""
    minirows = work.minirows
    minirows[:] = 0
    for cell in range(81):
        digit, row, column = np.int64(puzzle[cell]), cell // 9, cell % 9
        minirows[0, row, column // 3] |= digit << 4 * (column % 3)
        minirows[1, column, row // 3] |= digit << 4 * (row % 3)
    for side in range(2):
        for row in range(9):
            if minirows[side, row, 0] | minirows[side, row, 1] | minirows[side, row, 2] == 0:
                minirows[side, row, 3] = 1 << row // 3
        for row in (0, 3, 6):
            if minirows[side, row, 3] & minirows[side, row + 1, 3] & minirows[side, row + 2, 3] > 0:
                minirows[side, row : row + 3, 3] = 8


@kernel
def close_level(work: Workspace, form: NDArray[np.uint8], level: int) -> None:
    """Write the best minirow of the finished `level` to `form` and note the labels it uses."""
    best = work.counters[BEST]
    for position in range(3):
        label = best >> 4 * (2 - position) & 15
        form[3 * level + position] = label
        work.counters[FRESH] = max(work.counters[FRESH], label + 1)
