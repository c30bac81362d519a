"""Supposition: write a candidate on trial; when that leads to a contradiction, drop it.

Only contradictions are used. A trial that happens to fill the grid proves nothing while the
solution is not known to be unique, so it counts as "no contradiction".
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import CELLS, Digits
from workers.engines.sudoku.seeds.outcome import BUDGET_OUT, CONTRADICTION, NO_UNIT, STOPPED, code
from workers.engines.sudoku.seeds.pencil import (
    Log,
    Pencil,
    begin_step,
    copy_pencil,
    load,
    new_log,
    new_pencil,
    place,
    remove,
)
from workers.engines.sudoku.seeds.reasoning import follow_lines, follow_singles

SUPPOSITION: Final = code(5)
DEEPER_SUPPOSITION: Final = code(6)
METHODS: Final = 7
TRIED: Final = METHODS  # suppositions tried so far
BUDGET: Final = METHODS + 1  # suppositions that may be tried
TALLY: Final = METHODS + 2
_CANDIDATES: Final = 9 * CELLS


class Desk(NamedTuple):
    """What one depth of supposition works with."""

    grid: Pencil
    trial: Pencil
    tally: NDArray[np.int64]  # (TALLY,) counts by method, then TRIED and BUDGET
    scrap: NDArray[np.int64]  # (TALLY,) counts inside trials, which nobody asks for
    log: Log
    quiet: Log  # a log without rows, for trials


def new_desk(log_rows: int, budget: int) -> Desk:
    """A desk for one puzzle; `load_puzzle` gives it one."""
    tally = np.zeros(TALLY, dtype=np.int64)
    tally[BUDGET] = budget
    scrap = np.zeros(TALLY, dtype=np.int64)
    return Desk(new_pencil(), new_pencil(), tally, scrap, new_log(log_rows), new_log(0))


@kernel
def first_levels(desk: Desk, puzzle: Digits, max_level: int) -> tuple[int, int]:
    """Levels 0 to 2 of the analytic solver on `puzzle`: the status and the last level used."""
    if not load(desk.grid, puzzle):
        return CONTRADICTION, 0
    status = follow_singles(desk.grid, desk.tally, desk.log)
    level = 0
    if status == STOPPED and max_level >= 1:
        level = 1
        status = follow_lines(desk.grid, desk.tally, desk.log)
    if status == STOPPED and max_level >= 2:
        level = 2
        status = exhaust(desk)
    return status, level


@kernel
def exhaust(desk: Desk) -> int:
    """Suppose every candidate of `desk.grid` in turn until no trial contradicts any more.

    Trials reason at level 1. After a dropped candidate the grid itself is reasoned through
    again, then the round goes on with the next candidate; it ends when a whole round dropped
    nothing. Returns SOLVED, STOPPED, CONTRADICTION or BUDGET_OUT.
    """
    grid, tally = desk.grid, desk.tally
    status = follow_lines(grid, tally, desk.log)
    candidate = 0
    fruitless = 0
    while status == STOPPED and fruitless < _CANDIDATES:
        cell, digit = candidate // 9, candidate % 9 + 1
        candidate = (candidate + 1) % _CANDIDATES
        fruitless += 1
        if grid.marks[cell] & (1 << (digit - 1)) == 0:
            continue
        if tally[TRIED] >= tally[BUDGET]:
            return BUDGET_OUT
        tally[TRIED] += 1
        if not suppose(desk, cell, digit):
            drop(desk, SUPPOSITION, cell, digit)
            status = follow_lines(grid, tally, desk.log)
            fruitless = 0
    return status


@kernel
def suppose(desk: Desk, cell: int, digit: int) -> bool:
    """Write a candidate of the grid into the trial grid; False when level 1 contradicts it."""
    copy_pencil(desk.grid, desk.trial)
    place(desk.trial, cell, digit)
    return follow_lines(desk.trial, desk.scrap, desk.quiet) != CONTRADICTION


@kernel
def drop(desk: Desk, method: int, cell: int, digit: int) -> None:
    """Take a contradicted candidate from the grid, as a step."""
    begin_step(desk.log)
    desk.tally[method] += remove(desk.grid, desk.log, method, cell, 1 << (digit - 1), NO_UNIT)


def exhaust_deep(desks: list[Desk], depth: int) -> int:
    """`exhaust` with `depth` nested suppositions, on `desks[0].grid`; `desks` has one a depth.

    A trial may itself suppose down to depth - 1. Depth 1 is one kernel call of some
    milliseconds; what is deeper is driven from here, so that it can be interrupted.
    """
    desk = desks[0]
    if depth == 1:
        return int(exhaust(desk))
    status = exhaust_deep(desks, depth - 1)
    candidate = fruitless = 0
    while status == STOPPED and fruitless < _CANDIDATES:
        cell, digit = candidate // 9, candidate % 9 + 1
        candidate = (candidate + 1) % _CANDIDATES
        fruitless += 1
        if not desk.grid.marks[cell] & (1 << (digit - 1)):
            continue
        if desk.tally[TRIED] >= desk.tally[BUDGET]:
            return BUDGET_OUT
        desk.tally[TRIED] += 1
        outcome = _suppose_deep(desks, depth, cell, digit)
        if outcome == BUDGET_OUT:
            return BUDGET_OUT
        if outcome == CONTRADICTION:
            drop(desk, DEEPER_SUPPOSITION, cell, digit)
            status = exhaust_deep(desks, depth - 1)
            fruitless = 0
    return status


def _suppose_deep(desks: list[Desk], depth: int, cell: int, digit: int) -> int:
    """Try a candidate of the outer grid with suppositions inside; they count as tried as well."""
    outer, inner = desks[0], desks[1]
    copy_pencil(outer.grid, inner.grid)
    place(inner.grid, cell, digit)
    inner.tally[:] = 0
    inner.tally[BUDGET] = outer.tally[BUDGET] - outer.tally[TRIED]
    outcome = exhaust_deep(desks[1:], depth - 1)
    outer.tally[TRIED] += inner.tally[TRIED]
    return outcome
