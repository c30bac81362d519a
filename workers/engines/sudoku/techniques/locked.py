"""Locked Candidates: a digit confined to the crossing of a box and a line leaves the rest.

Pointing looks from the box, claiming from the line. Units are tried in their order (claiming:
rows, then columns), in each the digits from 1 to 9.
"""

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import (
    CELLS,
    COVER_UNITS,
    DIGITS,
    REMOVED,
    SEEN_UNITS,
    Board,
    Marks,
    clear,
    mark,
)
from workers.engines.sudoku.geometry import CELL_UNITS, UNITS
from workers.engines.sudoku.techniques.technique import MEDIUM, Technique

POINTING, CLAIMING = 110, 111

_SENTENCE = "{title}: in {units} digit {digits} fits only in {covers}: removes {eliminations}"

TECHNIQUES = (
    Technique(
        name="pointing",
        title="Locked Candidates Type 1 (Pointing)",
        code="0100",
        order=1200,
        level=MEDIUM,
        score=50,
        finder=POINTING,
        sentence=_SENTENCE,
    ),
    Technique(
        name="claiming",
        title="Locked Candidates Type 2 (Claiming)",
        code="0101",
        order=1210,
        level=MEDIUM,
        score=50,
        finder=CLAIMING,
        sentence=_SENTENCE,
    ),
)


@kernel
def find_pointing(board: Board, marks: Marks, skip: int) -> bool:
    """Mark pointing number `skip`."""
    for unit in range(18, 27):
        for digit in range(9):
            places = board.places[unit, digit]
            if popcount(places) in (2, 3):
                cell = UNITS[unit, lowest(places)]
                third = lowest(places) // 3
                line = -1
                if places & ~(0o7 << 3 * third) == 0:
                    line = CELL_UNITS[cell, 0]
                elif places & ~(0o111 << lowest(places) % 3) == 0:
                    line = CELL_UNITS[cell, 1]
                if line >= 0 and popcount(board.places[line, digit]) > popcount(places):
                    if skip == 0:
                        mark_locked(board, marks, digit, unit, line)
                        return True
                    skip -= 1
    return False


@kernel
def find_claiming(board: Board, marks: Marks, skip: int) -> bool:
    """Mark claiming number `skip`."""
    for unit in range(18):
        for digit in range(9):
            places = board.places[unit, digit]
            if popcount(places) in (2, 3):
                third = lowest(places) // 3
                if places & ~(0o7 << 3 * third) == 0:
                    box = CELL_UNITS[UNITS[unit, 3 * third], 2]
                    if popcount(board.places[box, digit]) > popcount(places):
                        if skip == 0:
                            mark_locked(board, marks, digit, unit, box)
                            return True
                        skip -= 1
    return False


@kernel
def mark_locked(board: Board, marks: Marks, digit: int, unit: int, other: int) -> None:
    """Mark `digit`, confined to `other` by `unit`, for removal from the rest of `other`."""
    clear(marks)
    mark(marks, DIGITS, digit)
    mark(marks, SEEN_UNITS, unit)
    mark(marks, COVER_UNITS, other)
    places = board.places[other, digit]
    while places:
        cell = UNITS[other, lowest(places)]
        places &= places - 1
        if unit in CELL_UNITS[cell]:
            mark(marks, CELLS, cell)
        else:
            mark(marks, REMOVED, 9 * cell + digit)
