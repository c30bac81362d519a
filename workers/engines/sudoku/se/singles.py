"""Producers 1, 2, 4 and 6: singles and locked digits."""

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import UNITS
from workers.engines.sudoku.se.geometry import BOXES, CROSS, LOCKING_PAIRS, RULE_ORDER
from workers.engines.sudoku.se.grid import Grid, Hint, call, clear, place_by, removes, see
from workers.engines.sudoku.se.names import (
    CLAIMING,
    DIRECT_CLAIMING,
    DIRECT_POINTING,
    HIDDEN_SINGLE,
    NAKED_SINGLE,
    POINTING,
)


@kernel
def hidden_single(grid: Grid, hint: Hint) -> bool:
    """Last empty cell of a unit (1.0), else the one place in a box (1.2) or line (1.5)."""
    for alone in range(2):
        for kind in range(3):
            first = RULE_ORDER[kind]
            for unit in range(first, first + 9):
                left = grid.empty[unit]
                if left == 0 or (alone == 0 and left & (left - 1)):
                    continue
                for digit in range(9):
                    spot = grid.places[unit, digit]
                    if spot and spot & (spot - 1) == 0:
                        clear(hint)
                        place_by(hint, UNITS[unit, lowest(spot)], digit)
                        hint.unit = unit
                        line = 1.2 if first == BOXES else 1.5
                        return call(hint, HIDDEN_SINGLE, line if alone else 1.0)
    return False


@kernel
def naked_single(grid: Grid, hint: Hint) -> bool:
    """A cell with one candidate, row by row (2.3)."""
    for cell in range(81):
        mask = grid.cells[cell]
        if mask and mask & (mask - 1) == 0:
            clear(hint)
            place_by(hint, cell, lowest(mask))
            return call(hint, NAKED_SINGLE, 2.3)
    return False


@kernel
def locking(grid: Grid, hint: Hint, direct: int) -> bool:
    """A digit whose places in one unit lie in another one of another kind.

    It leaves the rest of the other unit (2.6, 2.8), or if `direct` must thereby get a single
    place in a third unit (1.7, 1.9).
    """
    for pair in range(4):
        first, second = LOCKING_PAIRS[pair, 0], LOCKING_PAIRS[pair, 1]
        for digit in range(9):
            for one in range(first, first + 9):
                spots = grid.places[one, digit]
                if spots & (spots - 1) == 0:
                    continue
                for other in range(second, second + 9):
                    if spots & ~CROSS[one, other]:
                        continue
                    if grid.places[other, digit] & ~CROSS[other, one] == 0:
                        continue
                    if not direct:
                        lock(grid, hint, one, other, digit)
                        return call(hint, POINTING, 2.6) if pair < 2 else call(hint, CLAIMING, 2.8)
                    third = freed_unit(grid, one, other, digit)
                    if third >= 0:
                        lock(grid, hint, one, other, digit)
                        keep_unit(hint, third)
                        left = grid.places[third, digit] & ~CROSS[third, other]
                        place_by(hint, UNITS[third, lowest(left)], digit)
                        if pair < 2:
                            return call(hint, DIRECT_POINTING, 1.7)
                        return call(hint, DIRECT_CLAIMING, 1.9)
    return False


@kernel
def freed_unit(grid: Grid, one: int, other: int, digit: int) -> int:
    """First unit of the kind of `one` that has one place for `digit` outside `other`, or -1."""
    first = one - one % 9
    for unit in range(first, first + 9):
        if unit != one and CROSS[unit, other]:
            spots = grid.places[unit, digit]
            left = spots & ~CROSS[unit, other]
            if left != spots and left and left & (left - 1) == 0:
                return unit
    return -1


@kernel
def lock(grid: Grid, hint: Hint, one: int, other: int, digit: int) -> None:
    """Let the hint take `digit` out of `other` except where it meets `one`."""
    clear(hint)
    hint.unit = one
    hint.digits = 1 << digit
    for k in range(9):
        if grid.places[one, digit] >> k & 1:
            see(hint, UNITS[one, k])
        if not CROSS[other, one] >> k & 1:
            removes(grid, hint, UNITS[other, k], 1 << digit)


@kernel
def count(mask: int) -> int:
    """Bits of `mask`."""
    return popcount(mask)


@kernel
def keep_unit(hint: Hint, unit: int) -> None:
    """Take back what the hint removes outside `unit`: a direct hint does no more than that."""
    for cell in range(81):
        inside = False
        for k in range(9):
            inside = inside or UNITS[unit, k] == cell
        if not inside:
            hint.removed[cell] = 0
