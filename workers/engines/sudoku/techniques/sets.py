"""Sets of cells as two words: rows 1-5 in the low one (45 bits), rows 6-9 in the high (36 bits).

"Sees both" is an intersection of two peer sets, "and still admits the digit" one more.
"""

from typing import Final

import numpy as np

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import REMOVED, Board, Marks, mark
from workers.engines.sudoku.geometry import CELL_UNITS, COLUMN, PEERS, ROW, UNITS, Table

LOW: Final = 45
"""Cells in the low word."""


def _words(sets: list[list[int]], half: int) -> Table:
    cells = range(LOW) if half == 0 else range(LOW, 81)
    words = [sum(1 << (cell - cells[0]) for cell in chosen if cell in cells) for chosen in sets]
    table = np.array(words, dtype=np.int64)
    table.setflags(write=False)
    return table


PEERS_LOW: Final = _words(PEERS.tolist(), 0)
PEERS_HIGH: Final = _words(PEERS.tolist(), 1)
"""The peers of each cell as a set, two words of shape (81,)."""

UNITS_LOW: Final = _words(UNITS.tolist(), 0)
UNITS_HIGH: Final = _words(UNITS.tolist(), 1)
"""The cells of each unit as a set, two words of shape (27,)."""

NEIGHBOURS: Final = np.array(
    [
        [cell for unit in UNITS[CELL_UNITS[one, :2]].tolist() for cell in unit if cell != one]
        + [c for c in UNITS[CELL_UNITS[one, 2]] if ROW[c] != ROW[one] and COLUMN[c] != COLUMN[one]]
        for one in range(81)
    ],
    dtype=np.int64,
)
"""The peers of each cell as chains take them: by row, column, rest of the box, shape (81, 20)."""
NEIGHBOURS.setflags(write=False)


@kernel
def admitting(board: Board, digit: int) -> tuple[int, int]:
    """The cells that admit `digit`."""
    low = high = 0
    for row in range(5):
        low |= board.places[row, digit] << (9 * row)
    for row in range(4):
        high |= board.places[row + 5, digit] << (9 * row)
    return low, high


@kernel
def seeing_both(board: Board, digit: int, one: int, other: int) -> tuple[int, int]:
    """The cells that admit `digit` and see both cells."""
    low, high = admitting(board, digit)
    low &= PEERS_LOW[one] & PEERS_LOW[other]
    high &= PEERS_HIGH[one] & PEERS_HIGH[other]
    return low, high


@kernel
def sees(one: int, other: int) -> bool:
    """Whether two cells share a unit; a cell does not see itself."""
    if other < LOW:
        return bool((PEERS_LOW[one] >> other) & 1)
    return bool((PEERS_HIGH[one] >> (other - LOW)) & 1)


@kernel
def single(cell: int) -> tuple[int, int]:
    """The set of one cell."""
    if cell < LOW:
        return 1 << cell, 0
    return 0, 1 << (cell - LOW)


@kernel
def mark_set(marks: Marks, role: int, low: int, high: int, digit: int) -> None:
    """Append the cells of a set, ascending, or for REMOVED the candidates of `digit` there."""
    for start in (0, LOW):
        word = high if start else low
        while word:
            cell = start + lowest(word)
            word &= word - 1
            mark(marks, role, 9 * cell + digit if role == REMOVED else cell)


@kernel
def size_of(low: int, high: int) -> int:
    """The number of cells in a set."""
    return popcount(low) + popcount(high)


@kernel
def weigh(low: int, high: int, digit: int, start: int) -> int:
    """What the eliminations of `digit` in a set weigh, as numbers `start`, `start` + 1, ... .

    The k-th elimination of a step weighs cell * (1 + 80 k) + digit, digit 1-9. Of two steps with
    as many eliminations the lighter one is preferred.
    """
    weight = 0
    k = start
    for first in (0, LOW):
        word = high if first else low
        while word:
            weight += (first + lowest(word)) * (1 + 80 * k) + digit + 1
            word &= word - 1
            k += 1
    return weight


@kernel
def partner(board: Board, digit: int, cell: int, which: int) -> int:
    """The cell that is strongly linked to `cell`, by its row, column or box (0-2), or -1.

    In a box only a cell of another row and column counts.
    """
    if which == 0:
        places = board.places[ROW[cell], digit] & ~(1 << COLUMN[cell])
        if popcount(places) == 1:
            return int(9 * ROW[cell] + lowest(places))
        return -1
    if which == 1:
        places = board.places[9 + COLUMN[cell], digit] & ~(1 << ROW[cell])
        if popcount(places) == 1:
            return int(9 * lowest(places) + COLUMN[cell])
        return -1
    row, column = ROW[cell], COLUMN[cell]
    box = 3 * (row // 3) + column // 3
    places = board.places[18 + box, digit] & ~(1 << (3 * (row % 3) + column % 3))
    if popcount(places) == 1:
        other = UNITS[18 + box, lowest(places)]
        if ROW[other] != row and COLUMN[other] != column:
            return int(other)
    return -1
