"""What a rectangle of four cells and two digits removes, test by test.

All finders here take the rectangle of marks.items (cells ascending: top left, top right, bottom
left, bottom right), the mask of its two digits, and `extra`, a bit for each corner with further
candidates. They return -1 when step number `skip` is marked, else `skip` less the steps passed.
"""

from workers.engines.machine.bits import lowest, popcount
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
from workers.engines.sudoku.geometry import BOX, CELL_UNITS, COLUMN, ROW, UNITS
from workers.engines.sudoku.techniques.covers import next_subset
from workers.engines.sudoku.techniques.sets import (
    PEERS_HIGH,
    PEERS_LOW,
    admitting,
    mark_set,
    seeing_both,
)


@kernel
def mark_rectangle(marks: Marks, pair: int) -> None:
    """Start a step with the four corners and the two digits."""
    clear(marks)
    mark_digits(marks, DIGITS, 0, pair)
    for k in range(4):
        mark(marks, CELLS, marks.items[k])


@kernel
def find_one_extra(board: Board, marks: Marks, pair: int, extra: int, skip: int) -> int:
    """Uniqueness 1: the only corner with more candidates loses the two digits."""
    cell = marks.items[lowest(extra)]
    if board.cells[cell] & pair == 0:
        return skip
    if skip == 0:
        mark_rectangle(marks, pair)
        mark_digits(marks, REMOVED, cell, board.cells[cell] & pair)
    return skip - 1


@kernel
def find_one_digit(board: Board, marks: Marks, pair: int, extra: int, skip: int) -> int:
    """Uniqueness 2 and 5: one further digit must be in some corner, so not where all see it."""
    union = 0
    for k in range(4):
        union |= board.cells[marks.items[k]] & ~pair
    if popcount(union) != 1:
        return skip
    digit = lowest(union)
    low, high = admitting(board, digit)
    for k in range(4):
        if (extra >> k) & 1:
            low &= PEERS_LOW[marks.items[k]]
            high &= PEERS_HIGH[marks.items[k]]
    if low == 0 and high == 0:
        return skip
    if skip == 0:
        mark_rectangle(marks, pair)
        mark_set(marks, REMOVED, low, high, digit)
    return skip - 1


@kernel
def find_with_subset(board: Board, marks: Marks, pair: int, extra: int, skip: int) -> int:
    """Uniqueness 3: the further digits of two corners form a naked subset with other cells."""
    one, other = marks.items[lowest(extra)], marks.items[lowest(extra & (extra - 1))]
    for k in range(3):
        unit = CELL_UNITS[one, k]
        if unit != CELL_UNITS[other, k]:
            continue
        count = list_pool(board, marks, unit, pair)
        size = next_subset(marks, 0, count, 0)
        while size:
            union = marks.unions[size - 1] | ((board.cells[one] | board.cells[other]) & ~pair)
            if popcount(union) == size + 1:
                spread = lie(marks, size, one, other)
                in_line = k == 2 and spread & 3
                if not in_line and subset_losses(board, marks, unit, pair, size, union):
                    if skip == 0:
                        if k < 2 and spread & 4:
                            mark_losses(board, marks, 18 + BOX[one], union)
                        return -1
                    skip -= 1
            size = next_subset(marks, 0, count, size)
    return skip


@kernel
def list_pool(board: Board, marks: Marks, unit: int, pair: int) -> int:
    """List the open cells of a unit without a digit of the pair (cells in items from 4 on).

    Corners are left out: those with further candidates may have lost both digits.
    """
    count = 0
    for k in range(9):
        cell = UNITS[unit, k]
        corner = False
        for other in range(4):
            corner = corner or marks.items[other] == cell
        if board.cells[cell] and board.cells[cell] & pair == 0 and not corner:
            marks.items[4 + count] = cell
            marks.masks[count] = board.cells[cell]
            count += 1
    return count


