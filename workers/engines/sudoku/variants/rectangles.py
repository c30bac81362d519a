"""Empty rectangles whose box has two places only, one in the row and one in the column.

By the usual definition such a pattern is a turbot fish and no rectangle.
"""

import itertools
from collections.abc import Iterator

from workers.engines.sudoku.board import Board
from workers.engines.sudoku.geometry import CELL_UNITS, UNITS
from workers.engines.sudoku.techniques.technique import Candidate, Step, Technique
from workers.engines.sudoku.variants.cells import UNIT_CELLS, listed, position_of


def rectangles(board: Board, technique: Technique) -> Iterator[Step]:
    """All empty rectangles, of two places or more, as HoDoKu goes through them."""
    places = position_of(board).places
    for digit, box, choice in itertools.product(range(9), range(18, 27), range(8, -1, -1)):
        inside = places[digit] & UNIT_CELLS[box]
        crossing = int(UNITS[box, choice])
        row, column = (int(unit) for unit in CELL_UNITS[crossing, :2])
        across, down = inside & UNIT_CELLS[row], inside & UNIT_CELLS[column]
        if inside & ~(across | down) or not across & ~down or not down & ~across:
            continue
        for along, other in ((row, column), (column, row)):
            outside = places[digit] & UNIT_CELLS[along] & ~UNIT_CELLS[box]
            for cell in listed(outside):
                yield from _removals(technique, places[digit], (digit, box, along, other), cell)


def _removals(
    technique: Technique, places: int, where: tuple[int, int, int, int], cell: int
) -> Iterator[Step]:
    """What the strong link from `cell`, in line `along`, removes in the line across it."""
    digit, box, along, other = where
    side = 1 if along < 9 else 0  # the link goes down a column from a row, and the reverse
    link = places & UNIT_CELLS[CELL_UNITS[cell, side]] & ~(1 << cell)
    if link == 0 or link & (link - 1):
        return
    end = link.bit_length() - 1
    parallel = UNIT_CELLS[CELL_UNITS[end, 1 - side]]
    falls = places & parallel & UNIT_CELLS[other] & ~UNIT_CELLS[box] & ~link
    for fallen in listed(falls):
        yield Step(
            technique=technique,
            placements=(),
            eliminations=(Candidate(fallen, digit + 1),),
            cells=(cell, end),
            digits=(digit + 1,),
            units=(box,),
        )


def dual_rectangles(board: Board, technique: Technique) -> Iterator[Step]:
    """Pairs of empty rectangles of the same digit in the same box that remove different cells."""
    for one, other in itertools.combinations(rectangles(board, technique), 2):
        same = (one.digits, one.units) == (other.digits, other.units)
        if same and one.eliminations != other.eliminations:
            yield Step(
                technique=technique,
                placements=(),
                eliminations=one.eliminations + other.eliminations,
                cells=tuple(dict.fromkeys((*one.cells, *other.cells))),
                digits=one.digits,
                units=one.units,
            )
