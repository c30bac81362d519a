"""Sets of cells as integers of 81 bits, and the candidates of a board in that form."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from workers.engines.sudoku.board import Board
from workers.engines.sudoku.geometry import PEERS, UNITS
from workers.engines.sudoku.techniques.technique import Candidate

Cells = int  # bit c stands for cell c


def set_of(cells: Iterable[int]) -> Cells:
    """The set of these cells."""
    return sum(1 << int(cell) for cell in set(cells))


def listed(cells: Cells) -> Iterator[int]:
    """The cells of a set, ascending."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


UNIT_CELLS: Final = tuple(set_of(unit) for unit in UNITS.tolist())
SIGHT: Final = tuple(set_of(peers) for peers in PEERS.tolist())
EVERY: Final = (1 << 81) - 1


def seeing_all(cells: Cells) -> Cells:
    """The cells that see every cell of a set."""
    sight = EVERY
    for cell in listed(cells):
        sight &= SIGHT[cell]
    return sight


class Position(NamedTuple):
    """The candidates of a board: masks by cell, and the places of each digit 0-8."""

    masks: tuple[int, ...]
    places: tuple[Cells, ...]


def position_of(board: Board) -> Position:
    """The candidates of `board`."""
    masks = tuple(int(mask) for mask in board.cells)
    places = (set_of(c for c in range(81) if masks[c] >> digit & 1) for digit in range(9))
    return Position(masks, tuple(places))


def digits_in(mask: int) -> list[int]:
    """The digits 0-8 of a mask, ascending."""
    return [digit for digit in range(9) if mask >> digit & 1]


def candidates(removed: Iterable[tuple[int, Cells]]) -> tuple[Candidate, ...]:
    """Pairs of a digit 0-8 and cells as candidates, by digit and cell, none twice."""
    found = {(digit, cell) for digit, cells in removed for cell in listed(cells)}
    return tuple(Candidate(cell, digit + 1) for digit, cell in sorted(found))
