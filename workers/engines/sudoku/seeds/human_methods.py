"""Methods 0 to 4 of the human path: what is placed by eye.

A call looks over the grid in a fixed order and ends with its first success; it returns the
number of changes, 0 for a failure, CONTRADICTED when it met an impossible place.

What the person knows of an empty cell are its marks: all digits not seen from it, less those
struck out in its notes. Only cells whose candidates are written down have notes, so only they
lose marks to an elimination.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import BOX, CELLS, COLUMN, ROW, UNITS
from workers.engines.sudoku.seeds.outcome import NO_UNIT, code
from workers.engines.sudoku.seeds.pencil import ALL, Log, Pencil
from workers.engines.sudoku.seeds.reasoning import CONTRADICTED, write

FILL_ONLY_ONE_POSSIBLE: Final = code(0)
FILL_LAST_POSITION_OF_GROUP: Final = code(1)
CHECK_OBVIOUS_NUMBER: Final = code(2)
CHECK_LINE_LAST_POSSIBLE_FOR_NUMBER: Final = code(3)
CHECK_INOBVIOUS_NUMBER: Final = code(4)


@kernel
def fill_only_one_possible(grid: Pencil, written: NDArray[np.int64], log: Log) -> int:
    """Fill the first cell whose notes leave one digit."""
    for cell in range(CELLS):
        if written[cell] == 1 and grid.digits[cell] == 0 and popcount(grid.marks[cell]) == 1:
            digit = lowest(grid.marks[cell]) + 1
            write(grid, log, FILL_ONLY_ONE_POSSIBLE, cell, digit, NO_UNIT)
            return 1
    return 0


@kernel
def fill_last_position_of_group(grid: Pencil, log: Log) -> int:
    """Fill the first unit that has one empty cell."""
    for unit in range(27):
        missing = ALL & ~grid.used[unit]
        if popcount(missing) == 1:
            cell = only_place(grid.marks, unit, missing)
            if cell < 0:
                return CONTRADICTED
            write(grid, log, FILL_LAST_POSITION_OF_GROUP, cell, lowest(missing) + 1, unit)
            return 1
    return 0


@kernel
def only_place(marks: NDArray[np.int64], unit: int, bit: int) -> int:
    """The cell of `unit` that alone has `bit` among its marks, or -1 when none or many have."""
    found = NO_UNIT
    for index in range(9):
        cell = int(UNITS[unit, index])
        if marks[cell] & bit:
            if found >= 0:
                return -1
            found = cell
    return found


@kernel
def hidden_single(grid: Pencil, marks: NDArray[np.int64], log: Log, method: int,
                  lines: bool) -> int:  # fmt: skip
    """Place the first digit, from 1 up, that `marks` allow at one place of a box (or line)."""
    for digit in range(1, 10):
        for unit in range(0 if lines else 18, 18 if lines else 27):
            cell = only_place(marks, unit, 1 << (digit - 1))
            if cell >= 0:
                write(grid, log, method, cell, digit, unit)
                return 1
    return 0


@kernel
def meeting(marks: NDArray[np.int64], unit: int, bit: int) -> int:
    """The second unit that holds all places of `bit` in `unit`, when there are two or three.

    For a box that is a row or column (its digit is then a group number), for a line a box.
    """
    row = column = box = -1
    count = 0
    same_row = same_column = same_box = True
    for index in range(9):
        cell = UNITS[unit, index]
        if marks[cell] & bit:
            if count == 0:
                row, column, box = int(ROW[cell]), int(COLUMN[cell]), int(BOX[cell])
            same_row &= row == ROW[cell]
            same_column &= column == COLUMN[cell]
            same_box &= box == BOX[cell]
            count += 1
    if count < 2:
        return NO_UNIT
    if unit < 18:
        return 18 + box if same_box else NO_UNIT
    return row if same_row else 9 + column if same_column else NO_UNIT


@kernel
def shade(grid: Pencil, marks: NDArray[np.int64]) -> None:
    """Write into `marks` what is left when every group number counts as placed in its line.

    Group numbers that only show with the help of others count as well.
    """
    for cell in range(CELLS):
        marks[cell] = grid.marks[cell]
    changed = True
    while changed:
        changed = False
        for box in range(18, 27):
            for digit in range(1, 10):
                bit = 1 << (digit - 1)
                line = meeting(marks, box, bit)
                if line < 0:
                    continue
                for index in range(9):
                    cell = UNITS[line, index]
                    if BOX[cell] != box - 18 and marks[cell] & bit:
                        marks[cell] &= ~bit
                        changed = True
