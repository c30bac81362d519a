"""Tables of the band engine: how 27 cells of a band lie in a word, and what a pattern implies.

A band's candidates of one digit are the low 27 bits of an int64. Cell (row r, box k, place j in
its minirow) of the band is bit 9*j + 3*r + k, so a word is three planes of nine bits and the OR
of the planes says which of the nine minirows (row r, box k: bit 3*r + k) are possible at all.
"""

from itertools import permutations
from typing import Final

import numpy as np

from workers.engines.sudoku.geometry import CELLS, COLUMN, ROW, Table

FULL: Final = (1 << 27) - 1
"""Every cell of a band."""

PLANES: Final = 0b1_000000001_000000001
"""A pattern of minirows times this is the mask of their cells."""

COLUMNS: Final = 0b111_000000111_000000111
"""The first row of each box: bit 9*j + k stands for column 3*k + j."""

ROWS_OF_COLUMNS: Final = 0b1001001
"""A mask of columns times this is the mask of their cells."""


def band_bit(cell: int) -> int:
    """The bit of `cell` in the word of its band."""
    row, column = divmod(cell, 9)
    return 9 * (column % 3) + 3 * (row % 3) + column // 3


def _frozen(values: list[int]) -> Table:
    table = np.array(values, dtype=np.int64)
    table.setflags(write=False)
    return table


# A digit takes one minirow in each row and in each box of a band: a permutation.
_PLACINGS = [sum(1 << (3 * row + box) for row, box in enumerate(boxes))
             for boxes in permutations(range(3))]  # fmt: skip


def _closure(pattern: int) -> int:
    """The minirows of `pattern` that some placing inside it uses."""
    union = 0
    for placing in _PLACINGS:
        if placing & ~pattern == 0:
            union |= placing
    return union


def _alone(pattern: int) -> int:
    """The minirows of `pattern` that are the only one in their row."""
    rows = (pattern & (0b111 << (3 * row)) for row in range(3))
    return sum(minirows for minirows in rows if minirows.bit_count() == 1)


KEEP: Final = _frozen([_closure(pattern) * PLANES for pattern in range(512)])
"""Cells of a band that remain for a digit by its pattern of minirows; 0 is a contradiction."""

ALONE: Final = _frozen([_alone(_closure(pattern)) * PLANES for pattern in range(512)])
"""Of these, the cells of minirows that are alone in their row."""

CELL_BAND: Final = _frozen([int(row) // 3 for row in ROW])
"""Band 0..2 of each cell, shape (81,)."""

CELL_BIT: Final = _frozen([band_bit(cell) for cell in range(CELLS)])
"""Bit 0..26 of each cell in its band's word, shape (81,)."""

BIT_CELL: Final = _frozen([
    next(cell for cell in range(27 * band, 27 * band + 27) if band_bit(cell) == bit)
    for band in range(3)
    for bit in range(27)
])  # fmt: skip
"""The cell of bit `bit` in band `band` at 27*band + bit, shape (81,)."""


def _where(related: list[list[bool]]) -> Table:
    return _frozen([sum(1 << bit for bit in range(27) if row[bit]) for row in related])


_PLACE = [(int(ROW[cell]), int(COLUMN[cell])) for cell in BIT_CELL[:27]]

ROW_ONLY: Final = _where([[r != row or (r, c) == (row, column) for r, c in _PLACE]
                          for row, column in _PLACE])  # fmt: skip
"""What a digit placed at a bit leaves of its band by its row, shape (27,)."""

BAND_PEERS: Final = _where([[(r == row or c // 3 == column // 3) and (r, c) != (row, column)
                             for r, c in _PLACE] for row, column in _PLACE])  # fmt: skip
"""Peers of a bit in the same band, shape (27,)."""

COLUMN_PEERS: Final = _where([[c == column for _, c in _PLACE] for _, column in _PLACE])
"""Peers of a bit in another band, shape (27,)."""
