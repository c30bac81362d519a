"""BUG+1: all open cells have two candidates but one, and no unit has a digit more than twice
except those of that cell: any other digit there would leave two solutions.

HoDoKu does not ask whether singles are left, which it takes first; with singles the conclusion
would be wrong.
"""

from workers.engines.machine.bits import popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import (
    CELLS,
    DIGITS,
    REMOVED,
    Board,
    Marks,
    clear,
    mark,
    mark_digits,
)
from workers.engines.sudoku.geometry import CELL_UNITS
from workers.engines.sudoku.techniques.technique import HARD, Technique

BUG_PLUS_1 = 201

TECHNIQUES = (
    Technique(
        name="bug_plus_1",
        title="Bivalue Universal Grave + 1",
        code="0610",
        order=2900,
        level=HARD,
        score=100,
        finder=BUG_PLUS_1,
        sentence="{title}: {cells} must be {digits}: removes {eliminations}",
    ),
)


@kernel
def find_bug(board: Board, marks: Marks, skip: int) -> bool:
    """Mark BUG+1; there is never a second one."""
    cell = odd_cell(board)
    if skip or cell < 0:
        return False
    digit = -1
    crowded = 0
    for unit in range(27):
        for other in range(9):
            size = popcount(board.places[unit, other])
            if size == 1 or size > 3 or (size == 3 and digit not in (-1, other)):
                return False
            if size == 3:
                digit = other
                crowded |= 1 << unit
    units = 1 << CELL_UNITS[cell, 0] | 1 << CELL_UNITS[cell, 1] | 1 << CELL_UNITS[cell, 2]
    if crowded != units or not (board.cells[cell] >> digit) & 1:
        return False
    clear(marks)
    mark(marks, CELLS, cell)
    mark(marks, DIGITS, digit)
    mark_digits(marks, REMOVED, cell, board.cells[cell] & ~(1 << digit))
    return True


@kernel
def odd_cell(board: Board) -> int:
    """The only cell with three candidates when all other open ones have two, else -1."""
    odd = -1
    for cell in range(81):
        size = popcount(board.cells[cell])
        if size == 1 or size > 3 or (size == 3 and odd >= 0):
            return -1
        if size == 3:
            odd = cell
    return odd
