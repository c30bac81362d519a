"""Brute force: the first empty cell in row-major order, its digits ascending, undo, go on.

What is counted, found out by matching the documents' two grids exactly:

* an iteration is one recursive call; the first call on the puzzle itself and the last one,
  which finds no empty cell, count too;
* a digit test is one look whether a digit fits the empty cell: nine for a call that fails, and
  d for a call whose digit d led to the solution; the last call tests nothing.

The article's `backtrack` is this same search (first empty cell, digits ascending, undo on a
dead end): it finds the same solution with the same counts and shares this kernel.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.machine.meter import metered
from workers.engines.sudoku.geometry import BOX, CELLS, COLUMN, ROW, Digits
from workers.engines.sudoku.seeds.outcome import (
    BUDGET_OUT,
    CONTRADICTION,
    RUNNING,
    SOLVED,
    STOPPED,
    boards,
    conflicting,
)

DEFAULT_BUDGET: Final = 10_000_000
SLICE: Final = 20_000_000
"""Calls after which the kernel returns to Python, about 0.2 s: signals cannot stop a kernel."""


class BruteResult(NamedTuple):
    """What the search did to each of n puzzles.

    A censored puzzle was not finished within the budget: its counts are lower bounds.
    """

    iterations: NDArray[np.int64]  # (n,) recursive calls
    digit_tests: NDArray[np.int64]  # (n,)
    censored: NDArray[np.bool_]  # (n,)
    status: NDArray[np.uint8]  # (n,) codes of outcome.OUTCOME_NAMES
    grids: Digits  # (n, 81) the solution, or the first of the fullest grids that were reached


class Search(NamedTuple):
    """A search that can stop at any call and go on later; depth d is the d-th empty cell."""

    cells: NDArray[np.int64]  # (81,) the empty cells
    used: NDArray[np.int64]  # (27,) digits standing in rows, columns, boxes, as bits
    left: NDArray[np.int64]  # (82,) by depth: digits still to be tried
    placed: NDArray[np.int64]  # (82,) by depth: the digit that is tried, as a bit, or 0
    deepest: NDArray[np.int64]  # (82,) `placed` when the search was deepest
    levels: NDArray[np.int64]  # (RING,) depth of call number c, counted from 1, at c % RING
    scalar: NDArray[np.int64]  # (7,) see the constants below


EMPTY_CELLS: Final = 0
DEPTH: Final = 1
CALLS: Final = 2
DEEPEST: Final = 3
LIMIT: Final = 4
BARRED: Final = 5  # calls at the depth limit, which look for nothing
NEXT: Final = 6
RING: Final = 4096  # a power of two


def new_search() -> Search:
    """An empty search; `begin` gives it a puzzle."""
    sizes = (CELLS, 27, CELLS + 1, CELLS + 1, CELLS + 1, RING, 7)
    return Search(*(np.zeros(size, dtype=np.int64) for size in sizes))


@kernel
def begin(search: Search, puzzle: Digits, max_depth: int) -> None:
    """Make the first call on `puzzle`, whose clues do not conflict."""
    cells, used, scalar = search.cells, search.used, search.scalar
    used[:] = 0
    empty = 0
    for cell in range(CELLS):
        digit = np.int64(puzzle[cell])
        if digit == 0:
            cells[empty] = cell
            empty += 1
        else:
            bit = 1 << (digit - 1)
            used[ROW[cell]] |= bit
            used[9 + COLUMN[cell]] |= bit
            used[18 + BOX[cell]] |= bit
    scalar[EMPTY_CELLS] = empty
    scalar[DEPTH] = 0
    scalar[CALLS] = 1
    search.levels[1] = 0
    scalar[DEEPEST] = 0
    scalar[LIMIT] = min(empty, max_depth)
    scalar[BARRED] = 1 if scalar[LIMIT] == 0 else 0
    search.placed[0] = 0
    search.left[0] = 0
    if scalar[LIMIT] > 0:
        cell = cells[0]
        search.left[0] = 511 & ~(used[ROW[cell]] | used[9 + COLUMN[cell]] | used[18 + BOX[cell]])


@kernel
def advance(search: Search, until: int) -> int:
    """Make recursive calls until `until` of them were made: RUNNING, SOLVED or STOPPED.

    STOPPED means that everything within the depth limit was tried.
    """
    cells, used, left, placed, scalar = (
        search.cells, search.used, search.left, search.placed, search.scalar)  # fmt: skip
    levels = search.levels
    depth, calls, deepest = scalar[DEPTH], scalar[CALLS], scalar[DEEPEST]
    limit, empty = scalar[LIMIT], scalar[EMPTY_CELLS]
    status = SOLVED if depth == empty else RUNNING
    while status == RUNNING:
        cell = cells[depth]
        row, column, box = ROW[cell], 9 + COLUMN[cell], 18 + BOX[cell]
        digits, tried = left[depth], placed[depth]
        if digits == 0:
            used[row] ^= tried
            used[column] ^= tried
            used[box] ^= tried
            placed[depth] = 0
            depth -= 1
            if depth < 0:
                status = STOPPED
            continue
        if calls >= until:
            break
        digit = digits & -digits
        left[depth] = digits ^ digit
        placed[depth] = digit
        tried ^= digit
        used[row] ^= tried
        used[column] ^= tried
        used[box] ^= tried
        depth += 1
        calls += 1
        levels[calls & (RING - 1)] = depth
        if depth > deepest:
            deepest = depth
            for level in range(depth):
                search.deepest[level] = placed[level]
        left[depth] = 0
        placed[depth] = 0
        if depth < limit:
            cell = cells[depth]
            left[depth] = 511 & ~(used[ROW[cell]] | used[9 + COLUMN[cell]] | used[18 + BOX[cell]])
        else:
            scalar[BARRED] += 1
            if depth == empty:
                status = SOLVED
    scalar[DEPTH], scalar[CALLS], scalar[DEEPEST] = depth, calls, deepest
    return status


@kernel
def digit_tests(search: Search) -> int:
    """Looks made so far: nine for every finished call, up to the tried digit for the others."""
    depth = search.scalar[DEPTH]
    tests: int = 9 * (search.scalar[CALLS] - search.scalar[BARRED])
    if depth == search.scalar[LIMIT]:
        depth -= 1
    for level in range(depth + 1):
        tried = search.placed[level]
        tests -= 9 if tried == 0 else 8 - lowest(tried)
    return tests


@kernel
def search_slice(puzzles: Digits, search: Search, budget: int, max_depth: int,
                 result: BruteResult) -> bool:  # fmt: skip
    """Search puzzles from number `search.scalar[NEXT]` on, SLICE calls; False when all are done.

    `result.status` is RUNNING for a puzzle whose search has begun and BUDGET_OUT before that.
    """
    scalar = search.scalar
    spare = SLICE
    while scalar[NEXT] < len(puzzles) and spare > 0:
        row = scalar[NEXT]
        if result.status[row] == CONTRADICTION:
            scalar[NEXT] += 1
            continue
        if result.status[row] != RUNNING:
            begin(search, puzzles[row], max_depth)
            result.status[row] = RUNNING
        before = scalar[CALLS]
        status = advance(search, min(budget, before + spare))
        spare -= scalar[CALLS] - before + CELLS
        if status == RUNNING and scalar[CALLS] < budget:
            continue
        if status == RUNNING:
            status = BUDGET_OUT
        elif status == STOPPED and scalar[LIMIT] == scalar[EMPTY_CELLS]:
            status = CONTRADICTION
        result.status[row] = status
        result.iterations[row] = scalar[CALLS]
        result.digit_tests[row] = digit_tests(search)
        for depth in range(scalar[DEEPEST]):
            result.grids[row, search.cells[depth]] = lowest(search.deepest[depth]) + 1
        scalar[NEXT] += 1
    return bool(scalar[NEXT] < len(puzzles))


@metered
def brute_batch(
    puzzles: Digits, budget: int = DEFAULT_BUDGET, max_depth: int = CELLS
) -> BruteResult:
    """Search puzzles uint8 (n, 81) for their first solution and count the recursive calls.

    At most `budget` calls are made for a puzzle (at least the first one), and none with more
    than `max_depth` cells filled in; with a smaller depth than there are empty cells the search
    ends STOPPED. Clues that conflict are a CONTRADICTION without any call. About 10 ns a call.
    """
    puzzles = boards(puzzles)
    count = len(puzzles)
    result = BruteResult(
        np.zeros(count, dtype=np.int64),
        np.zeros(count, dtype=np.int64),
        np.zeros(count, dtype=np.bool_),
        np.full(count, BUDGET_OUT, dtype=np.uint8),
        puzzles.copy(),
    )
    result.status[conflicting(puzzles)] = CONTRADICTION
    search = new_search()
    while search_slice(puzzles, search, max(1, budget), max(0, max_depth), result):
        pass
    result.censored[:] = result.status == BUDGET_OUT
    return result
