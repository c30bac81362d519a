"""Random full grids, every grid as likely as every other.

A grid is drawn in three steps. (1) The three boxes on the left and the three on top are drawn
uniformly from all their fillings: 9! for the corner and 56 * 6**6 for either arm. (2) From there a
search descends at random to one full grid; at each split it takes a side in proportion to an
estimate of the grids behind it. The product of the inverse probabilities is the weight of the
descent: on average over all descents from one start, dead ends counting 0, it is the number of
grids behind that start (Knuth 1975); over all starts 2693. (3) The grid is kept with probability
weight / CEILING, else drawn anew, so the chance of each grid is the same whatever its path.

Weights above the ceiling are kept with probability 1, which makes the grids behind them rarer than
they should be: 0.3 % of all, the total variation distance from the uniform distribution.
"""

from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.bits import popcount
from workers.engines.machine.kernel import kernel
from workers.engines.machine.lanes import ROW, Board, new_board
from workers.engines.machine.meter import metered
from workers.engines.machine.random import State, below, shuffle
from workers.engines.sudoku.branching import branch
from workers.engines.sudoku.closure import set_out
from workers.engines.sudoku.geometry import CELLS, UNITS, Digits, Table
from workers.engines.sudoku.layout import SIZE, read_clues, write_digits
from workers.engines.sudoku.search import REFUTED, SOLVED, settle

CEILING: Final = 16384
SLICE_GRIDS: Final = 5_000
_RESOLUTION: Final = 1 << 30


def _splits() -> Table:
    """Which of the corner's cells (row-major bits) go one row on in the next box, else two."""
    alike = [triple for triple in product(range(8), repeat=3)
             if len({row.bit_count() for row in triple}) == 1]  # fmt: skip
    table = np.array([a | b << 3 | c << 6 for a, b, c in alike], dtype=np.int64)
    table.setflags(write=False)
    return table


def _promises() -> Table:
    """How many grids to expect, relatively, by the candidates beyond one a cell: 6 % more each."""
    values = [1000]
    while len(values) <= 8 * CELLS:
        values.append(min(values[-1] * 53 // 50, 1 << 28))
    table = np.array(values, dtype=np.int64)
    table.setflags(write=False)
    return table


SPLITS: Final = _splits()
PROMISES: Final = _promises()


@kernel
def draw_arm(state: State, corner: NDArray[np.int64], grids: Digits, row: int, turned: int) -> None:
    """Fill two boxes beside the corner (or, `turned`, below it), uniformly from all fillings.

    Each corner row's digits go to the other two rows of the second box, and to the one left over
    in the third; a row of three digits has any order.
    """
    split = SPLITS[below(state, len(SPLITS))]
    filled = np.zeros(6, dtype=np.int64)
    arm = np.zeros((6, 3), dtype=np.int64)  # the rows of the second box, then of the third
    for index in range(9):
        line = index // 3
        digit = corner[line + 3 * (index % 3)] if turned else corner[index]
        for box in range(2):
            shift = 1 if split >> index & 1 == 1 - box else 2
            at = 3 * box + (line + shift) % 3
            arm[at, filled[at]] = digit
            filled[at] += 1
    for at in range(6):
        shuffle(state, arm[at])
        for place in range(3):
            along = 3 * (at // 3) + 3 + place
            line = at % 3
            grids[row, 9 * along + line if turned else 9 * line + along] = arm[at, place]


@kernel
def draw_start(state: State, grids: Digits, row: int) -> None:
    """Fill the left and the top boxes of a grid; the other cells are left empty."""
    corner = np.arange(1, 10)
    shuffle(state, corner)
    for cell in range(CELLS):
        grids[row, cell] = 0
    for index in range(9):
        grids[row, 9 * (index // 3) + index % 3] = corner[index]
    for turned in range(2):
        draw_arm(state, corner, grids, row, turned)


@kernel
def promise(board: Board, base: int, outcome: int) -> int:
    """About how many grids lie behind a settled position, in relation to others; 0 for none."""
    if outcome == REFUTED:
        return 0
    spare = -CELLS
    for word in range(3):
        for digit in range(9):
            spare += popcount(board[base + ROW * word + digit])
    value: int = PROMISES[spare]
    return value


@kernel
def descend(state: State, board: Board) -> float:
    """Go down at random from the position at level 0 to a solved one there; return the weight."""
    # Products, because Numba compiles a callee once more for a literal number.
    here, above = 0 * SIZE, 1 * SIZE
    weight = 1.0
    outcome = settle(board, here)
    while outcome != SOLVED:
        if outcome == REFUTED:
            return 0.0
        branch(board, here)
        outcome_above, outcome = settle(board, above), settle(board, here)
        yes, no = promise(board, above, outcome_above), promise(board, here, outcome)
        if yes + no == 0:
            return 0.0
        if below(state, yes + no) < yes:
            for word in range(SIZE):
                board[word] = board[SIZE + word]
            outcome = outcome_above
            weight *= (yes + no) / yes
        else:
            weight *= (yes + no) / no
    return weight


@kernel
def draw_grid(state: State, board: Board, grids: Digits, row: int) -> None:
    """Write a random full grid into `grids[row]`; levels 0 and 1 of `board` are worked in."""
    weight = 0.0
    while below(state, _RESOLUTION) * CEILING >= weight * _RESOLUTION:
        draw_start(state, grids, row)
        read_clues(board, 0, grids, row)
        set_out(board, 0)
        weight = descend(state, board)
    write_digits(board, 0, grids, row)


@kernel
def draw_grids(state: State, board: Board, grids: Digits, first: int) -> int:
    """Fill `grids` from row `first` on for a slice; return the row to go on with."""
    last = min(len(grids), first + SLICE_GRIDS)
    for row in range(first, last):
        draw_grid(state, board, grids, row)
    return last


@metered
def random_grids(state: State, count: int) -> Digits:
    """Draw `count` random full grids, uint8 (count, 81), uniformly; see the module."""
    grids = np.zeros((count, CELLS), dtype=np.uint8)
    board = new_board(2 * SIZE // ROW)
    row = 0
    while row < count:
        row = draw_grids(state, board, grids, row)
    return grids


def is_grid(digits: Digits) -> bool:
    """Whether (81,) digits are a complete grid: every digit once in each unit."""
    return bool((np.sort(digits[UNITS], axis=1) == np.arange(1, 10)).all())
