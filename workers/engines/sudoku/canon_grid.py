"""The first steps of the canonical form of a complete grid.

All rows and all orders of the columns give the first row 123456789, so the general search would
start with 23,328 states. Here the first minirow of the second row chooses them: it is 456 if some
band has two rows whose minirows hold the same three digits, else 457, and the digits it names
settle the order of nearly all columns. At most 648 states remain.
"""

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.canon_search import LAST, ORDERS, SIDE, USED, Workspace, keep

GRID_LEVELS = 4
"""Minirows that `start_grid` settles."""


@kernel
def is_complete(puzzle: NDArray[np.uint8]) -> bool:
    """Whether `puzzle` (81,) has each digit once in every row, column and box."""
    units = np.zeros(27, np.int64)
    for cell in range(81):
        row, column = cell // 9, cell % 9
        digit = 1 << np.int64(puzzle[cell]) >> 1
        units[row] |= digit
        units[9 + column] |= digit
        units[18 + row // 3 * 3 + column // 3] |= digit
    return bool(np.all(units == 511))


@kernel
def start_grid(work: Workspace) -> None:
    """Write the states of a complete grid that settle the first four minirows."""
    for side in range(2):
        for first in range(9):
            columns = columns_of_digits(work, side, first)
            for second in range(first // 3 * 3, first // 3 * 3 + 3):
                if second != first:
                    chosen = 1 << USED + first | 1 << USED + second | side << SIDE | second << LAST
                    start_pair(work, chosen, first, columns)


@kernel
def columns_of_digits(work: Workspace, side: int, row: int) -> int:
    """The column of each digit d of a full row, in bits 4*d to 4*d+3."""
    columns = 0
    for column in range(9):
        digit = work.minirows[side, row, column // 3] >> 4 * (column % 3) & 15
        columns |= column << 4 * digit
    return columns


@kernel
def start_pair(work: Workspace, chosen: int, first: int, columns: int) -> None:
    """Add the states that begin with row `first` and then the last row of `chosen`."""
    second = work.minirows[chosen >> SIDE & 1, chosen >> LAST]
    for stack in range(3):
        for choice in range(1, 7):
            order = ORDERS[63, 7, choice]
            a, b, c = columns_above(columns, second[stack], order)
            middle, right = a // 3, 3 - stack - a // 3
            if b // 3 != middle:
                continue
            places = chosen | stack << 6 | order | middle << 14 | right << 22
            if c // 3 == middle:
                middle_order = order_of(a, b, c)
                x, y, z = columns_above(columns, second[middle], middle_order)
                places |= middle_order << 8 | order_of(x, y, z) << 16
                keep(work, 0x456, places, labels_of_row(work, first, places))
            else:
                places |= order_of(a, b, 3 - a % 3 - b % 3) << 8
                for step in (1, 2):
                    seated = places | order_of(c, c + step, c + 3 - step) << 16
                    keep(work, 0x457, seated, labels_of_row(work, first, seated))


@kernel
def columns_above(columns: int, minirow: int, order: int) -> tuple[int, int, int]:
    """Columns that the digits of `minirow`, put into `order`, have in another row."""
    a = columns >> 4 * (minirow >> 4 * (order & 3) & 15) & 15
    b = columns >> 4 * (minirow >> 4 * (order >> 2 & 3) & 15) & 15
    c = columns >> 4 * (minirow >> 4 * (order >> 4) & 15) & 15
    return a, b, c


@kernel
def order_of(a: int, b: int, c: int) -> int:
    """The order of a stack with these columns from the left."""
    return a % 3 | b % 3 << 2 | c % 3 << 4


@kernel
def labels_of_row(work: Workspace, row: int, places: int) -> int:
    """Labels that name the digits of a full row 1 to 9 from the left."""
    minirows = work.minirows[places >> SIDE & 1, row]
    labels = 0
    for slot in range(3):
        seat = places >> 8 * slot
        for position in range(3):
            digit = minirows[seat >> 6 & 3] >> 4 * (seat >> 2 * position & 3) & 15
            labels |= 3 * slot + position + 1 << 4 * digit
    return labels
