"""Dual kites and dual empty rectangles: two steps that share their box, taken as one.

HoDoKu looks for them only when told to, so both are disabled. All steps are collected, every
earlier one is paired with every later one that has the same cells in the same box and removes
another candidate; the lightest pair is taken, then the first.
"""

from workers.engines.machine.bits import popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import (
    CELLS,
    DIGITS,
    PLACED,
    REMOVED,
    Board,
    Marks,
    clear,
    mark,
)
from workers.engines.sudoku.techniques.empty_rectangle import (
    DUAL_EMPTY_RECTANGLE,
    crossed,
    level_of,
    reach,
)
from workers.engines.sudoku.techniques.technique import HARD, Technique
from workers.engines.sudoku.techniques.two_lines import DUAL_KITE, cell_at, list_lines, meet

_SENTENCE = "{title} {digits} in {cells}: removes {eliminations}"

TECHNIQUES = (
    Technique(
        name="dual_two_string_kite",
        title="Dual 2-String Kite",
        code="0404",
        order=3090,
        level=HARD,
        score=150,
        finder=DUAL_KITE,
        enabled=False,
        sentence=_SENTENCE,
    ),
    Technique(
        name="dual_empty_rectangle",
        title="Dual Empty Rectangle",
        code="0405",
        order=3160,
        level=HARD,
        score=120,
        finder=DUAL_EMPTY_RECTANGLE,
        enabled=False,
        sentence=_SENTENCE,
    ),
)

# Lists of the collected steps: what must be equal, the two cells shown as 81 * one + other, and
# the candidate that falls.
SHARED, SHOWN, FALLS = PLACED, CELLS, REMOVED
MOST = 729


@kernel
def find_dual_kite(board: Board, marks: Marks, skip: int) -> bool:
    """Mark the preferred dual kite, for `skip` > 0 number `skip` - 1 of all."""
    clear(marks)
    for digit in range(9):
        list_lines(board, marks, digit)
        for row in range(9):
            for column in range(9, 18):
                if marks.items[row] >= 0 and marks.items[column] >= 0:
                    gone = meet(board, marks, digit, row, column)
                    if gone >= 0:
                        one, other = marks.items[row], marks.items[column]
                        shown = 81 * min(one, other) + max(one, other)
                        collect(marks, shown, shown, 9 * gone + digit)
    return mark_pair_of(marks, skip)


@kernel
def find_dual_rectangle(board: Board, marks: Marks, skip: int) -> bool:
    """Mark the preferred dual empty rectangle, for `skip` > 0 number `skip` - 1 of all."""
    clear(marks)
    for k in range(9 * 9 * 18):
        digit, box, choice, turn = k // 162, k // 18 % 9, 8 - k // 2 % 9, k % 2
        places = board.places[18 + box, digit]
        if not 2 <= popcount(places) <= 5 or not crossed(places, choice // 3, choice % 3):
            continue
        row, column = 3 * (box // 3) + choice // 3, 9 + 3 * (box % 3) + choice % 3
        along, across = (row, column) if turn == 0 else (column, row)
        again = reach(board, digit, along, across, 0)
        while again:
            level = level_of(board, digit, along, again - 1)
            link = cell_at(9 + again - 1 if along < 9 else again - 1, level)
            shown = 81 * cell_at(along, again - 1) + link
            collect(marks, 9 * box + digit, shown, 9 * cell_at(across, level) + digit)
            again = reach(board, digit, along, across, again)
    return mark_pair_of(marks, skip)


@kernel
def collect(marks: Marks, shared: int, shown: int, falls: int) -> None:
    """Note a single step."""
    if marks.counts[FALLS] < MOST:
        mark(marks, SHARED, shared)
        mark(marks, SHOWN, shown)
        mark(marks, FALLS, falls)


@kernel
def mark_pair_of(marks: Marks, skip: int) -> bool:
    """Mark the preferred pair of the collected steps, for `skip` > 0 number `skip` - 1 of all."""
    best = best_weight = -1
    count = marks.counts[FALLS]
    for k in range(count * count):
        earlier, later = k // count, k % count
        one, other = marks.lists[FALLS, earlier], marks.lists[FALLS, later]
        same = marks.lists[SHARED, earlier] == marks.lists[SHARED, later]
        if earlier >= later or not same or one == other:
            continue
        # the weight of two eliminations, see `weigh`
        weight = one // 9 + one % 9 + 81 * (other // 9) + other % 9
        if skip == 1:
            best = k
            break
        if skip == 0 and (best < 0 or weight < best_weight):
            best, best_weight = k, weight
        skip -= skip > 0
    if best < 0:
        clear(marks)
        return False
    earlier, later = best // count, best % count
    first, second = marks.lists[SHOWN, earlier], marks.lists[SHOWN, later]
    one, other = marks.lists[FALLS, earlier], marks.lists[FALLS, later]
    clear(marks)
    mark(marks, DIGITS, one % 9)
    if one % 9 != other % 9:
        mark(marks, DIGITS, other % 9)
    for shown in (first, second):
        if shown == first and marks.counts[CELLS]:
            continue
        mark(marks, CELLS, shown // 81)
        mark(marks, CELLS, shown % 81)
    mark(marks, REMOVED, one)
    mark(marks, REMOVED, other)
    return True
