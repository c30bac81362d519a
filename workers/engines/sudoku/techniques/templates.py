"""Templates: all the ways in which a digit can still go through the whole grid. Off by default.

Of each digit only those ways are kept that touch no cell which all ways of another digit need,
until nothing changes any more. A grid is nine masks of columns, row by row.
"""

import numpy as np

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import (
    DIGITS,
    PLACED,
    REMOVED,
    Board,
    Integers,
    Marks,
    clear,
    mark,
)
from workers.engines.sudoku.techniques.technique import EXTREME, Technique

TEMPLATE_SET, TEMPLATE_DELETE = 402, 403

TECHNIQUES = (
    Technique(
        name="template_set",
        title="Template Set",
        code="1201",
        order=8700,
        level=EXTREME,
        score=10000,
        finder=TEMPLATE_SET,
        enabled=False,
        sentence="{title} {digits}, in all ways through the grid: {outcome}",
    ),
    Technique(
        name="template_delete",
        title="Template Delete",
        code="1202",
        order=8800,
        level=EXTREME,
        score=10000,
        finder=TEMPLATE_DELETE,
        enabled=False,
        sentence="{title} {digits}, in no way through the grid: {outcome}",
    ),
)


@kernel
def find_templates(board: Board, marks: Marks, delete: bool, skip: int) -> bool:
    """Mark the cells that all templates of a digit use, or those that none of them uses."""
    every = np.zeros((9, 9), np.int64)
    some = np.zeros((9, 9), np.int64)
    narrow(board, every, some)
    for digit in range(9):
        clear(marks)
        mark(marks, DIGITS, digit)
        for cell in range(81):
            row, column = cell // 9, cell % 9
            if (board.cells[cell] >> digit) & 1:
                if delete and not (some[digit, row] >> column) & 1:
                    mark(marks, REMOVED, 9 * cell + digit)
                if not delete and (every[digit, row] >> column) & 1:
                    mark(marks, PLACED, 9 * cell + digit)
        if marks.counts[REMOVED] + marks.counts[PLACED]:
            if skip == 0:
                return True
            skip -= 1
    return False


@kernel
def narrow(board: Board, every: Integers, some: Integers) -> None:
    """Find, by digit and row, the cells that all remaining templates use, and that some use."""
    allowed = np.zeros((9, 9), np.int64)
    for cell in range(81):
        if board.values[cell]:
            allowed[board.values[cell] - 1, cell // 9] |= 1 << cell % 9
    for row in range(9):
        for digit in range(9):
            allowed[digit, row] |= board.places[row, digit]
    changed = True
    while changed:
        changed = False
        for digit in range(9):
            traced = some[digit].any()
            for row in range(9):
                for other in range(9):
                    if other != digit and allowed[digit, row] & every[other, row]:
                        allowed[digit, row] &= ~every[other, row]
                        traced = False
            if not traced:
                changed = trace(allowed[digit], every[digit], some[digit]) or changed


@kernel
def trace(allowed: Integers, every: Integers, some: Integers) -> bool:
    """Run through all templates within `allowed`; False when there is none."""
    for row in range(9):
        every[row], some[row] = 0x1FF, 0
    picks = np.zeros(9, np.int64)
    rest = np.zeros(9, np.int64)
    rest[0] = allowed[0]
    row = 0
    while row >= 0:
        if rest[row] == 0:
            row -= 1
            continue
        picks[row] = rest[row] & -rest[row]
        rest[row] ^= picks[row]
        if row < 8:
            row += 1
            rest[row] = allowed[row] & ~barred(picks, row)
            continue
        for k in range(9):
            every[k] &= picks[k]
            some[k] |= picks[k]
    if some[0] == 0:
        every[:] = 0
    return bool(some[0])


@kernel
def barred(picks: Integers, row: int) -> int:
    """Columns of `row` that the picks in the rows above leave no more."""
    columns = 0
    for above in range(row):
        columns |= picks[above]
        if above // 3 == row // 3:
            columns |= 7 << (3 * (lowest(picks[above]) // 3))
    return columns
