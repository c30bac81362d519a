"""Naked and hidden subsets, and the naked ones that are locked.

Boxes are tried first, then rows, then columns. In a unit naked subsets come in lexicographic
order of the positions of their cells, hidden ones of their digits. A naked pair or triple in
the crossing of a box and a line is locked when it removes something both in the box and in the
line outside the box; then it is one step, and it is no naked subset.
"""

from typing import Final

import numpy as np

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import (
    CELLS,
    DIGITS,
    POSITIONS,
    REMOVED,
    SEEN_UNITS,
    Board,
    Marks,
    clear,
    mark,
    mark_digits,
)
from workers.engines.sudoku.geometry import CELL_UNITS, UNITS
from workers.engines.sudoku.techniques.covers import next_cover
from workers.engines.sudoku.techniques.technique import HARD, MEDIUM, Technique

NAKED_SUBSET, LOCKED_SUBSET, HIDDEN_SUBSET = 120, 121, 122

UNIT_ORDER: Final = np.array([*range(18, 27), *range(18)], dtype=np.int64)
"""Boxes, rows, columns, shape (27,)."""
UNIT_ORDER.setflags(write=False)

_SENTENCE = "{title} {digits} in {cells} ({units}): removes {eliminations}"

TECHNIQUES = (
    Technique(
        name="locked_pair",
        title="Locked Pair",
        code="0110",
        order=1000,
        level=MEDIUM,
        score=40,
        finder=LOCKED_SUBSET,
        size=2,
        sentence=_SENTENCE,
    ),
    Technique(
        name="locked_triple",
        title="Locked Triple",
        code="0111",
        order=1100,
        level=MEDIUM,
        score=60,
        finder=LOCKED_SUBSET,
        size=3,
        sentence=_SENTENCE,
    ),
    Technique(
        name="naked_pair",
        title="Naked Pair",
        code="0200",
        order=1300,
        level=MEDIUM,
        score=60,
        finder=NAKED_SUBSET,
        size=2,
        sentence=_SENTENCE,
    ),
    Technique(
        name="naked_triple",
        title="Naked Triple",
        code="0201",
        order=1400,
        level=MEDIUM,
        score=80,
        finder=NAKED_SUBSET,
        size=3,
        sentence=_SENTENCE,
    ),
    Technique(
        name="naked_quad",
        title="Naked Quadruple",
        code="0202",
        order=2000,
        level=HARD,
        score=120,
        finder=NAKED_SUBSET,
        size=4,
        sentence=_SENTENCE,
    ),
    Technique(
        name="hidden_pair",
        title="Hidden Pair",
        code="0210",
        order=1500,
        level=MEDIUM,
        score=70,
        finder=HIDDEN_SUBSET,
        size=2,
        sentence=_SENTENCE,
    ),
    Technique(
        name="hidden_triple",
        title="Hidden Triple",
        code="0211",
        order=1600,
        level=MEDIUM,
        score=100,
        finder=HIDDEN_SUBSET,
        size=3,
        sentence=_SENTENCE,
    ),
    Technique(
        name="hidden_quad",
        title="Hidden Quadruple",
        code="0212",
        order=2100,
        level=HARD,
        score=150,
        finder=HIDDEN_SUBSET,
        size=4,
        sentence=_SENTENCE,
    ),
)


@kernel
def find_naked(board: Board, marks: Marks, size: int, locked: bool, skip: int) -> bool:
    """Mark naked subset number `skip` of `size` cells, of the locked ones or of the others."""
    for unit in UNIT_ORDER[: 9 if locked else 27]:
        count = 0
        cells = board.unsolved[unit]
        while cells:
            cell = UNITS[unit, lowest(cells)]
            cells &= cells - 1
            if popcount(board.cells[cell]) <= size:
                marks.items[count] = cell
                marks.masks[count] = board.cells[cell]
                count += 1
        again = 0
        while count >= size:
            digits = next_cover(marks, count, size, again)
            again = 1
            if digits == 0:
                break
            if popcount(digits) == size and mark_naked(board, marks, size, digits, locked):
                if skip == 0:
                    return True
                skip -= 1
    return False


@kernel
def mark_naked(board: Board, marks: Marks, size: int, digits: int, locked: bool) -> bool:
    """Mark the picked cells with `digits`; False when they remove nothing or are of other kind."""
    clear(marks)
    mark_digits(marks, DIGITS, 0, digits)
    for k in range(size):
        mark(marks, CELLS, marks.items[marks.picks[k]])
    first = marks.lists[CELLS, 0]
    sides = 0
    line = -1
    for k in range(3):
        unit = CELL_UNITS[first, k]
        members = 0
        for i in range(size):
            cell = marks.lists[CELLS, i]
            if CELL_UNITS[cell, k] == unit:
                members |= 1 << POSITIONS[cell, k]
        if popcount(members) < size:
            continue
        mark(marks, SEEN_UNITS, unit)
        removes = False
        others = board.unsolved[unit] & ~members
        while others:
            cell = UNITS[unit, lowest(others)]
            others &= others - 1
            hit = board.cells[cell] & digits
            if hit == 0:
                continue
            if k == 2 or CELL_UNITS[cell, 2] != CELL_UNITS[first, 2]:
                removes = True
            if k < 2 or line not in CELL_UNITS[cell]:
                mark_digits(marks, REMOVED, cell, hit)
        sides += removes
        line = unit
    crossing = marks.counts[SEEN_UNITS] == 2 and size < 4
    return (crossing and sides == 2) == locked and bool(marks.counts[REMOVED])


@kernel
def find_hidden(board: Board, marks: Marks, size: int, skip: int) -> bool:
    """Mark hidden subset number `skip` of `size` digits."""
    for unit in UNIT_ORDER:
        if popcount(board.unsolved[unit]) <= size:
            continue
        count = 0
        for digit in range(9):
            places = board.places[unit, digit]
            if places and popcount(places) <= size:
                marks.items[count] = digit
                marks.masks[count] = places
                count += 1
        again = 0
        while count >= size:
            places = next_cover(marks, count, size, again)
            again = 1
            if places == 0:
                break
            if popcount(places) == size and mark_hidden(board, marks, size, places, unit):
                if skip == 0:
                    return True
                skip -= 1
    return False


@kernel
def mark_hidden(board: Board, marks: Marks, size: int, places: int, unit: int) -> bool:
    """Mark what the picked digits drive out of `places` of `unit`; False when it is nothing."""
    clear(marks)
    mark(marks, SEEN_UNITS, unit)
    digits = 0
    for k in range(size):
        digit = marks.items[marks.picks[k]]
        mark(marks, DIGITS, digit)
        digits |= 1 << digit
    while places:
        cell = UNITS[unit, lowest(places)]
        places &= places - 1
        mark(marks, CELLS, cell)
        mark_digits(marks, REMOVED, cell, board.cells[cell] & ~digits)
    return bool(marks.counts[REMOVED])
