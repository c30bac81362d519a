"""Kraken fish: finned franken fish whose fins do by chains what they do not do by sight.

Type 1: every fin implies that a place of the cover loses the digit. Type 2: the fins and the
base's places in one cover unit all imply that some candidate goes: one of them holds the digit.
What a candidate implies is followed through cells, units and groups, see tables.py.

Order: digits, rows in the base, then columns; base sets depth first, so that each comes before
those that continue it; cover sets of as many units lexicographically; type 1 before type 2.
"""

from typing import Final

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import REMOVED, Board, Marks, mark
from workers.engines.sudoku.links import Links
from workers.engines.sudoku.shoal import Shoal
from workers.engines.sudoku.techniques.fish_cover import (
    list_covers,
    mark_pattern,
    mark_removed,
    next_cover_set,
)
from workers.engines.sudoku.techniques.fish_records import FINNED_SENTENCE
from workers.engines.sudoku.techniques.fish_units import list_bases, spot
from workers.engines.sudoku.techniques.sets import LOW
from workers.engines.sudoku.techniques.tables import prepare, reaches
from workers.engines.sudoku.techniques.technique import EXTREME, Form, Technique

KRAKEN_FISH: Final = 454

MOST_UNITS: Final = 4
MOST_KRAKEN_FINS: Final = 2

TYPE_1, TYPE_2 = range(2)

TECHNIQUES = (
    Technique(
        name="kraken_fish",
        title="Kraken Fish Type 1",
        code="0371",
        order=8450,
        level=EXTREME,
        score=500,
        finder=KRAKEN_FISH,
        size=MOST_UNITS,
        enabled=False,
        forms=(Form("Kraken Fish Type 1", "0371"), Form("Kraken Fish Type 2", "0372")),
        sentence=FINNED_SENTENCE,
    ),
)


@kernel
def find_kraken(board: Board, marks: Marks, skip: int) -> bool:
    """Mark kraken fish number `skip` of two to four base units and one or two fins."""
    shoal = marks.shoal
    prepare(board, marks.links, True)
    shoal.finned = 1
    shoal.most_fins = MOST_KRAKEN_FINS
    for digit in range(9):
        spot(board, shoal, digit)
        for turn in range(2):
            list_bases(shoal, False, turn)
            depth = next_disjoint(shoal, -1)
            while depth >= 0:
                shoal.extent = depth + 1
                if depth > 0:
                    list_covers(shoal)
                    more_covers = next_cover_set(shoal, 0)
                    while more_covers:
                        skip -= count_kraken(shoal, marks, skip)
                        if skip < 0:
                            return True
                        more_covers = next_cover_set(shoal, 1)
                depth = next_disjoint(shoal, depth)
    return False


@kernel
def next_disjoint(shoal: Shoal, depth: int) -> int:
    """Go on to the next set of disjoint base units; `depth` is that of the last unit, -1 if none.

    A set comes before those that continue it. Returns the new depth, -1 when there is none left.
    """
    if depth < 0:
        shoal.taken = 0
    pick = shoal.base_picks[depth] if depth >= 0 else -1
    depth += 1
    while depth >= 0:
        pick += 1
        if pick >= shoal.base_count or depth == MOST_UNITS:
            depth -= 1
            if depth >= 0:
                pick = shoal.base_picks[depth]
                shoal.taken ^= 1 << shoal.base_units[pick]
            continue
        unit = shoal.base_units[pick]
        low, high = shoal.unit_cells[unit, 0], shoal.unit_cells[unit, 1]
        if depth > 0:
            if (low & shoal.body[depth - 1, 0]) | (high & shoal.body[depth - 1, 1]):
                continue
            low |= shoal.body[depth - 1, 0]
            high |= shoal.body[depth - 1, 1]
        shoal.body[depth, 0], shoal.body[depth, 1] = low, high
        shoal.endo[depth, 0] = shoal.endo[depth, 1] = 0
        shoal.base_picks[depth] = pick
        shoal.taken |= 1 << unit
        return int(depth)
    return -1


@kernel
def count_kraken(shoal: Shoal, marks: Marks, skip: int) -> int:
    """Mark step `skip` of this base and cover, if there is one; or 0 when there is none at all.

    A base and a cover have one step: of type 1 if possible, otherwise of type 2.
    """
    last = shoal.extent - 1
    fins = (
        shoal.body[last, 0] & ~shoal.cover[last, 0],
        shoal.body[last, 1] & ~shoal.cover[last, 1],
    )
    if fins[0] | fins[1] == 0 or mark_removed(shoal, marks):
        return 0
    target, form = type_1(shoal, marks.links, fins), TYPE_1
    if target < 0:
        target, form = type_2(shoal, marks.links, fins), TYPE_2
    if target < 0:
        return 0
    if skip == 0:
        mark_pattern(shoal, marks)
        mark(marks, REMOVED, target)
        marks.form = form
    return 1


@kernel
def type_1(shoal: Shoal, links: Links, fins: tuple[int, int]) -> int:
    """The first place of the cover that every fin takes the digit from, as a candidate, or -1."""
    last = shoal.extent - 1
    for half in range(2):
        word = (shoal.cover[last, half] & ~shoal.body[last, half]) | shoal.twice[last, half]
        while word:
            candidate = 9 * (LOW * half + lowest(word)) + shoal.digit
            word &= word - 1
            if all_refute(shoal, links, fins, candidate):
                return candidate
    return -1


@kernel
def type_2(shoal: Shoal, links: Links, fins: tuple[int, int]) -> int:
    """The first candidate that the fins and one cover unit's places in the base refute, or -1."""
    last = shoal.extent - 1
    for k in range(shoal.extent):
        unit = shoal.cover_units[shoal.cover_picks[k]]
        low, high = shoal.unit_cells[unit, 0], shoal.unit_cells[unit, 1]
        base_low = low & shoal.body[last, 0] & ~shoal.twice[last, 0]
        base_high = high & shoal.body[last, 1] & ~shoal.twice[last, 1]
        if base_low == low and base_high == high:
            continue
        starts = base_low | fins[0], base_high | fins[1]
        for digit in range(9):
            for half in range(2):
                word = links.admitting[digit, half] & ~starts[half]
                while word:
                    candidate = 9 * (LOW * half + lowest(word)) + digit
                    word &= word - 1
                    if all_refute(shoal, links, starts, candidate):
                        return candidate
    return -1


@kernel
def all_refute(shoal: Shoal, links: Links, starts: tuple[int, int], candidate: int) -> bool:
    """Whether the digit in each of the cells `starts` implies that `candidate` goes."""
    off = links.nodes + links.number[candidate]
    for half in range(2):
        word = starts[half]
        while word:
            start = 9 * (LOW * half + lowest(word)) + shoal.digit
            word &= word - 1
            if not reaches(links, links.number[start], off):
                return False
    return True
