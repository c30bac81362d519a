"""Full House, Naked Single, Hidden Single: one cell is solved.

The board queues naked and hidden singles as they come up (board.py); the oldest one that is
still open is next. A full house is a naked single too, so it is looked for in the naked queue.
"""

from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import (
    CELLS,
    DIGITS,
    PLACED,
    SEEN_UNITS,
    Board,
    Marks,
    clear,
    mark,
)
from workers.engines.sudoku.geometry import CELL_UNITS
from workers.engines.sudoku.techniques.technique import EASY, Technique

FULL_HOUSE, NAKED_SINGLE, HIDDEN_SINGLE = 100, 101, 102

TECHNIQUES = (
    Technique(
        name="full_house",
        title="Full House",
        code="0000",
        order=100,
        level=EASY,
        score=4,
        finder=FULL_HOUSE,
        sentence="{title}: {cells} is the last empty cell of {units}, so it is {digits}",
    ),
    Technique(
        name="naked_single",
        title="Naked Single",
        code="0003",
        order=200,
        level=EASY,
        score=4,
        finder=NAKED_SINGLE,
        sentence="{title}: {digits} is the only candidate left in {cells}",
    ),
    Technique(
        name="hidden_single",
        title="Hidden Single",
        code="0002",
        order=300,
        level=EASY,
        score=14,
        finder=HIDDEN_SINGLE,
        sentence="{title}: {cells} is the only place for {digits} in {units}",
    ),
)


@kernel
def find_full_house(board: Board, marks: Marks, skip: int) -> bool:
    """Mark full house number `skip`: the first queued naked single that is alone in a unit."""
    last = board.last_cells
    if last == 0:
        return False
    for k in range(board.naked_head, board.naked_tail):
        cell = board.naked[k] // 9
        if board.values[cell] == 0:
            for unit in CELL_UNITS[cell]:
                if (last >> unit) & 1:
                    if skip == 0:
                        mark_single(marks, board.naked[k], unit)
                        return True
                    skip -= 1
                    break
    return False


@kernel
def find_naked_single(board: Board, marks: Marks, skip: int) -> bool:
    """Mark naked single number `skip` of the queue."""
    head = board.naked_head
    tail = board.naked_tail
    while head < tail and board.values[board.naked[head] // 9]:
        head += 1
    board.naked_head = head
    for k in range(head, tail):
        if board.values[board.naked[k] // 9] == 0:
            if skip == 0:
                mark_single(marks, board.naked[k], -1)
                return True
            skip -= 1
    return False


@kernel
def find_hidden_single(board: Board, marks: Marks, skip: int) -> bool:
    """Mark hidden single number `skip` of the queue; a cell may be queued once per unit."""
    head = board.hidden_head
    tail = board.hidden_tail
    while head < tail and board.values[board.hidden[head] // 9]:
        head += 1
    board.hidden_head = head
    for k in range(head, tail):
        cell = board.hidden[k] // 9
        digit = board.hidden[k] % 9
        if (board.cells[cell] >> digit) & 1:
            if skip == 0:
                mark_single(marks, board.hidden[k], only_place(board, cell, digit))
                return True
            skip -= 1
    return False


@kernel
def only_place(board: Board, cell: int, digit: int) -> int:
    """The row, else the column, else the box in which `cell` is the only place for `digit`."""
    for unit in CELL_UNITS[cell]:
        places = board.places[unit, digit]
        if places & (places - 1) == 0:
            return int(unit)
    return -1


@kernel
def mark_single(marks: Marks, candidate: int, unit: int) -> None:
    """Mark the placement of `candidate`; `unit` -1 stands for none."""
    clear(marks)
    mark(marks, PLACED, candidate)
    mark(marks, CELLS, candidate // 9)
    mark(marks, DIGITS, candidate % 9)
    if unit >= 0:
        mark(marks, SEEN_UNITS, unit)
