"""Remote Pair: a chain of cells with the same two candidates.

Start cells ascending, from each for both digits all paths depth first, neighbours by row, column,
rest of the box, up to ten cells. Of all steps the one that removes most is taken, then the
lightest, then the first.
"""

from typing import Final

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import CELLS, DIGITS, REMOVED, Board, Marks, clear, mark
from workers.engines.sudoku.techniques.sets import (
    NEIGHBOURS,
    PEERS_HIGH,
    PEERS_LOW,
    admitting,
    mark_set,
    seeing_both,
    size_of,
    weigh,
)
from workers.engines.sudoku.techniques.technique import HARD, Technique

REMOTE_PAIR = 200

LONGEST: Final = 10
"""Cells of the longest path."""

NODE_BUDGET: Final = 100_000
"""Path cells tried per search. A unit of a board with a solution has at most two such cells, which
keeps far below; other boards may need more and are not searched to the end."""

TECHNIQUES = (
    Technique(
        name="remote_pair",
        title="Remote Pair",
        code="0703",
        order=2800,
        level=HARD,
        score=110,
        finder=REMOTE_PAIR,
        sentence="{title} {digits} in {cells}: removes {eliminations}",
    ),
)


@kernel
def find_remote_pair(board: Board, marks: Marks, skip: int) -> bool:
    """Mark the preferred Remote Pair, for `skip` > 0 number `skip` - 1 of all."""
    if skip:
        return bool(scan_pairs(board, marks, skip - 1) < 0)
    best = scan_pairs(board, marks, -1)
    if best > 0:
        scan_pairs(board, marks, best - 1)
    return bool(best > 0)


@kernel
def scan_pairs(board: Board, marks: Marks, wanted: int) -> int:
    """Mark path number `wanted` and return -1; otherwise the preferred path's number plus 1.

    marks.picks holds the path, marks.items the next neighbour of each of its cells.
    """
    best = best_size = best_weight = number = nodes = 0
    for start in range(81):
        pair = board.cells[start]
        if popcount(pair) != 2 or not paired(board, start):
            continue
        for digit in (lowest(pair), lowest(pair & (pair - 1))):
            marks.picks[0] = start
            marks.items[0] = 0
            length = 1
            while length and nodes < NODE_BUDGET:
                turn = marks.items[length - 1]
                if turn == 20 or length == LONGEST:
                    length -= 1
                    continue
                marks.items[length - 1] = turn + 1
                cell = NEIGHBOURS[marks.picks[length - 1], turn]
                if board.cells[cell] != pair or on_path(marks, length, cell):
                    continue
                nodes += 1
                marks.picks[length] = cell
                marks.items[length] = 0
                length += 1
                if length < 4 or length % 2:
                    continue
                low, high = seeing_both(board, digit, start, cell)
                if low == 0 and high == 0:
                    continue
                if number == wanted:
                    mark_pair(board, marks, length, pair)
                    return -1
                number += 1
                size, weight = measure(board, marks, length, pair)
                if size > best_size or (size == best_size and weight < best_weight):
                    best, best_size, best_weight = number, size, weight
    return best


@kernel
def paired(board: Board, start: int) -> bool:
    """Whether some peer of `start` has the same candidates."""
    for k in range(20):
        if board.cells[NEIGHBOURS[start, k]] == board.cells[start]:
            return True
    return False


@kernel
def on_path(marks: Marks, length: int, cell: int) -> bool:
    """Whether `cell` is among the first `length` cells of the path."""
    for k in range(length):
        if marks.picks[k] == cell:
            return True
    return False


@kernel
def trapped(marks: Marks, length: int) -> tuple[int, int]:
    """The cells that see two cells of the path at an odd distance of at least three."""
    low = high = 0
    for i in range(length - 3):
        for j in range(i + 3, length, 2):
            low |= PEERS_LOW[marks.picks[i]] & PEERS_LOW[marks.picks[j]]
            high |= PEERS_HIGH[marks.picks[i]] & PEERS_HIGH[marks.picks[j]]
    return low, high


@kernel
def measure(board: Board, marks: Marks, length: int, pair: int) -> tuple[int, int]:
    """How many candidates the path removes, and their weight."""
    seen_low, seen_high = trapped(marks, length)
    size = weight = 0
    while pair:
        low, high = admitting(board, lowest(pair))
        low &= seen_low
        high &= seen_high
        weight += weigh(low, high, lowest(pair), size)
        size += size_of(low, high)
        pair &= pair - 1
    return size, weight


@kernel
def mark_pair(board: Board, marks: Marks, length: int, pair: int) -> None:
    """Mark what the path removes, digit by digit."""
    clear(marks)
    for k in range(length):
        mark(marks, CELLS, marks.picks[k])
    seen_low, seen_high = trapped(marks, length)
    while pair:
        digit = lowest(pair)
        low, high = admitting(board, digit)
        mark(marks, DIGITS, digit)
        mark_set(marks, REMOVED, low & seen_low, high & seen_high, digit)
        pair &= pair - 1
