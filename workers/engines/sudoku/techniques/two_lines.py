"""Skyscraper and 2-String Kite: two lines with two places each for a digit.

Skyscraper: rows as base with the digits 1-9, then columns; pairs of base lines in order.
2-String Kite: the digits 1-9; rows, for each the columns. The two places of a line have an order
that a box shared with another line changes for good: see the facts page.
"""

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import (
    CELLS,
    DIGITS,
    REMOVED,
    SEEN_UNITS,
    Board,
    Marks,
    clear,
    mark,
)
from workers.engines.sudoku.geometry import BOX, COLUMN, ROW
from workers.engines.sudoku.techniques.sets import mark_set, seeing_both
from workers.engines.sudoku.techniques.technique import HARD, Technique

SKYSCRAPER, KITE, DUAL_KITE = 202, 203, 204

TECHNIQUES = (
    Technique(
        name="skyscraper",
        title="Skyscraper",
        code="0400",
        order=3000,
        level=HARD,
        score=130,
        finder=SKYSCRAPER,
        sentence="{title}: in {units} digit {digits} fits only in {cells}: removes {eliminations}",
    ),
    Technique(
        name="two_string_kite",
        title="2-String Kite",
        code="0401",
        order=3100,
        level=HARD,
        score=150,
        finder=KITE,
        sentence="{title}: in {units} digit {digits} fits only in {cells}: removes {eliminations}",
    ),
)


@kernel
def find_skyscraper(board: Board, marks: Marks, skip: int) -> bool:
    """Mark skyscraper number `skip`."""
    for base in (0, 9):
        for digit in range(9):
            for one in range(base, base + 8):
                if popcount(board.places[one, digit]) != 2:
                    continue
                for other in range(one + 1, base + 9):
                    if popcount(board.places[other, digit]) == 2:
                        found = mark_skyscraper(board, marks, digit, one, other)
                        if found and skip == 0:
                            return True
                        skip -= found
    return False


@kernel
def mark_skyscraper(board: Board, marks: Marks, digit: int, one: int, other: int) -> bool:
    """Mark what two lines with two places remove when just one side is level."""
    places, others = board.places[one, digit], board.places[other, digit]
    lower, higher = lowest(places), lowest(places & (places - 1))
    lower_other, higher_other = lowest(others), lowest(others & (others - 1))
    if (lower == lower_other) == (higher == higher_other):
        return False
    if lower == lower_other:
        base, base_other, end, end_other = lower, lower_other, higher, higher_other
    else:
        base, base_other, end, end_other = higher, higher_other, lower, lower_other
    first, second = cell_at(one, end), cell_at(other, end_other)
    low, high = seeing_both(board, digit, first, second)
    if low == 0 and high == 0:
        return False
    clear(marks)
    mark(marks, DIGITS, digit)
    mark(marks, SEEN_UNITS, one)
    mark(marks, SEEN_UNITS, other)
    mark(marks, CELLS, cell_at(one, base))
    mark(marks, CELLS, cell_at(other, base_other))
    mark(marks, CELLS, first)
    mark(marks, CELLS, second)
    mark_set(marks, REMOVED, low, high, digit)
    return True


@kernel
def cell_at(line: int, position: int) -> int:
    """The cell at `position` of a row (0-8) or column (9-17)."""
    if line < 9:
        return 9 * line + position
    return 9 * position + line - 9


@kernel
def find_kite(board: Board, marks: Marks, skip: int) -> bool:
    """Mark 2-String Kite number `skip`."""
    for digit in range(9):
        list_lines(board, marks, digit)
        for row in range(9):
            for column in range(9, 18):
                if marks.items[row] >= 0 and marks.items[column] >= 0:
                    gone = meet(board, marks, digit, row, column)
                    if gone >= 0 and skip == 0:
                        mark_kite(marks, digit, row, column, gone)
                        return True
                    skip -= gone >= 0
    return False


@kernel
def list_lines(board: Board, marks: Marks, digit: int) -> None:
    """Put the two places of each line into items and masks; items is -1 for other lines."""
    for line in range(18):
        places = board.places[line, digit]
        marks.items[line] = -1
        if popcount(places) == 2:
            marks.items[line] = cell_at(line, lowest(places))
            marks.masks[line] = cell_at(line, lowest(places & (places - 1)))


@kernel
def meet(board: Board, marks: Marks, digit: int, row: int, column: int) -> int:
    """Turn two lines so that their first places share a box; the cell that loses `digit`, or -1.

    -1 as well when no places share a box, when the lines share a place, or nothing is removed.
    """
    common = False
    for turn in range(4):
        one = marks.items[row] if turn < 2 else marks.masks[row]
        other = marks.items[column] if turn % 2 == 0 else marks.masks[column]
        if BOX[one] == BOX[other]:
            if turn >= 2:
                marks.masks[row], marks.items[row] = marks.items[row], marks.masks[row]
            if turn % 2:
                turned = marks.items[column]
                marks.items[column], marks.masks[column] = marks.masks[column], turned
            common = True
            break
    if not common or (board.places[row, digit] >> (column - 9)) & 1:
        return -1
    cell = 9 * ROW[marks.masks[column]] + COLUMN[marks.masks[row]]
    if not (board.cells[cell] >> digit) & 1:
        return -1
    return int(cell)


@kernel
def mark_kite(marks: Marks, digit: int, row: int, column: int, gone: int) -> None:
    """Mark what a row and a column with first places in one box remove from cell `gone`."""
    clear(marks)
    mark(marks, DIGITS, digit)
    mark(marks, SEEN_UNITS, row)
    mark(marks, SEEN_UNITS, column)
    mark(marks, CELLS, marks.items[row])
    mark(marks, CELLS, marks.items[column])
    mark(marks, CELLS, marks.masks[row])
    mark(marks, CELLS, marks.masks[column])
    mark(marks, REMOVED, 9 * gone + digit)
