"""Sue de Coq: cells in the crossing of a line and a box, with more digits than they need, whose
surplus is used up by cells of the line and cells of the box.

Rows, for each the boxes, then columns. Two or three cells of the crossing, then cells of the line
in lexicographic order, then cells of the box. This is the extended form: the cells of line and
box may bring digits that the crossing does not have.
"""

from typing import Final

import numpy as np

from workers.engines.machine.bits import popcount
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
    mark_digits,
)
from workers.engines.sudoku.geometry import CELL_UNITS, UNITS
from workers.engines.sudoku.techniques.covers import next_subset
from workers.engines.sudoku.techniques.technique import UNFAIR, Technique

SUE_DE_COQ = 220

CHOICES: Final = np.array([0b011, 0b111, 0b101, 0b110], dtype=np.int64)
"""Which of the up to three common cells are the crossing, in the order they are tried."""
CHOICES.setflags(write=False)

TECHNIQUES = (
    Technique(
        name="sue_de_coq",
        title="Sue de Coq",
        code="1101",
        order=5300,
        level=UNFAIR,
        score=250,
        finder=SUE_DE_COQ,
        sentence="{title} {digits} in {units}, {cells}: removes {eliminations}",
    ),
)


@kernel
def find_sue_de_coq(board: Board, marks: Marks, skip: int) -> bool:
    """Mark Sue de Coq number `skip`."""
    for line in range(18):
        for box in range(18, 27):
            common = list_common(board, marks, line, box)
            if common < 2:
                continue
            for choice in CHOICES:
                if choice >> common:
                    continue
                union = 0
                for k in range(common):
                    if (choice >> k) & 1:
                        union |= board.cells[marks.met[k]]
                if popcount(union) - popcount(choice) >= 2:
                    skip = split(board, marks, line, box, choice, skip)
                    if skip < 0:
                        return True
    return False


@kernel
def list_common(board: Board, marks: Marks, line: int, box: int) -> int:
    """Put the open cells of both units into marks.met, ascending; how many there are."""
    count = 0
    for k in range(9):
        cell = UNITS[line, k]
        if CELL_UNITS[cell, 2] == box and board.cells[cell]:
            marks.met[count] = cell
            count += 1
    return count


@kernel
def crossing(marks: Marks, choice: int, cell: int) -> bool:
    """Whether `cell` is a chosen one of marks.met."""
    for k in range(3):
        if (choice >> k) & 1 and marks.met[k] == cell:
            return True
    return False


@kernel
def list_rest(board: Board, marks: Marks, unit: int, choice: int, base: int, taken: int) -> int:
    """List the open cells of `unit` that are neither crossing nor among `taken` picks of the line.

    Cells go to marks.items, their digits to marks.masks, from `base` on.
    """
    count = 0
    for k in range(9):
        cell = UNITS[unit, k]
        free = board.cells[cell] != 0 and not crossing(marks, choice, cell)
        for pick in range(taken):
            free = free and marks.items[marks.picks[pick]] != cell
        if free:
            marks.items[base + count] = cell
            marks.masks[base + count] = board.cells[cell]
            count += 1
    return count


@kernel
def split(board: Board, marks: Marks, line: int, box: int, choice: int, skip: int) -> int:
    """Share the surplus of the chosen crossing between line and box: -1 when step `skip` is
    marked, else what is left of it."""
    union = 0
    for k in range(3):
        if (choice >> k) & 1:
            union |= board.cells[marks.met[k]]
    surplus = popcount(union) - popcount(choice)
    count = list_rest(board, marks, line, choice, 0, 0)
    size = next_subset(marks, 0, count, 0)
    while size:
        part = marks.unions[size - 1]
        spent = size - popcount(part & ~union)
        if part & union and 0 < spent < surplus:
            others = list_rest(board, marks, box, choice, 9, size)
            taken = next_subset(marks, 9, others, 0)
            while taken:
                rest = marks.unions[9 + taken - 1]
                fits = rest & union and rest & part & union == 0
                if fits and taken - popcount(rest & ~union) == surplus - spent:
                    if mark_split(board, marks, line, box, choice, size, taken):
                        if skip == 0:
                            return -1
                        skip -= 1
                taken = next_subset(marks, 9, others, taken)
        size = next_subset(marks, 0, count, size)
    return skip


@kernel
def mark_split(
    board: Board, marks: Marks, line: int, box: int, choice: int, size: int, taken: int
) -> bool:
    """Mark what the box loses, then what the line loses."""
    clear(marks)
    mark(marks, SEEN_UNITS, line)
    mark(marks, SEEN_UNITS, box)
    union = 0
    for k in range(3):
        if (choice >> k) & 1:
            union |= board.cells[marks.met[k]]
            mark(marks, CELLS, marks.met[k])
    for pick in range(size):
        mark(marks, CELLS, marks.items[marks.picks[pick]])
    for pick in range(taken):
        mark(marks, CELLS, marks.items[9 + marks.picks[9 + pick]])
    mark_digits(marks, DIGITS, 0, union)
    part, rest = marks.unions[size - 1], marks.unions[9 + taken - 1]
    both = part & rest
    lose_outside(board, marks, box, choice, 9, taken, ((union | rest) & ~part) | both)
    lose_outside(board, marks, line, choice, 0, size, ((union | part) & ~rest) | both)
    return bool(marks.counts[REMOVED])


@kernel
def lose_outside(
    board: Board, marks: Marks, unit: int, choice: int, base: int, size: int, mask: int
) -> None:
    """Mark the digits of `mask` in the cells of `unit` off the crossing and its `size` picks."""
    for k in range(9):
        cell = UNITS[unit, k]
        free = not crossing(marks, choice, cell)
        for pick in range(size):
            free = free and marks.items[base + marks.picks[base + pick]] != cell
        if free:
            mark_digits(marks, REMOVED, cell, board.cells[cell] & mask)
