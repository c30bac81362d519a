"""Avoidable Rectangles: the solver's own placements never leave a second solution either.

Solved cells that are no clues, ascending, are the start; then the second corner in its box in
reading order, then the line of the other two corners. Each rectangle is looked at once.
"""

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import CELLS, DIGITS, REMOVED, Board, Marks, clear, mark
from workers.engines.sudoku.geometry import BOX, COLUMN, ROW, UNITS
from workers.engines.sudoku.techniques.sets import mark_set, seeing_both
from workers.engines.sudoku.techniques.technique import HARD, Technique
from workers.engines.sudoku.techniques.uniqueness import corners, new_rectangle

AVOIDABLE_1, AVOIDABLE_2 = 218, 219

TECHNIQUES = tuple(
    Technique(
        name=f"avoidable_rectangle_{number}",
        title=f"Avoidable Rectangle Type {number}",
        code=f"060{number + 6}",
        order=4010 + 10 * number,
        level=HARD,
        score=100,
        finder=AVOIDABLE_1 + number - 1,
        sentence="{title} {digits} in {cells}: removes {eliminations}",
    )
    for number in (1, 2)
)


@kernel
def find_avoidable(board: Board, marks: Marks, finder: int, skip: int) -> bool:
    """Mark step number `skip` of `finder`, 218 or 219."""
    for k in range(36):
        marks.met[k] = 0
    for start in range(81):
        if not found_value(board, start):
            continue
        for k in range(9):
            second = UNITS[18 + BOX[start], k]
            level = ROW[second] == ROW[start]
            if level == (COLUMN[second] == COLUMN[start]) or not found_value(board, second):
                continue
            own = ROW[start] if level else COLUMN[start]
            for line in range(9):
                third, fourth = corners(start, second, line)
                if line // 3 == own // 3 or not fits(board, finder, start, second, third, fourth):
                    continue
                if new_rectangle(marks, start, fourth):
                    if skip == 0:
                        mark_avoidable(board, marks, start, second, third, fourth)
                        return True
                    skip -= 1
    return False


@kernel
def found_value(board: Board, cell: int) -> int:
    """The digit 1-9 of a cell that is solved but no clue, else 0."""
    if board.clues[cell]:
        return 0
    return int(board.values[cell])


@kernel
def fits(board: Board, finder: int, start: int, second: int, third: int, fourth: int) -> bool:
    """Whether the corners are an avoidable rectangle of the wanted type that removes something.

    `third` is in line with `start`, `fourth` with `second`.
    """
    one, other = 1 << (board.values[start] - 1), 1 << (board.values[second] - 1)
    if finder == AVOIDABLE_1:
        if board.values[third] == board.values[second] and found_value(board, third):
            return popcount(board.cells[fourth]) == 2 and board.cells[fourth] & one != 0
        if board.values[fourth] == board.values[start] and found_value(board, fourth):
            return popcount(board.cells[third]) == 2 and board.cells[third] & other != 0
        return False
    if popcount(board.cells[third]) != 2 or popcount(board.cells[fourth]) != 2:
        return False
    if board.cells[third] & other == 0 or board.cells[third] ^ other != board.cells[fourth] ^ one:
        return False
    low, high = seeing_both(board, lowest(board.cells[third] ^ other), third, fourth)
    return bool(low or high)


@kernel
def mark_avoidable(
    board: Board, marks: Marks, start: int, second: int, third: int, fourth: int
) -> None:
    """Mark an avoidable rectangle that fits."""
    one, other = board.values[start] - 1, board.values[second] - 1
    clear(marks)
    mark(marks, DIGITS, min(one, other))
    mark(marks, DIGITS, max(one, other))
    for k in range(4):
        mark(marks, CELLS, marks.items[k])
    if board.values[third]:
        mark(marks, REMOVED, 9 * fourth + one)
    elif board.values[fourth]:
        mark(marks, REMOVED, 9 * third + other)
    else:
        digit = lowest(board.cells[third] ^ (1 << other))
        low, high = seeing_both(board, digit, third, fourth)
        mark_set(marks, REMOVED, low, high, digit)
