"""Backdoors: the fewest cells whose digits, once known, let singles solve the rest.

A (weak) backdoor in the sense of Williams, Gomes and Selman (Backdoors to Typical Case Complexity,
2003), with naked and hidden singles for the simple solver: a set of cells which, filled in from the
solution, leave a puzzle that singles alone solve. Its size is 0 for a puzzle that singles solve at
once; players know cells that are a backdoor by themselves as magic cells.

A position is six groups of nine words: candidates and placed cells of band 0, 1 and 2, a word for
each digit, cell c of a band at bit c % 27. Only digits of the solution are ever placed, so nothing
here can run into a contradiction.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.machine.meter import metered
from workers.engines.sudoku.geometry import CELLS, PEERS, Digits

BANDS: Final = 3
PLACED: Final = 27  # where the words of placed cells begin
SIZE: Final = 54
FULL: Final = (1 << 27) - 1
ROW_MASK: Final = 0o777
BOX_MASK: Final = 0o007007007
LARGEST: Final = 2
SLICE_ROWS: Final = 50

Position = NDArray[np.int64]


def _peers() -> NDArray[np.int64]:
    """The peers of each cell as a word a band, shape (81, 3)."""
    table = np.zeros((CELLS, BANDS), dtype=np.int64)
    for cell in range(CELLS):
        for peer in PEERS[cell]:
            table[cell, peer // 27] |= 1 << int(peer % 27)
    table.setflags(write=False)
    return table


PEER_WORDS: Final = _peers()


class Backdoors(NamedTuple):
    """The smallest backdoors of each puzzle."""

    sizes: NDArray[np.int8]  # 0, 1, 2; 3 stands for more
    counts: NDArray[np.int32]  # how many there are of that size; 0 for size 3


@kernel
def place(position: Position, cell: int, digit: int) -> None:
    """Place digit + 1 in a cell: no other digit there, and none of it in the peers."""
    band, bit = cell // 27, 1 << (cell % 27)
    for other in range(9):
        position[9 * band + other] &= ~bit
    for word in range(BANDS):
        position[9 * word + digit] &= ~PEER_WORDS[cell, word]
    position[9 * band + digit] |= bit
    position[PLACED + 9 * band + digit] |= bit


@kernel
def hidden_of_digit(position: Position, digit: int, band: int) -> int:
    """Cells of a band that are the only ones of their row, box or column for a digit."""
    word = int(position[9 * band + digit])
    found = 0
    for line in range(3):
        row, box = word & ROW_MASK << 9 * line, word & BOX_MASK << 3 * line
        if row & (row - 1) == 0:
            found |= row
        if box & (box - 1) == 0:
            found |= box
    once, twice = 0, 0
    for other in range(BANDS):
        cells = int(position[9 * other + digit])
        for line in range(3):
            row = cells >> 9 * line & ROW_MASK
            twice |= once & row
            once |= row
    single = once & ~twice
    return found | word & (single | single << 9 | single << 18)


@kernel
def naked(position: Position, band: int) -> int:
    """Cells of a band with one candidate."""
    once, twice = 0, 0
    for digit in range(9):
        word = int(position[9 * band + digit])
        twice |= once & word
        once |= word
    return once & ~twice


@kernel
def close(position: Position) -> bool:
    """Place all singles; return whether every cell is filled then."""
    filled, moved = 0, True
    while moved:
        filled, moved = 0, False
        for band in range(BANDS):
            alone = naked(position, band)
            for digit in range(9):
                at = 9 * band + digit
                cells = (hidden_of_digit(position, digit, band) | alone) & position[at]
                cells &= ~position[PLACED + at]
                while cells:
                    bit = lowest(cells)
                    cells &= cells - 1
                    # A placement may have taken this candidate's place in the meantime.
                    if position[at] >> bit & 1:
                        place(position, 27 * band + bit, digit)
                        moved = True
                filled += popcount(position[PLACED + at])
    return filled == CELLS


@kernel
def try_cell(stack: NDArray[np.int64], level: int, cell: int, digit: int) -> bool:
    """Fill a cell of the position at `level`, into the next level; whether singles solve that."""
    for word in range(SIZE):
        stack[level + 1, word] = stack[level, word]
    place(stack[level + 1], cell, digit)
    return close(stack[level + 1])


@kernel
def open_cells(position: Position, cells: NDArray[np.int64]) -> int:
    """List the cells that are not filled, ascending; return how many there are."""
    count = 0
    for band in range(BANDS):
        empty = FULL
        for digit in range(9):
            empty &= ~position[PLACED + 9 * band + digit]
        while empty:
            cells[count] = 27 * band + lowest(empty)
            empty &= empty - 1
            count += 1
    return count


@kernel
def count_backdoors(stack: NDArray[np.int64], solutions: Digits, row: int, size: int) -> int:
    """How many sets of `size` cells, 1 or 2, are a backdoor of the position at level 0."""
    first, second = np.zeros(CELLS, dtype=np.int64), np.zeros(CELLS, dtype=np.int64)
    found = 0
    for one in range(open_cells(stack[0], first)):
        cell = first[one]
        solved = try_cell(stack, 0, cell, int(solutions[row, cell]) - 1)
        if size == 1:
            found += solved
            continue
        for two in range(open_cells(stack[1], second)):
            other = second[two]
            if other > cell:
                found += try_cell(stack, 1, other, int(solutions[row, other]) - 1)
    return found


@kernel
def backdoor_rows(puzzles: Digits, solutions: Digits, out: Backdoors, first: int) -> int:
    """Find backdoors from row `first` on for a slice of rows; return the row to go on with."""
    last = min(len(puzzles), first + SLICE_ROWS)
    stack = np.zeros((3, SIZE), dtype=np.int64)
    for row in range(first, last):
        for word in range(SIZE):
            stack[0, word] = FULL if word < PLACED else 0
        for cell in range(CELLS):
            if puzzles[row, cell]:
                place(stack[0], cell, int(puzzles[row, cell]) - 1)
        size, count = 0, 1
        if not close(stack[0]):
            count = 0
            while count == 0 and size < LARGEST:
                size += 1
                count = count_backdoors(stack, solutions, row, size)
            if count == 0:
                size = LARGEST + 1
        out.sizes[row] = size
        out.counts[row] = count
    return last


@metered
def backdoors(puzzles: Digits, solutions: Digits) -> Backdoors:
    """The smallest backdoors of puzzles (n, 81) with one solution each, (n, 81).

    Costs a few microseconds where singles do, 0.1 ms for size 1, some milliseconds beyond.
    """
    puzzles = np.ascontiguousarray(puzzles, dtype=np.uint8).reshape(-1, CELLS)
    solutions = np.ascontiguousarray(solutions, dtype=np.uint8).reshape(-1, CELLS)
    count = len(puzzles)
    out = Backdoors(np.zeros(count, dtype=np.int8), np.zeros(count, dtype=np.int32))
    row = 0
    while row < count:
        row = backdoor_rows(puzzles, solutions, out, row)
    return out
