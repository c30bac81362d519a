"""Whether a clue can go: is there a solution with another digit in its cell?

That one question, asked of a puzzle whose solution is known, needs no full proof of uniqueness:
the search stops at the first solution it finds, and starts without the known digit.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.kernel import kernel
from workers.engines.machine.lanes import ROW
from workers.engines.machine.meter import metered
from workers.engines.sudoku.geometry import CELLS, Digits
from workers.engines.sudoku.layout import SLOT
from workers.engines.sudoku.search import LEVEL, NODES, Search, load, new_search, next_solution
from workers.errors import BudgetError

TEST_NODES: Final = 1_000_000
SLICE_ROWS: Final = 10_000

UNNEEDED, NEEDED, UNKNOWN = 0, 1, 2


@kernel
def is_needed(search: Search, puzzles: Digits, row: int, cell: int) -> int:
    """Whether the clue in `cell` is NEEDED for a single solution, or UNNEEDED; UNKNOWN is a
    budget run out. The puzzle has one solution; it is left as it was."""
    digit = puzzles[row, cell]
    puzzles[row, cell] = 0
    load(search, puzzles, row)
    puzzles[row, cell] = digit
    slot = SLOT[cell]
    at = ROW * (slot // 27) + np.int64(digit) - 1
    search.board[at] = np.int64(search.board[at]) & ~(1 << (slot % 27))
    if next_solution(search, search.cursor[NODES] + TEST_NODES) >= 0:
        return NEEDED
    return UNNEEDED if search.cursor[LEVEL] < 0 else UNKNOWN


@kernel
def is_minimal(search: Search, puzzles: Digits, row: int) -> int:
    """NEEDED if every clue is, else UNNEEDED or UNKNOWN, as for the first clue that is not."""
    for cell in range(CELLS):
        if puzzles[row, cell] != 0:
            verdict = is_needed(search, puzzles, row, cell)
            if verdict != NEEDED:
                return verdict
    return NEEDED


@kernel
def is_unique(search: Search, puzzles: Digits, row: int) -> bool:
    """Whether the puzzle, which has a solution, has no other; False also when out of nodes."""
    load(search, puzzles, row)
    end = search.cursor[NODES] + TEST_NODES
    solved = 0
    for _ in range(2):
        solved = next_solution(search, end)
    return solved < 0 and search.cursor[LEVEL] < 0


@kernel
def minimal_rows(search: Search, puzzles: Digits, verdicts: NDArray[np.int8], first: int) -> int:
    """Judge puzzles from row `first` on for a slice; return the row to go on with."""
    last = min(len(puzzles), first + SLICE_ROWS)
    for row in range(first, last):
        verdicts[row] = is_minimal(search, puzzles, row)
    return last


@metered
def minimal(puzzles: Digits, solutions: Digits) -> NDArray[np.bool_]:
    """Whether each puzzle (n, 81) needs every clue for its one solution (n, 81); shape (n,).

    Raises ValueError when a solution does not fit, BudgetError when a question stays open
    (which no puzzle with one solution is known to do).
    """
    puzzles = np.array(puzzles, dtype=np.uint8, order="C").reshape(-1, CELLS)
    if not ((puzzles == 0) | (puzzles == solutions)).all():
        raise ValueError("a solution differs from its puzzle's clues")
    verdicts = np.zeros(len(puzzles), dtype=np.int8)
    search = new_search()
    row = 0
    while row < len(puzzles):
        row = minimal_rows(search, puzzles, verdicts, row)
    if (verdicts == UNKNOWN).any():
        raise BudgetError("minimality", f"open after {TEST_NODES} nodes")
    needed: NDArray[np.bool_] = verdicts == NEEDED
    return needed
