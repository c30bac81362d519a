"""The simulated solver's grid: candidates as bits, counted by cell and by unit.

Legend: a `pencil` is int64 (SIZE,), one array so that copying it is one loop.
    pencil[2 * d + h]       cells that admit digit d: half h = 0 are cells 0..44, 1 are 45..80
    pencil[UNITS_AT + 3 * d + k]  nine counts of 4 bits: places for d by row, column, box (k)
    pencil[CELLS_AT + row]  nine counts of 4 bits: candidates of the cells of a row
    pencil[PENDING + h]     cells that some simple move can fill
    pencil[COUNT]           how many moves there are; pencil[MOVES + i] = 9 * cell + digit
A count of a filled cell, or of a unit that has its digit, is far above 1 and never looked at.
A move stays possible until it is made or the grid breaks: whoever takes away its digit, or fills
its cell otherwise, leaves a cell or a unit without candidates.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import BOX, COLUMN, PEERS, ROW, UNITS, Digits, Table

Pencil = NDArray[np.int64]

HALF_CELLS: Final = 45
UNITS_AT, CELLS_AT, PENDING, COUNT, MOVES = 18, 45, 54, 56, 57
SIZE: Final = MOVES + 3 * 81
GONE: Final = 15
"""A count that no longer matters."""


def _halves(cells: list[int]) -> list[int]:
    masks = [0, 0]
    for cell in cells:
        masks[cell // HALF_CELLS] |= 1 << cell % HALF_CELLS
    return masks


def _frozen(values: list[list[int]]) -> Table:
    table = np.array(values, dtype=np.int64)
    table.setflags(write=False)
    return table


SEEN: Final = _frozen([_halves(peers) for peers in PEERS.tolist()])
"""The peers of each cell as two halves, (81, 2)."""

MEMBERS: Final = _frozen([_halves(cells) for cells in UNITS.tolist()])
"""The cells of each unit as two halves, (27, 2)."""

SHIFTS: Final = _frozen([[4 * int(table[cell]) for table in (ROW, COLUMN, BOX)]
                         for cell in range(81)])  # fmt: skip
"""Where the counts of a cell's row, column and box stand in their words, (81, 3)."""


def new_pencil() -> Pencil:
    """A pencil without a puzzle."""
    return np.zeros(SIZE, dtype=np.int64)


@kernel
def load(pencil: Pencil, puzzle: Digits) -> int:
    """Pencil in `puzzle` (81,), whose clues do not clash; return how many cells are empty."""
    for word in range(MOVES):
        pencil[word] = 0
    taken = np.zeros(27, dtype=np.int64)
    for cell in range(81):
        if puzzle[cell]:
            bit = 1 << np.int64(puzzle[cell])
            for k in range(3):
                taken[9 * k + (SHIFTS[cell, k] >> 2)] |= bit
    empty = 0
    for cell in range(81):
        if puzzle[cell]:
            pencil[CELLS_AT + cell // 9] |= GONE << SHIFTS[cell, 1]
            continue
        empty += 1
        unseen = taken[SHIFTS[cell, 0] >> 2] | taken[9 + (SHIFTS[cell, 1] >> 2)]
        unseen = 1022 & ~(unseen | taken[18 + (SHIFTS[cell, 2] >> 2)])
        while unseen:
            digit = lowest(unseen) - 1
            unseen &= unseen - 1
            pencil[2 * digit + cell // HALF_CELLS] |= 1 << cell % HALF_CELLS
            pencil[CELLS_AT + cell // 9] += 1 << SHIFTS[cell, 1]
            for k in range(3):
                pencil[UNITS_AT + 3 * digit + k] += 1 << SHIFTS[cell, k]
    for cell in range(81):
        if (pencil[CELLS_AT + cell // 9] >> SHIFTS[cell, 1]) & GONE == 1:
            see_naked(pencil, cell)
    for digit in range(9):
        for unit in range(27):
            if (pencil[UNITS_AT + 3 * digit + unit // 9] >> 4 * (unit % 9)) & GONE == 1:
                see_hidden(pencil, digit, unit)
    return empty


@kernel
def see_move(pencil: Pencil, cell: int, digit: np.int64 | int) -> None:
    """Note that `digit` is a simple move in `cell`, once."""
    half, bit = cell // HALF_CELLS, 1 << cell % HALF_CELLS
    move, count = 9 * cell + digit, pencil[COUNT]
    if pencil[PENDING + half] & bit:
        for index in range(count):
            if pencil[MOVES + index] == move:
                return
    pencil[PENDING + half] |= bit
    pencil[MOVES + count] = move
    pencil[COUNT] = count + 1


@kernel
def see_naked(pencil: Pencil, cell: int) -> None:
    """Note the last candidate of `cell`."""
    half, bit = cell // HALF_CELLS, 1 << cell % HALF_CELLS
    for digit in range(9):
        if pencil[2 * digit + half] & bit:
            see_move(pencil, cell, digit)


@kernel
def see_hidden(pencil: Pencil, digit: np.int64 | int, unit: int) -> bool:
    """Note the last place of `digit` in `unit`; False when there is none any more."""
    low = pencil[2 * digit] & MEMBERS[unit, 0]
    high = pencil[2 * digit + 1] & MEMBERS[unit, 1]
    if low:
        see_move(pencil, lowest(low), digit)
    elif high:
        see_move(pencil, HALF_CELLS + lowest(high), digit)
    else:
        return False
    return True


@kernel
def leave_units(pencil: Pencil, cell: int, digit: np.int64 | int) -> bool:
    """Count `digit` out of the units of `cell`; False when one has no place for it left."""
    for k in range(3):
        at, shift = UNITS_AT + 3 * digit + k, SHIFTS[cell, k]
        counts = pencil[at] - (1 << shift)
        pencil[at] = counts
        left = (counts >> shift) & GONE
        if left == 0 or (left == 1 and not see_hidden(pencil, digit, 9 * k + (shift >> 2))):
            return False
    return True


@kernel
def place(pencil: Pencil, cell: int, digit: np.int64 | int) -> bool:
    """Fill `cell` with its candidate `digit` (0..8) and see the moves that this makes.

    Returns False as soon as a cell or a unit is left without candidates; the pencil is of no more
    use then.
    """
    half, bit = cell // HALF_CELLS, 1 << cell % HALF_CELLS
    pencil[CELLS_AT + cell // 9] |= GONE << SHIFTS[cell, 1]
    for k in range(3):
        pencil[UNITS_AT + 3 * digit + k] |= GONE << SHIFTS[cell, k]
    pencil[2 * digit + half] ^= bit
    for other in range(9):
        if pencil[2 * other + half] & bit:
            pencil[2 * other + half] ^= bit
            if not leave_units(pencil, cell, other):
                return False
    for side in range(2):
        seen = pencil[2 * digit + side] & SEEN[cell, side]
        pencil[2 * digit + side] ^= seen
        while seen:
            peer = HALF_CELLS * side + lowest(seen)
            seen &= seen - 1
            at, shift = CELLS_AT + peer // 9, SHIFTS[peer, 1]
            counts = pencil[at] - (1 << shift)
            pencil[at] = counts
            left = (counts >> shift) & GONE
            if left == 0 or not leave_units(pencil, peer, digit):
                return False
            if left == 1:
                see_naked(pencil, peer)
    return True
