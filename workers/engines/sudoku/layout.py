"""How the band engine lays out candidates: three words of 27 minirows for each digit.

A minirow is the three cells that a row and a box share. Minirow 9*r + 3*b + k is row r of band b
in stack k; word j of a digit says in bit m whether the j-th cell of minirow m can hold the digit.
So the OR of the three words is the pattern of possible minirows; in it the three boxes of a row
are neighbours (distance 1), the bands lie 3 and the rows of a band 9 apart.

A board (see machine.lanes) has the digits in its lanes: rows 0, 1, 2 are the words. In row 3, mark
CLAIMED + j holds the cells of word j that some digit has claimed, mark PAIRS + j the cells with two
candidates.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.lanes import ROW
from workers.engines.machine.packing import Order, mask_reader, mask_writer
from workers.engines.sudoku.geometry import CELLS, PEERS, Table

FULL: Final = (1 << 27) - 1
SIZE: Final = 4 * ROW  # words of a board
CLAIMED: Final = 3 * ROW
PAIRS: Final = 3 * ROW + 4


def slot_of(cell: int) -> int:
    """The slot 27*j + m of `cell`."""
    row, column = divmod(cell, 9)
    return 27 * (column % 3) + 9 * (row % 3) + 3 * (row // 3) + column // 3


def _frozen(values: list[int], dtype: type[np.generic] = np.int64) -> NDArray[np.generic]:
    table = np.array(values, dtype=dtype)
    table.setflags(write=False)
    return table


def _peer_masks() -> NDArray[np.uint64]:
    masks = np.zeros((CELLS, 2), dtype=np.uint64)
    for cell in range(CELLS):
        for peer in PEERS[cell]:
            word, minirow = divmod(slot_of(int(peer)), 27)
            masks[slot_of(cell), word // 2] |= np.uint64(1 << (minirow + 32 * (word % 2)))
    masks.setflags(write=False)
    return masks


SLOT: Final[Table] = _frozen([slot_of(cell) for cell in range(CELLS)])  # type: ignore[assignment]
"""The slot 27*j + m of each cell, shape (81,)."""

CELL: Final[Table] = _frozen(sorted(range(CELLS), key=slot_of))  # type: ignore[assignment]
"""The cell of each slot, shape (81,)."""

PEER_MASKS: Final = _peer_masks()
"""Peers of each slot: words 0 and 1 (in the upper 32 bits), and word 2; shape (81, 2) uint64."""

ORDER: Final[Order] = tuple(
    tuple(int(cell) for cell in CELL[27 * word : 27 * word + 27]) for word in range(3)
)

read_clues = mask_reader(ORDER, CLAIMED)
"""`read_clues(board, base, puzzles, row)`: clues into the words, empty cells into CLAIMED."""

write_digits = mask_writer(ORDER)
"""`write_digits(board, base, solutions, row)`: a solved board as digits."""