@kernel
def lie(marks: Marks, size: int, one: int, other: int) -> int:
    """Whether the picked cells and two corners lie in one row (1), one column (2), one box (4)."""
    common = 0
    for k in range(3):
        unit = CELL_UNITS[one, k]
        same = CELL_UNITS[other, k] == unit
        for pick in range(size):
            same = same and CELL_UNITS[marks.items[4 + marks.picks[pick]], k] == unit
        if same:
            common |= 1 << k
    return common


@kernel
def subset_losses(board: Board, marks: Marks, unit: int, pair: int, size: int, union: int) -> bool:
    """Mark what the picked cells and the two corners of `unit` remove from the rest of it."""
    mark_rectangle(marks, pair)
    for pick in range(size):
        mark(marks, CELLS, marks.items[4 + marks.picks[pick]])
    mark_losses(board, marks, unit, union)
    return bool(marks.counts[REMOVED])


@kernel
def mark_losses(board: Board, marks: Marks, unit: int, union: int) -> None:
    """Mark the digits of `union` in the cells of a unit that are not among the marked cells."""
    for k in range(9):
        cell = UNITS[unit, k]
        free = True
        for listed in range(marks.counts[CELLS]):
            free = free and marks.lists[CELLS, listed] != cell
        if free:
            mark_digits(marks, REMOVED, cell, board.cells[cell] & union)


@kernel
def find_strong_pair(board: Board, marks: Marks, pair: int, extra: int, skip: int) -> int:
    """Uniqueness 4: where one digit is confined to two corners of a line, they lose the other."""
    one, other = marks.items[lowest(extra)], marks.items[lowest(extra & (extra - 1))]
    for turn in range(2):
        kept, lost = lowest(pair), lowest(pair & (pair - 1))
        if turn:
            kept, lost = lost, kept
        low, high = seeing_both(board, kept, one, other)
        if low == 0 and high == 0:
            return lose(board, marks, pair, extra, lost, skip)
    return skip


@kernel
def lose(board: Board, marks: Marks, pair: int, extra: int, digit: int, skip: int) -> int:
    """The corners in `extra` lose `digit`."""
    mark_rectangle(marks, pair)
    for k in range(4):
        if (extra >> k) & 1:
            mark_digits(marks, REMOVED, marks.items[k], board.cells[marks.items[k]] & 1 << digit)
    return skip - 1 if marks.counts[REMOVED] else skip


@kernel
def find_strong_cross(board: Board, marks: Marks, pair: int, extra: int, skip: int) -> int:
    """Uniqueness 6: a digit confined to the corners in all four lines leaves two opposite ones."""
    for digit in (lowest(pair), lowest(pair & (pair - 1))):
        if confined(board, marks, 0, digit) and confined(board, marks, 3, digit):
            return lose(board, marks, pair, extra, digit, skip)
    return skip


@kernel
def confined(board: Board, marks: Marks, corner: int, digit: int) -> bool:
    """Whether the row and the column of a corner have no place for `digit` but corners."""
    top_left, bottom_right = marks.items[0], marks.items[3]
    cell = marks.items[corner]
    columns = 1 << COLUMN[top_left] | 1 << COLUMN[bottom_right]
    rows = 1 << ROW[top_left] | 1 << ROW[bottom_right]
    if board.places[ROW[cell], digit] & ~columns:
        return False
    return bool(board.places[9 + COLUMN[cell], digit] & ~rows == 0)


@kernel
def find_corner(board: Board, marks: Marks, pair: int, extra: int, skip: int) -> int:
    """Hidden Rectangle: opposite to a corner without extra a confined digit excludes the other."""
    for k in range(4):
        if (extra >> k) & 1:
            continue
        for turn in range(2):
            kept, lost = lowest(pair), lowest(pair & (pair - 1))
            if turn:
                kept, lost = lost, kept
            if confined(board, marks, 3 - k, kept):
                skip = lose(board, marks, pair, 1 << (3 - k), lost, skip)
                if skip < 0:
                    return -1
    return skip
