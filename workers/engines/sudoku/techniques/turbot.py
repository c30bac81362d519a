"""Turbot Fish: three links on one digit, strong, any, strong.

Start cells ascending, their digits, from there the chains depth first, neighbours by row, column,
rest of the box. Of all chains the one that removes most is taken, then the lightest, then the
first.
"""

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import CELLS, DIGITS, REMOVED, Board, Marks, clear, mark
from workers.engines.sudoku.techniques.sets import (
    NEIGHBOURS,
    PEERS_HIGH,
    PEERS_LOW,
    admitting,
    mark_set,
    partner,
    size_of,
    weigh,
)
from workers.engines.sudoku.techniques.technique import HARD, Technique

TURBOT_FISH = 205

TECHNIQUES = (
    Technique(
        name="turbot_fish",
        title="Turbot Fish",
        code="0403",
        order=3120,
        level=HARD,
        score=120,
        finder=TURBOT_FISH,
        sentence="{title} {digits} in {cells}: removes {eliminations}",
    ),
)


@kernel
def find_turbot(board: Board, marks: Marks, skip: int) -> bool:
    """Mark the preferred Turbot Fish, for `skip` > 0 number `skip` - 1 of all."""
    best = scan_turbots(board, marks, -1)
    if skip:
        return bool(scan_turbots(board, marks, skip - 1) < 0)
    if best > 0:
        scan_turbots(board, marks, best - 1)
    return bool(best > 0)


@kernel
def scan_turbots(board: Board, marks: Marks, wanted: int) -> int:
    """Mark chain number `wanted` and return -1; otherwise the preferred chain's number plus 1."""
    best = best_size = best_weight = number = 0
    for start in range(81):
        digits = board.cells[start]
        while digits:
            digit = lowest(digits)
            digits &= digits - 1
            low, high = admitting(board, digit)
            for link in range(3):
                second = partner(board, digit, start, link)
                if second < 0:
                    continue
                for k in range(60):
                    third = NEIGHBOURS[second, k // 3]
                    if third == start or not (board.cells[third] >> digit) & 1:
                        continue
                    end = partner(board, digit, third, k % 3)
                    if end < 0 or end == second:
                        continue
                    seen_low = low & PEERS_LOW[start] & PEERS_LOW[end]
                    seen_high = high & PEERS_HIGH[start] & PEERS_HIGH[end]
                    size = size_of(seen_low, seen_high)
                    if size == 0:
                        continue
                    if number == wanted:
                        clear(marks)
                        mark(marks, DIGITS, digit)
                        for cell in (start, second, third, end):
                            mark(marks, CELLS, cell)
                        mark_set(marks, REMOVED, seen_low, seen_high, digit)
                        return -1
                    number += 1
                    if size >= best_size:
                        weight = weigh(seen_low, seen_high, digit, 0)
                        if size > best_size or weight < best_weight:
                            best, best_size, best_weight = number, size, weight
    return best
