"""Finned and sashimi fish of lines, and finless ones of more than four lines.

`size` base lines, as many crossing lines as cover; the base's places outside the cover are fins,
and places of the cover that see all of them fall. Such a place lies off the base lines and on a
cover line, so it can share only a box with a fin: all fins are in its box. Therefore the base's
places spread over one or two crossing lines more than there are cover lines, these are in one
stack of the crossing direction, and the base lines that have fins are in one band of the other.
That is what the search tries; everything else would find nothing.

Order: digits, rows as base before columns, base lines lexicographically, then cover lines.
"""

from typing import Final, NamedTuple

from workers.engines.machine.bits import popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import (
    CELLS,
    COVER_UNITS,
    DIGITS,
    FINS,
    REMOVED,
    SEEN_UNITS,
    Board,
    Marks,
    clear,
    mark,
)
from workers.engines.sudoku.techniques.fish import find_fish, mark_row
from workers.engines.sudoku.techniques.fish_records import fish_record
from workers.engines.sudoku.techniques.technique import HARD, UNFAIR

FINNED_FISH: Final = 250
SASHIMI_FISH: Final = 251
LARGE_FISH: Final = 252

TECHNIQUES = (
    *(
        fish_record(0, size, LARGE_FISH, order=order, level=UNFAIR, score=470, enabled=False)
        for size, order in ((5, 2500), (6, 2600), (7, 2700))
    ),
    fish_record(1, 2, FINNED_FISH, order=4100, level=HARD, score=130, enabled=True),
    fish_record(2, 2, SASHIMI_FISH, order=4200, level=HARD, score=150, enabled=True),
    fish_record(1, 3, FINNED_FISH, order=4300, level=UNFAIR, score=200, enabled=True),
    fish_record(2, 3, SASHIMI_FISH, order=4400, level=UNFAIR, score=240, enabled=True),
    fish_record(1, 4, FINNED_FISH, order=4500, level=UNFAIR, score=250, enabled=True),
    fish_record(2, 4, SASHIMI_FISH, order=4600, level=UNFAIR, score=260, enabled=True),
    *(
        fish_record(1, size, FINNED_FISH, order=order, level=UNFAIR, score=470, enabled=False)
        for size, order in ((5, 4700), (6, 4900), (7, 5100))
    ),
    *(
        fish_record(2, size, SASHIMI_FISH, order=order, level=UNFAIR, score=470, enabled=False)
        for size, order in ((5, 4800), (6, 5000), (7, 5200))
    ),
)


class Base(NamedTuple):
    """A set of base lines that may have fins."""

    digit: int
    first: int  # unit of the first line: 0 for rows, 9 for columns
    lines: int  # mask of the lines
    spread: int  # crossing lines with places of the base


@kernel
def find_line_fish(board: Board, marks: Marks, finder: int, size: int, skip: int) -> bool:
    """Mark fish number `skip` of one of the finders 250-252."""
    if finder == FINNED_FISH:
        return find_finned(board, marks, size, False, skip)
    if finder == SASHIMI_FISH:
        return find_finned(board, marks, size, True, skip)
    if finder == LARGE_FISH:
        return find_fish(board, marks, size, skip)
    return False


@kernel
def find_finned(board: Board, marks: Marks, size: int, sashimi: bool, skip: int) -> bool:
    """Mark finned (or sashimi) fish number `skip` with `size` base lines.

    A fish is sashimi when a base line keeps at most one place besides its fins.
    """
    for digit in range(9):
        for first in (0, 9):
            count = 0
            for line in range(9):
                places = board.places[first + line, digit]
                if places:
                    marks.items[count] = line
                    marks.masks[count] = places
                    count += 1
            again = 0
            while count >= size:
                spread = next_spread(marks, count, size, again)
                again = 1
                if spread == 0:
                    break
                lines = 0
                for k in range(size):
                    lines |= 1 << marks.items[marks.picks[k]]
                base = Base(digit, first, lines, spread)
                for choice in range(9):
                    fins = fin_lines(spread, size, choice)
                    if fins and mark_finned(board, marks, base, fins, sashimi):
                        if skip == 0:
                            return True
                        skip -= 1
    return False


@kernel
def next_spread(marks: Marks, count: int, size: int, again: int) -> int:
    """Go on to the next `size` of `count` lines whose places spread over one or two lines more.

    As `covers.next_cover`: lexicographic, picks in marks.picks, `again` 0 for the first set;
    0 when there is no further set.
    """
    depth = size - 1
    if not again:
        depth = 0
        marks.picks[0] = -1
    while depth >= 0:
        pick = marks.picks[depth] + 1
        marks.picks[depth] = pick
        if pick > count - size + depth:
            depth -= 1
            continue
        union = marks.masks[pick]
        if depth > 0:
            union |= marks.unions[depth - 1]
        if popcount(union) > size + 2:
            continue
        if depth < size - 1:
            marks.unions[depth] = union
            depth += 1
            marks.picks[depth] = pick
        elif popcount(union) > size:
            return int(union)
    return 0


@kernel
def fin_lines(spread: int, size: int, choice: int) -> int:
    """Choice 0..8 of the crossing lines without cover, in the order of the cover sets; or 0.

    Cover sets count up lexicographically, so what they leave out counts down.
    """
    stack, k = 2 - choice // 3, choice % 3
    pattern = 4 >> k if popcount(spread) == size + 1 else 7 ^ (1 << k)
    fins = pattern << (3 * stack)
    return fins if fins & spread == fins else 0


@kernel
def mark_finned(board: Board, marks: Marks, base: Base, fins: int, sashimi: bool) -> bool:
    """Mark the fish of `base` with the crossing lines `fins` left out; False if it does nothing."""
    band = -1
    short = False
    for line in range(9):
        if (base.lines >> line) & 1:
            places = board.places[base.first + line, base.digit]
            if places & fins:
                if band >= 0 and band != line // 3:
                    return False
                band = line // 3
            body = places & ~fins
            short |= body & (body - 1) == 0
    if short != sashimi:
        return False
    covers = base.spread & ~fins
    box = 0
    while not (fins >> box) & 7:
        box += 3
    clear(marks)
    mark_crossing(board, marks, REMOVED, base, (7 << 3 * band) & ~base.lines, covers & (7 << box))
    if marks.counts[REMOVED] == 0:
        return False
    mark_crossing(board, marks, CELLS, base, base.lines, covers)
    mark_crossing(board, marks, FINS, base, base.lines, fins)
    mark(marks, DIGITS, base.digit)
    for line in range(9):
        if (base.lines >> line) & 1:
            mark(marks, SEEN_UNITS, base.first + line)
        if (covers >> line) & 1:
            mark(marks, COVER_UNITS, 9 - base.first + line)
    return True


@kernel
def mark_crossing(
    board: Board, marks: Marks, role: int, base: Base, lines: int, crossing: int
) -> None:
    """Append the places where `lines` of the base's direction meet `crossing` ones, in order."""
    rows, columns = (crossing, lines) if base.first else (lines, crossing)
    for row in range(9):
        if (rows >> row) & 1:
            mark_row(marks, role, row, board.places[row, base.digit] & columns, base.digit)
