"""Uniqueness Tests 1-6 and Hidden Rectangle: four cells that must not be left with two digits.

Start cells with two candidates ascending, for each the second corner in its box, then the line
of the other two corners. A rectangle is looked at once, with the digits of the start cell that
met it first. All corners must be open and admit both digits as far as the solved cells go;
candidates removed since do not matter.
"""

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import Board, Marks
from workers.engines.sudoku.geometry import BOX, CELL_UNITS, COLUMN, ROW, UNITS
from workers.engines.sudoku.techniques.rectangles import (
    find_corner,
    find_one_digit,
    find_one_extra,
    find_strong_cross,
    find_strong_pair,
    find_with_subset,
)
from workers.engines.sudoku.techniques.technique import HARD, Technique

UNIQUENESS_1, UNIQUENESS_2, UNIQUENESS_3 = 211, 212, 213
UNIQUENESS_4, UNIQUENESS_5, UNIQUENESS_6 = 214, 215, 216
HIDDEN_RECTANGLE = 217


def _test(number: int) -> Technique:
    return Technique(
        name=f"uniqueness_{number}",
        title=f"Uniqueness Test {number}",
        code=f"060{number - 1}",
        order=3400 + 100 * number,
        level=HARD,
        score=100,
        finder=UNIQUENESS_1 + number - 1,
        sentence="{title} {digits} in {cells}: removes {eliminations}",
    )


TECHNIQUES = (
    *(_test(number) for number in range(1, 7)),
    Technique(
        name="hidden_rectangle",
        title="Hidden Rectangle",
        code="0606",
        order=4010,
        level=HARD,
        score=100,
        finder=HIDDEN_RECTANGLE,
        sentence="{title} {digits} in {cells}: removes {eliminations}",
    ),
)


@kernel
def find_uniqueness(board: Board, marks: Marks, finder: int, skip: int) -> bool:
    """Mark step number `skip` of `finder`, one of 211-217."""
    for k in range(36):
        marks.met[k] = 0
    for start in range(81):
        pair = board.cells[start]
        if popcount(pair) != 2:
            continue
        for k in range(9):
            second = UNITS[18 + BOX[start], k]
            level = ROW[second] == ROW[start]
            if level == (COLUMN[second] == COLUMN[start]) or not admits(board, second, pair):
                continue
            own = ROW[start] if level else COLUMN[start]
            for line in range(9):
                third, fourth = corners(start, second, line)
                if line // 3 == own // 3 or not admits(board, third, pair):
                    continue
                if admits(board, fourth, pair) and new_rectangle(marks, start, fourth):
                    skip = test(board, marks, finder, pair, skip)
                    if skip < 0:
                        return True
    return False


@kernel
def admits(board: Board, cell: int, pair: int) -> bool:
    """Whether a cell is open and none of its units is solved for a digit of the pair."""
    if board.values[cell]:
        return False
    for digit in (lowest(pair), lowest(pair & (pair - 1))):
        for k in range(3):
            if board.places[CELL_UNITS[cell, k], digit] == 0:
                return False
    return True


@kernel
def corners(start: int, second: int, line: int) -> tuple[int, int]:
    """The cells opposite to two corners in one line, where `line` crosses: start's, second's."""
    if ROW[start] == ROW[second]:
        return 9 * line + COLUMN[start], 9 * line + COLUMN[second]
    return 9 * ROW[start] + line, 9 * ROW[second] + line


@kernel
def new_rectangle(marks: Marks, one: int, other: int) -> bool:
    """Note the rectangle with two opposite corners, its cells ascending in marks.items.

    False when it was noted before.
    """
    top, bottom = min(ROW[one], ROW[other]), max(ROW[one], ROW[other])
    left, right = min(COLUMN[one], COLUMN[other]), max(COLUMN[one], COLUMN[other])
    rows = bottom * (bottom - 1) // 2 + top
    columns = right * (right - 1) // 2 + left
    if (marks.met[rows] >> columns) & 1:
        return False
    marks.met[rows] |= 1 << columns
    marks.items[0] = 9 * top + left
    marks.items[1] = 9 * top + right
    marks.items[2] = 9 * bottom + left
    marks.items[3] = 9 * bottom + right
    return True


@kernel
def extra_corners(board: Board, marks: Marks, pair: int) -> int:
    """A bit for each corner with candidates besides the pair."""
    extra = 0
    for k in range(4):
        if board.cells[marks.items[k]] & ~pair:
            extra |= 1 << k
    return extra


@kernel
def test(board: Board, marks: Marks, finder: int, pair: int, skip: int) -> int:
    """Try `finder` on the rectangle in marks.items: -1 when step `skip` is marked, else what is
    left of `skip`."""
    extra = extra_corners(board, marks, pair)
    count = popcount(extra)
    crosswise = extra in (0b0110, 0b1001)
    if finder == UNIQUENESS_1 and count == 1:
        return find_one_extra(board, marks, pair, extra, skip)
    if finder == UNIQUENESS_2 and count == 2 and not crosswise:
        return find_one_digit(board, marks, pair, extra, skip)
    if finder == UNIQUENESS_5 and (count == 3 or crosswise):
        return find_one_digit(board, marks, pair, extra, skip)
    if finder == UNIQUENESS_3 and count == 2:
        return find_with_subset(board, marks, pair, extra, skip)
    if finder == UNIQUENESS_4 and count == 2 and not crosswise:
        return find_strong_pair(board, marks, pair, extra, skip)
    if finder == UNIQUENESS_6 and crosswise:
        return find_strong_cross(board, marks, pair, extra, skip)
    if finder == HIDDEN_RECTANGLE and (count == 3 or crosswise):
        return find_corner(board, marks, pair, extra, skip)
    return skip
