"""Franken and mutant fish, with and without fins: base and cover of rows, columns and boxes.

Order: digits; franken fish first with rows in the base, then with columns; base units in
lexicographic order, rows before columns before boxes; then cover units the same way. A search
takes whatever fish it meets first, also one of a simpler kind: marks.form says which.
"""

from typing import Final

from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import Board, Marks
from workers.engines.sudoku.shoal import Shoal
from workers.engines.sudoku.techniques.fish_base import next_base, seeing_all
from workers.engines.sudoku.techniques.fish_cover import list_covers, mark_removed, next_cover_set
from workers.engines.sudoku.techniques.fish_records import fish_forms, fish_record
from workers.engines.sudoku.techniques.sets import UNITS_HIGH, UNITS_LOW, admitting, size_of
from workers.engines.sudoku.techniques.technique import EXTREME, UNFAIR, Technique

FRANKEN_FISH: Final = 450
FINNED_FRANKEN_FISH: Final = 451
MUTANT_FISH: Final = 452
FINNED_MUTANT_FISH: Final = 453

ROWS: Final = 0x1FF
COLUMNS: Final = ROWS << 9
BOXES: Final = ROWS << 18

MOST_FINS: Final = 5
"""Endo fins too."""

ALL_CELLS: Final = ((1 << 45) - 1, (1 << 36) - 1)

PLAIN, FINNED, SASHIMI, FRANKEN, FINNED_FRANKEN, MUTANT, FINNED_MUTANT = range(7)
"""The kinds of fish as forms, numbered as in HoDoKu's code."""


def _records(
    kind: int, finder: int, orders: tuple[int, ...], scores: tuple[int, ...]
) -> list[Technique]:
    """Sizes 2 to 7 of a kind; franken fish of two and three lines are tried by default."""
    return [
        fish_record(
            kind,
            size,
            finder,
            order=order,
            level=UNFAIR if score < 450 else EXTREME,
            score=score,
            enabled=size < 4 and kind in (FRANKEN, FINNED_FRANKEN),
            forms=fish_forms(size),
        )
        for size, order, score in zip(range(2, 8), orders, scores, strict=True)
    ]


TECHNIQUES = (
    *_records(
        FRANKEN,
        FRANKEN_FISH,
        (6100, 6200, 6300, 6400, 6500, 6600),
        (300, 350, 370, 470, 470, 470),
    ),
    *_records(
        FINNED_FRANKEN,
        FINNED_FRANKEN_FISH,
        (6700, 6800, 6900, 7000, 7100, 7200),
        (390, 410, 430, 470, 470, 470),
    ),
    *_records(
        MUTANT,
        MUTANT_FISH,
        (7300, 7400, 7500, 7600, 7700, 7800),
        (450, 450, 450, 470, 470, 470),
    ),
    *_records(
        FINNED_MUTANT,
        FINNED_MUTANT_FISH,
        (7900, 8000, 8100, 8200, 8300, 8400),
        (470, 470, 470, 470, 470, 470),
    ),
)


@kernel
def find_unit_fish(board: Board, marks: Marks, finder: int, size: int, skip: int) -> bool:
    """Mark fish number `skip` of one of the finders 450-453."""
    if not FRANKEN_FISH <= finder <= FINNED_MUTANT_FISH:
        return False
    shoal = marks.shoal
    shoal.extent = size
    shoal.finned = int(finder in (FINNED_FRANKEN_FISH, FINNED_MUTANT_FISH))
    shoal.most_fins = MOST_FINS * shoal.finned
    mutant = finder in (MUTANT_FISH, FINNED_MUTANT_FISH)
    for digit in range(9):
        spot(board, shoal, digit)
        for turn in range(1 if mutant else 2):
            list_bases(shoal, mutant, turn)
            more_bases = next_base(shoal, 0)
            while more_bases:
                if size + mutant < 5 or endo_fins_seen(shoal):
                    list_covers(shoal)
                    more_covers = next_cover_set(shoal, 0)
                    while more_covers:
                        if mark_removed(shoal, marks):
                            if skip == 0:
                                marks.form = form_of(shoal)
                                return True
                            skip -= 1
                        more_covers = next_cover_set(shoal, 1)
                more_bases = next_base(shoal, 1)
    return False


@kernel
def spot(board: Board, shoal: Shoal, digit: int) -> None:
    """Note the places of `digit` in all units."""
    shoal.digit = digit
    low, high = admitting(board, digit)
    shoal.places[0], shoal.places[1] = low, high
    for unit in range(27):
        shoal.unit_cells[unit, 0] = low & UNITS_LOW[unit]
        shoal.unit_cells[unit, 1] = high & UNITS_HIGH[unit]


@kernel
def list_bases(shoal: Shoal, mutant: bool, turn: int) -> None:
    """List the units that may be base, and note which may be cover: franken rows, then columns."""
    kinds = shoal.allowed = ROWS | COLUMNS | BOXES
    if not mutant:
        kinds ^= ROWS if turn else COLUMNS
        shoal.allowed ^= COLUMNS if turn else ROWS
    shoal.base_count = 0
    for unit in range(27):
        if (kinds >> unit) & 1:
            places = size_of(shoal.unit_cells[unit, 0], shoal.unit_cells[unit, 1])
            if places and (shoal.finned or places <= shoal.extent):
                shoal.base_units[shoal.base_count] = unit
                shoal.base_count += 1


@kernel
def endo_fins_seen(shoal: Shoal) -> bool:
    """Whether some cell without the digit sees all endo fins; HoDoKu asks for it in large fish."""
    low, high = shoal.endo[shoal.extent - 1]
    if low | high == 0:
        return True
    low, high = seeing_all(
        ALL_CELLS[0] & ~shoal.places[0], ALL_CELLS[1] & ~shoal.places[1], low, high
    )
    return bool(low | high)


@kernel
def form_of(shoal: Shoal) -> int:
    """The kind of the fish that was found, as an index into the forms of its record."""
    last = shoal.extent - 1
    covers = 0
    sashimi = False
    for k in range(shoal.extent):
        covers |= 1 << shoal.cover_units[shoal.cover_picks[k]]
        unit = shoal.base_units[shoal.base_picks[k]]
        kept = size_of(
            shoal.unit_cells[unit, 0] & shoal.cover[last, 0] & ~shoal.endo[last, 0],
            shoal.unit_cells[unit, 1] & shoal.cover[last, 1] & ~shoal.endo[last, 1],
        )
        sashimi |= kept <= 1
    bases = shoal.taken
    for lines, crossing in ((ROWS, COLUMNS), (COLUMNS, ROWS)):
        if bases & ~lines == 0 and covers & ~crossing == 0:
            return SASHIMI if sashimi else PLAIN + shoal.finned
        if bases & lines and not bases & crossing and covers & crossing and not covers & lines:
            return FRANKEN + shoal.finned
    return MUTANT + shoal.finned
