"""How far each way of looking carries: a solver who looks for the easiest kind of move first.

Kinds, easiest first: the last empty cell of a unit, the only place of a digit in a box, in a row or
column, the only digit of a cell. A round makes, at once, all moves of the easiest kind that there
is. So the counts are equal for all isomorphs of a puzzle.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import PEERS, UNITS, Digits

LOOKS: Final = ("full_house", "box", "line", "cell")
LAST, BOX, LINE, CELL = range(4)


@kernel
def look_rows(puzzles: Digits, out: NDArray[np.int8]) -> None:
    """Write the rounds and the filled cells of each look into `out` (n, 2, 4)."""
    cells = np.zeros(81, dtype=np.int64)
    found = np.zeros((4, 81), dtype=np.int64)
    for row in range(len(puzzles)):
        for cell in range(81):
            cells[cell] = 0x1FF
        for cell in range(81):
            if puzzles[row, cell]:
                write(cells, cell, 1 << (np.int64(puzzles[row, cell]) - 1))
        look = easiest(cells, found)
        while look >= 0:
            out[row, 0, look] += 1
            for cell in range(81):
                if found[look, cell]:
                    out[row, 1, look] += 1
                    write(cells, cell, found[look, cell])
            look = easiest(cells, found)


@kernel
def write(cells: NDArray[np.int64], cell: int, bit: np.int64 | int) -> None:
    """Write a digit, given by its bit: nobody else may have it."""
    cells[cell] = 0
    for k in range(20):
        cells[PEERS[cell, k]] &= ~bit


@kernel
def easiest(cells: NDArray[np.int64], found: NDArray[np.int64]) -> int:
    """The easiest look that finds a move, or -1; `found[look]` gets the bit of each move."""
    for look in range(4):
        for cell in range(81):
            found[look, cell] = 0
    for unit in range(27):
        look_at_unit(cells, unit, found)
    for cell in range(81):
        if popcount(cells[cell]) == 1:
            found[CELL, cell] = cells[cell]
    for look in range(4):
        for cell in range(81):
            if found[look, cell]:
                return look
    return -1


@kernel
def look_at_unit(cells: NDArray[np.int64], unit: int, found: NDArray[np.int64]) -> None:
    """Find the digits that have one place in `unit`; the unit's last cell is found as such."""
    once, more, empty = np.int64(0), np.int64(0), 0
    for k in range(9):
        mask = cells[UNITS[unit, k]]
        more |= once & mask
        once |= mask
        empty += 1 if mask else 0
    look = LAST if empty == 1 else BOX if unit >= 18 else LINE
    once &= ~more
    while once:
        bit = 1 << lowest(once)
        once ^= bit
        for k in range(9):
            if cells[UNITS[unit, k]] & bit:
                found[look, UNITS[unit, k]] = bit
