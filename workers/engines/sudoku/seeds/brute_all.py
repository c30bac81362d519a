"""Brute force that goes on after the first solution, and gives solutions in its own order."""

from typing import Final, NamedTuple

import numpy as np

from workers.engines.machine.meter import metered
from workers.engines.sudoku.geometry import CELLS, Digits
from workers.engines.sudoku.seeds.brute import (
    CALLS,
    DEEPEST,
    DEFAULT_BUDGET,
    DEPTH,
    EMPTY_CELLS,
    LIMIT,
    SLICE,
    Search,
    advance,
    begin,
    digit_tests,
    new_search,
)
from workers.engines.sudoku.seeds.outcome import (
    BUDGET_OUT,
    CONTRADICTION,
    RUNNING,
    SOLVED,
    STOPPED,
    boards,
    conflicting,
)

_NOTHING: Final = (0, 0)


class BruteSolutions(NamedTuple):
    """What the search did to one puzzle; SOLVED means that as many solutions as wanted came."""

    solutions: Digits  # (k, 81)
    first: tuple[int, int]  # recursive calls and digit tests until the first solution, or the end
    total: tuple[int, int]  # until the end
    status: int  # code of outcome.OUTCOME_NAMES; STOPPED: all within the depth limit was tried
    grid: Digits  # (81,) the first solution, or the first of the fullest grids that were reached


@metered
def brute_solutions(
    puzzle: Digits, limit: int, budget: int = DEFAULT_BUDGET, max_depth: int = CELLS
) -> BruteSolutions:
    """Search one puzzle uint8 (81,) for its first `limit` (>= 1) solutions.

    Budget, depth, counts and conflicting clues as in `brute.brute_batch`, which finds the first
    solution with the same counts. When everything was tried the status is CONTRADICTION without
    a solution, STOPPED with some or below a depth limit.
    """
    grid = boards(puzzle)[0]
    if conflicting(grid[None])[0]:
        return BruteSolutions(_stack([]), _NOTHING, _NOTHING, CONTRADICTION, grid.copy())
    search = new_search()
    begin(search, grid, max(0, max_depth))
    found: list[Digits] = []
    first = _NOTHING
    status = RUNNING
    while status == RUNNING:
        calls = int(search.scalar[CALLS])
        status = int(advance(search, min(budget, calls + SLICE)))
        if status == RUNNING and search.scalar[CALLS] >= budget:
            status = BUDGET_OUT
        if status == SOLVED:
            found.append(_filled(grid, search))
            first = first if len(found) > 1 else _counts(search)
            if len(found) < limit:
                status = _resume(search)
    if not found:
        first = _counts(search)
        if status == STOPPED and search.scalar[LIMIT] == search.scalar[EMPTY_CELLS]:
            status = CONTRADICTION
    fullest = found[0] if found else _filled(grid, search)
    return BruteSolutions(_stack(found), first, _counts(search), status, fullest)


def _resume(search: Search) -> int:
    """Return from the call that found no empty cell; STOPPED when that was the only one."""
    search.scalar[DEPTH] -= 1
    return RUNNING if search.scalar[DEPTH] >= 0 else STOPPED


def _counts(search: Search) -> tuple[int, int]:
    return int(search.scalar[CALLS]), int(digit_tests(search))


def _filled(grid: Digits, search: Search) -> Digits:
    """`grid` with the tried digits of the present solution, or else of the deepest call."""
    solved = search.scalar[DEPTH] == search.scalar[EMPTY_CELLS]
    tried = search.placed if solved else search.deepest
    depth = int(search.scalar[DEPTH if solved else DEEPEST])
    filled = grid.copy()
    for level in range(depth):
        filled[search.cells[level]] = int(tried[level]).bit_length()
    return filled


def _stack(grids: list[Digits]) -> Digits:
    return np.array(grids, dtype=np.uint8).reshape(-1, CELLS)
