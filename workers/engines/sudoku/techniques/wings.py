"""W-Wing, XY-Wing, XYZ-Wing: small chains of cells with two candidates.

The first found is taken; the order of cells, pivots and links is told on the facts page.
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
    mark_digits,
)
from workers.engines.sudoku.geometry import UNITS
from workers.engines.sudoku.techniques.sets import (
    PEERS_HIGH,
    PEERS_LOW,
    mark_set,
    seeing_both,
    sees,
)
from workers.engines.sudoku.techniques.technique import HARD, Technique

W_WING, XY_WING, XYZ_WING = 208, 209, 210

_SENTENCE = "{title} {digits} in {cells}: removes {eliminations}"

TECHNIQUES = (
    Technique(
        name="w_wing",
        title="W-Wing",
        code="0803",
        order=3200,
        level=HARD,
        score=150,
        finder=W_WING,
        sentence="{title} {digits} in {cells}, linked by {units}: removes {eliminations}",
    ),
    Technique(
        name="xy_wing",
        title="XY-Wing",
        code="0800",
        order=3300,
        level=HARD,
        score=160,
        finder=XY_WING,
        sentence=_SENTENCE,
    ),
    Technique(
        name="xyz_wing",
        title="XYZ-Wing",
        code="0801",
        order=3400,
        level=HARD,
        score=180,
        finder=XYZ_WING,
        sentence=_SENTENCE,
    ),
)


@kernel
def find_w_wing(board: Board, marks: Marks, skip: int) -> bool:
    """Mark W-Wing number `skip`."""
    for one in range(80):
        pair = board.cells[one]
        if popcount(pair) != 2:
            continue
        for other in range(one + 1, 81):
            if board.cells[other] != pair:
                continue
            for turn in range(2):
                gone, link = lowest(pair), lowest(pair & (pair - 1))
                if turn:
                    gone, link = link, gone
                low, high = seeing_both(board, gone, one, other)
                if low == 0 and high == 0:
                    continue
                unit = linking_unit(board, link, one, other)
                if unit >= 0 and skip == 0:
                    mark_wing(board, marks, one, other, -1)
                    mark_set(marks, REMOVED, low, high, gone)
                    mark(marks, SEEN_UNITS, unit)
                    return True
                skip -= unit >= 0
    return False


@kernel
def linking_unit(board: Board, digit: int, one: int, other: int) -> int:
    """The first unit with two places for `digit`, one seen by each cell, or -1."""
    for unit in range(27):
        places = board.places[unit, digit]
        if popcount(places) != 2:
            continue
        met = 0
        while places:
            cell = UNITS[unit, lowest(places)]
            places &= places - 1
            if cell in (one, other):
                continue
            if sees(one, cell):
                met |= 1
            elif sees(other, cell):
                met |= 2
        if met == 3:
            return unit
    return -1


@kernel
def find_xy_wing(board: Board, marks: Marks, skip: int) -> bool:
    """Mark XY-Wing number `skip`."""
    count = list_cells(board, marks)
    for p in range(count):
        for q in range(p + 1, count):
            first, second = marks.lists[CELLS, p], marks.lists[CELLS, q]
            one, two = board.cells[first], board.cells[second]
            if popcount(one | two) != 3:
                continue
            for r in range(q + 1, count):
                third = marks.lists[CELLS, r]
                three = board.cells[third]
                if popcount(one | two | three) != 3 or three in (one, two):
                    continue
                for pivot, left, right in (
                    (first, second, third),
                    (second, first, third),
                    (third, first, second),
                ):
                    if wing(board, pivot, left, right):
                        if skip == 0:
                            mark_wing(board, marks, left, right, pivot)
                            return True
                        skip -= 1
    return False


@kernel
def find_xyz_wing(board: Board, marks: Marks, skip: int) -> bool:
    """Mark XYZ-Wing number `skip`."""
    count = list_cells(board, marks)
    for pivot in range(81):
        if popcount(board.cells[pivot]) != 3:
            continue
        for q in range(count):
            left = marks.lists[CELLS, q]
            if board.cells[left] & ~board.cells[pivot] or not sees(pivot, left):
                continue
            for r in range(q + 1, count):
                right = marks.lists[CELLS, r]
                if board.cells[right] & ~board.cells[pivot]:
                    continue
                if board.cells[left] != board.cells[right] and wing(board, pivot, left, right):
                    if skip == 0:
                        mark_wing(board, marks, left, right, pivot)
                        return True
                    skip -= 1
    return False


@kernel
def list_cells(board: Board, marks: Marks) -> int:
    """Put the cells with two candidates into the list of cells; how many there are."""
    clear(marks)
    for cell in range(81):
        if popcount(board.cells[cell]) == 2:
            mark(marks, CELLS, cell)
    return int(marks.counts[CELLS])


@kernel
def wing(board: Board, pivot: int, left: int, right: int) -> bool:
    """Whether the pivot sees both wings and their common digit falls somewhere."""
    if not (sees(pivot, left) and sees(pivot, right)):
        return False
    digit = lowest(board.cells[left] & board.cells[right])
    low, high = seeing_both(board, digit, left, right)
    if (board.cells[pivot] >> digit) & 1:
        low &= PEERS_LOW[pivot]
        high &= PEERS_HIGH[pivot]
    return bool(low or high)


@kernel
def mark_wing(board: Board, marks: Marks, left: int, right: int, pivot: int) -> None:
    """Mark the cells of a wing and, where it has a pivot, what the common digit loses."""
    clear(marks)
    mask = board.cells[left] | board.cells[right]
    if pivot >= 0:
        mark(marks, CELLS, pivot)
        digit = lowest(board.cells[left] & board.cells[right])
        low, high = seeing_both(board, digit, left, right)
        if (board.cells[pivot] >> digit) & 1:
            low &= PEERS_LOW[pivot]
            high &= PEERS_HIGH[pivot]
        mark_set(marks, REMOVED, low, high, digit)
    mark(marks, CELLS, left)
    mark(marks, CELLS, right)
    mark_digits(marks, DIGITS, 0, mask)
