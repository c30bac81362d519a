"""Producer 19: the bivalue universal grave."""

from typing import Final, Protocol

import numpy as np

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import UNITS
from workers.engines.sudoku.se.geometry import (
    COMBINATIONS,
    LINK_POSITIONS,
    LINK_UNITS,
    N_COMBINATIONS,
    RULE_ORDER,
    SEES,
)
from workers.engines.sudoku.se.grid import Grid, Hint, Integers, call, clear, removes, see
from workers.engines.sudoku.se.names import BUG
from workers.engines.sudoku.se.subsets import strip, union_of_cells


class Grave(Protocol):
    """The candidates without which the grid would have two solutions or none."""

    marks: Integers  # (81,) mask of these digits by cell
    cells: Integers  # (81,) the cells that have some
    n_cells: int
    digits: int  # all of these digits
    peers: Integers  # (81,) 1 for a peer of all these cells


GRAVE: Final = np.dtype(
    [("marks", np.int64, 81), ("cells", np.int64, 81), ("n_cells", np.int64),
     ("digits", np.int64), ("peers", np.int64, 81)], align=True
)  # fmt: skip


@kernel
def universal_grave(grid: Grid, hint: Hint, grave: Grave) -> bool:
    """All but a few candidates come twice in every unit and cell (5.6, 5.7 and more)."""
    if not dig(grid, grave) or not only_pairs(grid, grave):
        return False
    one, digits = grave.cells[0], grave.digits
    clear(hint)
    hint.digits = digits
    for k in range(grave.n_cells):
        see(hint, grave.cells[k])
    if grave.n_cells == 1:
        removes(grid, hint, one, ~grave.marks[one])
        return call(hint, BUG, 5.6)
    if digits & (digits - 1) == 0:
        gone = 0
        for cell in range(81):
            if grave.peers[cell]:
                gone |= removes(grid, hint, cell, digits)
        if gone:
            return call(hint, BUG, 5.7)
        return grave.n_cells == 2 and locked_grave(grid, hint, grave)
    if grave.n_cells == 2 and locked_grave(grid, hint, grave):
        return True
    return naked_grave(grid, hint, grave)


@kernel
def dig(grid: Grid, grave: Grave) -> bool:
    """Mark the surplus candidates; False where it is clear that there is no grave."""
    grave.n_cells = grave.digits = 0
    for cell in range(81):
        grave.marks[cell] = 0
        grave.peers[cell] = 1 if grid.cells[cell] else 0
    for kind in range(3):
        for unit in range(RULE_ORDER[kind], RULE_ORDER[kind] + 9):
            for digit in range(9):
                spots = grid.places[unit, digit]
                if spots == 0 or popcount(spots) == 2:
                    continue
                cell = wide_cell(grid, unit, spots)
                if cell == -1:
                    return False
                if cell >= 0 and not add_mark(grave, cell, digit):
                    return False
    return grave.n_cells > 0


@kernel
def wide_cell(grid: Grid, unit: int, spots: int) -> int:
    """The one cell at `spots` with three or more candidates; -1 for none, -2 for several."""
    found = -1
    while spots:
        cell = UNITS[unit, lowest(spots)]
        spots &= spots - 1
        if popcount(grid.cells[cell]) >= 3:
            if found >= 0:
                return -2
            found = cell
    return found


@kernel
def add_mark(grave: Grave, cell: int, digit: int) -> bool:
    """Mark a candidate; False when the marks have no common peer and are no simple case."""
    if grave.marks[cell] == 0:
        grave.cells[grave.n_cells] = cell
        grave.n_cells += 1
    grave.marks[cell] |= 1 << digit
    grave.digits |= 1 << digit
    common = 0
    for other in range(81):
        grave.peers[other] &= SEES[cell, other]
        common |= grave.peers[other]
    many = grave.digits & (grave.digits - 1)
    return not (grave.n_cells > 1 and many and common == 0)


@kernel
def only_pairs(grid: Grid, grave: Grave) -> bool:
    """True when without the marks each cell has two candidates, each unit two places or none."""
    for cell in range(81):
        if grid.cells[cell] and popcount(grid.cells[cell] & ~grave.marks[cell]) != 2:
            return False
    for unit in range(27):
        for digit in range(9):
            count = 0
            for k in range(9):
                cell = UNITS[unit, k]
                count += (grid.cells[cell] & ~grave.marks[cell]) >> digit & 1
            if count not in (0, 2):
                return False
    return True


@kernel
def locked_grave(grid: Grid, hint: Hint, grave: Grave) -> bool:
    """Type 4: two cells share a further digit that a common unit has nowhere else (5.7)."""
    one, other = grave.cells[0], grave.cells[1]
    for kind in range(3):
        unit = LINK_UNITS[one, kind]
        if unit != LINK_UNITS[other, kind]:
            continue
        spots = (1 << LINK_POSITIONS[one, kind]) | (1 << LINK_POSITIONS[other, kind])
        for digit in range(9):
            bit = 1 << digit
            if (grave.marks[one] | grave.marks[other]) & bit or grid.places[unit, digit] != spots:
                continue
            gone = removes(grid, hint, one, ~(grave.marks[one] | bit))
            gone |= removes(grid, hint, other, ~(grave.marks[other] | bit))
            if gone:
                hint.unit = unit
                return call(hint, BUG, 5.7)
    return False


@kernel
def naked_grave(grid: Grid, hint: Hint, grave: Grave) -> bool:
    """Type 3: the surplus digits of cells in one unit belong to a naked set (5.8 to 6.2)."""
    for size in range(popcount(grave.digits), 7):
        for kind in range(3):
            unit = LINK_UNITS[grave.cells[0], kind]
            spots = 0
            for k in range(grave.n_cells):
                if LINK_UNITS[grave.cells[k], kind] == unit:
                    spots |= 1 << LINK_POSITIONS[grave.cells[k], kind]
            if popcount(spots) != grave.n_cells:
                continue
            free = grid.empty[unit] & ~spots
            for pick in range(N_COMBINATIONS[size - 1]):
                picked = COMBINATIONS[size - 1, pick]
                if picked & ~free:
                    continue
                union = union_of_cells(grid, unit, picked) | grave.digits
                if popcount(union) == size and strip(grid, hint, unit, free & ~picked, union):
                    hint.digits = union
                    return call(hint, BUG, 5.7 + 0.1 * (size - 1))
    return False
