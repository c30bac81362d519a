"""Empty Rectangle: the places of a digit in a box lie in one row and one column of it.

Digits 1-9, boxes, choices of row and column of the box from the last to the first; for each first
along the row, then along the column.
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
from workers.engines.sudoku.techniques.technique import HARD, Technique
from workers.engines.sudoku.techniques.two_lines import cell_at

EMPTY_RECTANGLE, DUAL_EMPTY_RECTANGLE = 206, 207

TECHNIQUES = (
    Technique(
        name="empty_rectangle",
        title="Empty Rectangle",
        code="0402",
        order=3170,
        level=HARD,
        score=120,
        finder=EMPTY_RECTANGLE,
        sentence="{title} {digits} in {units} with {cells}: removes {eliminations}",
    ),
)


@kernel
def find_empty_rectangle(board: Board, marks: Marks, skip: int) -> bool:
    """Mark Empty Rectangle number `skip`."""
    for digit in range(9):
        for box in range(9):
            places = board.places[18 + box, digit]
            if not 2 <= popcount(places) <= 5:
                continue
            for choice in range(8, -1, -1):
                row, column = choice // 3, choice % 3
                if not crossed(places, row, column):
                    continue
                for turn in range(2):
                    again = 0
                    while True:
                        # the line through the box and the line across it, as units
                        along = 3 * (box // 3) + row if turn == 0 else 9 + 3 * (box % 3) + column
                        across = 9 + 3 * (box % 3) + column if turn == 0 else 3 * (box // 3) + row
                        again = reach(board, digit, along, across, again)
                        if again == 0:
                            break
                        if skip == 0:
                            mark_empty_rectangle(board, marks, digit, along, across, again - 1)
                            return True
                        skip -= 1
    return False


@kernel
def crossed(places: int, row: int, column: int) -> bool:
    """Whether `places` of a box fill a cross of its `row` and `column`, with both arms used."""
    in_row, in_column = places & (0o7 << (3 * row)), places & (0o111 << column)
    if places & ~(in_row | in_column):
        return False
    if in_row & ~in_column == 0 or in_column & ~in_row == 0:
        return False
    return popcount(in_row) >= 2 or popcount(in_column) >= 2


@kernel
def reach(board: Board, digit: int, along: int, across: int, start: int) -> int:
    """The first position from `start` of line `along`, plus 1, whose strong link removes.

    The line crossing there has two places; from the other one the digit is removed where its
    line parallel to `along` meets `across`. 0 when there is none.
    """
    third = (across % 9) // 3
    for position in range(start, 9):
        if position // 3 == third or not (board.places[along, digit] >> position) & 1:
            continue
        level = level_of(board, digit, along, position)
        outside = level >= 0 and level // 3 != (along % 9) // 3
        if outside and (board.places[across, digit] >> level) & 1:
            return position + 1
    return 0


@kernel
def level_of(board: Board, digit: int, along: int, position: int) -> int:
    """The parallel of `along` (0-8) that a strong link from `position` of it leads to, or -1."""
    base = 9 if along < 9 else 0
    link = board.places[base + position, digit] & ~(1 << (along % 9))
    return lowest(link) if popcount(link) == 1 else -1


@kernel
def mark_empty_rectangle(
    board: Board, marks: Marks, digit: int, along: int, across: int, position: int
) -> None:
    """Mark the removal that `reach` has found at `position` of the line `along`."""
    base = 9 if along < 9 else 0
    level = level_of(board, digit, along, position)
    clear(marks)
    mark(marks, DIGITS, digit)
    row, column = (along, across - 9) if along < 9 else (across, along - 9)
    box = 18 + 3 * (row // 3) + column // 3
    mark(marks, SEEN_UNITS, box)
    mark(marks, CELLS, cell_at(along, position))
    mark(marks, CELLS, cell_at(base + position, level))
    mark(marks, REMOVED, 9 * cell_at(across, level) + digit)
