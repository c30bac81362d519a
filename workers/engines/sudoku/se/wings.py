"""Producers 13 and 14: XY-wing and XYZ-wing."""

from workers.engines.machine.bits import popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.se.geometry import HOUSE, SEES
from workers.engines.sudoku.se.grid import Grid, Hint, call, clear, removes, see
from workers.engines.sudoku.se.names import XY_WING, XYZ_WING


@kernel
def wing(grid: Grid, hint: Hint, xyz: int) -> bool:
    """A pivot with two wings of two candidates each that share one digit (4.2, 4.4)."""
    for pivot in range(81):
        hub = grid.cells[pivot]
        if popcount(hub) != (3 if xyz else 2):
            continue
        for i in range(20):
            left = grid.cells[HOUSE[pivot, i]]
            if popcount(left) != 2 or popcount(hub | left) != 3:
                continue
            for j in range(i + 1, 20):
                right = grid.cells[HOUSE[pivot, j]]
                if popcount(right) != 2 or left == right or popcount(hub | left | right) != 3:
                    continue
                common = hub & left & right
                if popcount(common) != (1 if xyz else 0):
                    continue
                if clip(grid, hint, pivot, HOUSE[pivot, i], HOUSE[pivot, j]):
                    return call(hint, XYZ_WING, 4.4) if xyz else call(hint, XY_WING, 4.2)
    return False


@kernel
def clip(grid: Grid, hint: Hint, pivot: int, one: int, other: int) -> bool:
    """Let the hint remove the wings' common digit from all that see them (and an XYZ pivot)."""
    bit = grid.cells[one] & grid.cells[other]
    xyz = grid.cells[pivot] & bit
    found = False
    for cell in range(81):
        if grid.cells[cell] & bit and SEES[one, cell] and SEES[other, cell] and cell != pivot:
            if xyz and not SEES[pivot, cell]:
                continue
            if not found:
                clear(hint)
            found = True
            removes(grid, hint, cell, bit)
    if found:
        hint.digits = bit
        see(hint, pivot)
        see(hint, one)
        see(hint, other)
    return found
