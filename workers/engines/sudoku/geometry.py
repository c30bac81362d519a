"""The board: cells, rows, columns, boxes, units and peers as index tables.

Cell 0..80 is row-major from the top left, shown as r1c1..r9c9. Units 0..8 are the rows, 9..17
the columns, 18..26 the boxes, boxes counted row-major. The tables are int64, so that an index
taken from one needs no widening in a kernel, and read-only: compiled kernels freeze them.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.int64]
"""A read-only table of indices."""

Digits = NDArray[np.uint8]
"""Boards as digits 1..9, 0 for an empty cell, row-major: shape (81,) or (n, 81)."""

CELLS: Final = 81


def _frozen(values: list[int] | list[list[int]]) -> Table:
    table = np.array(values, dtype=np.int64)
    table.setflags(write=False)
    return table


def _units() -> list[list[int]]:
    rows = [[9 * row + column for column in range(9)] for row in range(9)]
    columns = [[9 * row + column for row in range(9)] for column in range(9)]
    corners = [27 * band + 3 * stack for band in range(3) for stack in range(3)]
    boxes = [[corner + 9 * row + column for row in range(3) for column in range(3)]
             for corner in corners]  # fmt: skip
    return rows + columns + boxes


_UNITS = _units()
_CELL_UNITS = [[unit for unit in range(27) if cell in _UNITS[unit]] for cell in range(CELLS)]
_PEERS = [
    sorted({peer for unit in units for peer in _UNITS[unit]} - {cell})
    for cell, units in enumerate(_CELL_UNITS)
]

ROW: Final = _frozen([row for row, _, _ in _CELL_UNITS])
"""Row 0..8 of each cell, shape (81,)."""

COLUMN: Final = _frozen([column - 9 for _, column, _ in _CELL_UNITS])
"""Column 0..8 of each cell, shape (81,)."""

BOX: Final = _frozen([box - 18 for _, _, box in _CELL_UNITS])
"""Box 0..8 of each cell, shape (81,)."""

UNITS: Final = _frozen(_UNITS)
"""The nine cells of each unit, ascending, shape (27, 9)."""

CELL_UNITS: Final = _frozen(_CELL_UNITS)
"""Row, column and box unit (0..26) of each cell, shape (81, 3)."""

PEERS: Final = _frozen(_PEERS)
"""The twenty cells that share a unit with each cell, ascending, shape (81, 20)."""


def cell_name(cell: int) -> str:
    """Name a cell as a person reads it: `cell_name(0)` is "r1c1"."""
    return f"r{cell // 9 + 1}c{cell % 9 + 1}"


def unit_name(unit: int) -> str:
    """Name a unit as a person reads it: 0 is "row 1", 9 "column 1", 18 "box 1"."""
    return f"{('row', 'column', 'box')[unit // 9]} {unit % 9 + 1}"
