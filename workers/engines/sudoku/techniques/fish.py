"""Basic fish: X-Wing, Swordfish, Jellyfish.

Digits are tried from 1 to 9, for each first rows as base, then columns; base lines in
lexicographic order. Candidates fall in the order of the cells.
"""

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import (
    ALL,
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
from workers.engines.sudoku.techniques.covers import next_cover
from workers.engines.sudoku.techniques.technique import HARD, Technique

BASIC_FISH = 130

_SENTENCE = "{title} {digits} in {units}, all places in {covers}: removes {eliminations}"

TECHNIQUES = (
    Technique(
        name="x_wing",
        title="X-Wing",
        code="0300",
        order=2200,
        level=HARD,
        score=140,
        finder=BASIC_FISH,
        size=2,
        sentence=_SENTENCE,
    ),
    Technique(
        name="swordfish",
        title="Swordfish",
        code="0301",
        order=2300,
        level=HARD,
        score=150,
        finder=BASIC_FISH,
        size=3,
        sentence=_SENTENCE,
    ),
    Technique(
        name="jellyfish",
        title="Jellyfish",
        code="0302",
        order=2400,
        level=HARD,
        score=160,
        finder=BASIC_FISH,
        size=4,
        sentence=_SENTENCE,
    ),
)


@kernel
def find_fish(board: Board, marks: Marks, size: int, skip: int) -> bool:
    """Mark basic fish number `skip` with `size` base lines."""
    for digit in range(9):
        for base in (0, 9):
            count = 0
            for line in range(9):
                places = board.places[base + line, digit]
                if 2 <= popcount(places) <= size:
                    marks.items[count] = line
                    marks.masks[count] = places
                    count += 1
            again = 0
            while count >= size:
                covers = next_cover(marks, count, size, again)
                again = 1
                if covers == 0:
                    break
                if mark_fish(board, marks, digit, base, size, covers):
                    if skip == 0:
                        return True
                    skip -= 1
    return False


@kernel
def mark_fish(board: Board, marks: Marks, digit: int, base: int, size: int, covers: int) -> bool:
    """Mark `digit` for removal from the cover lines off the picked base lines (rows: `base` 0)."""
    clear(marks)
    mark(marks, DIGITS, digit)
    lines = 0
    for k in range(size):
        line = marks.items[marks.picks[k]]
        mark(marks, SEEN_UNITS, base + line)
        lines |= 1 << line
    for line in range(9):
        if (covers >> line) & 1:
            mark(marks, COVER_UNITS, 9 - base + line)
    for row in range(9):
        if base:
            chosen, others = (lines, ALL ^ lines) if (covers >> row) & 1 else (0, 0)
        else:
            chosen, others = (covers, 0) if (lines >> row) & 1 else (0, covers)
        places = board.places[row, digit]
        mark_row(marks, CELLS, row, places & chosen, digit)
        mark_row(marks, REMOVED, row, places & others, digit)
    return bool(marks.counts[REMOVED])


@kernel
def mark_row(marks: Marks, role: int, row: int, places: int, digit: int) -> None:
    """Append the cells at `places` of `row`, or for REMOVED the candidates of `digit` there."""
    while places:
        cell = 9 * row + lowest(places)
        places &= places - 1
        mark(marks, role, 9 * cell + digit if role == REMOVED else cell)
