"""The state of a puzzle while a person's techniques work on it, and the marks they leave.

Legend, used by all kernels of techniques/:
    cell      0..80                     unit      0..26 (rows, columns, boxes)
    digit     0..8 stands for 1..9: the index of its bit in a mask
    position  0..8: which cell of a unit, as UNITS orders them
    candidate 9 * cell + digit

A board knows its singles without a search: a cell left with one candidate, a unit left with one
place for a digit, enter a queue at the moment it happens. The order of these queues decides
which of several singles is next, so candidates fall in a stated order: see README.md of the
techniques.
"""

from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import CELL_UNITS, PEERS, UNITS, Digits
from workers.engines.sudoku.links import ALMOST, LINKS, Almost, Links
from workers.engines.sudoku.shoal import SHOAL, Shoal
from workers.engines.sudoku.web import WEB, Web

Integers = NDArray[np.int64]

ALL: Final = 0x1FF
"""All nine digits, or all nine positions."""

POSITIONS: Final = np.array(
    [[UNITS[unit].tolist().index(cell) for unit in CELL_UNITS[cell]] for cell in range(81)],
    dtype=np.int64,
)
"""Position of each cell in its row, column and box unit, shape (81, 3)."""
POSITIONS.setflags(write=False)

MOST_TECHNIQUES: Final = 128
"""Room for the step counts of that many techniques."""

# What a list of marks holds.
PLACED, REMOVED, CELLS, DIGITS, SEEN_UNITS, COVER_UNITS, FINS, ENDO_FINS, CHAIN, PARTS = range(10)
ROLES: Final = 10

CHAIN_BASE: Final = 82
"""An entry of CHAIN is 2 * (digit + 9 * (cells in base 82, each + 1)), plus 1 when ON. An entry of
PARTS is the length of CELLS when one of its parts (an ALS) is whole."""


class Board(Protocol):
    """Values and candidates, kept in several views that always agree.

    A record of one NumPy dtype, not a tuple of arrays: a kernel then gets one pointer, where
    each array of a tuple costs a reference count at every call (ten times the run time here).
    """

    values: Integers  # (81,) digit 1-9, 0 while unsolved
    clues: Integers  # (81,) the digits the puzzle came with, 0 in all other cells
    cells: Integers  # (81,) mask of candidates, 0 when solved
    places: Integers  # (27, 9) positions of a unit that still admit a digit
    unsolved: Integers  # (27,) positions of a unit without a value
    naked: Integers  # (81,) queue of candidates that are the last of their cell
    hidden: Integers  # (243,) queue of candidates that are the last place in some unit
    used: Integers  # (MOST_TECHNIQUES,) steps taken, by technique
    naked_head: int
    naked_tail: int
    hidden_head: int
    hidden_tail: int
    last_cells: int  # mask of the units that have one unsolved cell
    open: int  # unsolved cells
    broken: int  # 1 when a cell or a unit cannot be completed


class Marks(Protocol):
    """What a finder found, and its workspace. Finders only write here; `apply` acts on it."""

    counts: Integers  # (ROLES,) length of each list
    lists: Integers  # (ROLES, 729) candidates for PLACED and REMOVED, else cells, digits, units
    items: Integers  # (27,) what the masks belong to: cells, digits or lines
    masks: Integers  # (27,) the masks of a cover search
    unions: Integers  # (18,) union of the first k+1 picks, for two searches of nine
    picks: Integers  # (18,) ascending indices into masks, for two searches of nine
    met: Integers  # (36,) for two rows: mask of the column pairs that were looked at
    clusters: Integers  # (20, 2, 4) a cluster's two colours: cells, then who sees them, as words
    form: int  # which of the forms of the technique's record was found
    web: Web  # what candidates imply, see web.py
    links: Links  # chains, see links.py
    almost: Almost  # almost locked sets, see links.py
    shoal: Shoal  # the sets of a fish, see shoal.py


def new_board() -> Board:
    """An uninitialised board; `load` makes it a puzzle."""
    arrays = {"values": 81, "clues": 81, "cells": 81, "places": (27, 9), "unsolved": 27}
    arrays |= {"naked": 81, "hidden": 243, "used": MOST_TECHNIQUES}
    numbers = ("naked_head", "naked_tail", "hidden_head", "hidden_tail")
    board: Board = _record(arrays | dict.fromkeys((*numbers, "last_cells", "open", "broken"), ()))
    return board


def new_marks() -> Marks:
    """Empty marks."""
    lists = {"counts": ROLES, "lists": (ROLES, 729), "form": ()}
    space: dict[str, Any] = {"items": 27, "masks": 27, "unions": 18, "picks": 18, "met": 36}
    space |= {"clusters": (20, 2, 4)}
    rooms = ("web", WEB), ("links", LINKS), ("almost", ALMOST), ("shoal", SHOAL)
    marks: Marks = _record(lists | space, *rooms)
    return marks


def _record(shapes: dict[str, Any], *records: tuple[str, np.dtype[np.void]]) -> Any:
    fields = [*((name, np.int64, shape) for name, shape in shapes.items()), *records]
    return np.zeros(1, np.dtype(fields, align=True)).view(np.recarray)[0]


@kernel
def load(board: Board, puzzle: Digits) -> None:
    """Set up `board` for `puzzle` (81,): clues are placed in the order of the cells."""
    board.naked_head = board.naked_tail = board.hidden_head = board.hidden_tail = 0
    board.last_cells = board.broken = 0
    board.open = 81
    for technique in range(MOST_TECHNIQUES):
        board.used[technique] = 0
    for unit in range(27):
        board.unsolved[unit] = ALL
        for digit in range(9):
            board.places[unit, digit] = ALL
    for cell in range(81):
        board.values[cell] = board.clues[cell] = puzzle[cell]
        board.cells[cell] = ALL
    for cell in range(81):
        if board.values[cell]:
            place(board, cell, board.values[cell] - 1)


@kernel
def restrict(board: Board, candidates: Integers) -> None:
    """Take out the candidates that are not in the masks `candidates` (81,), in cell order."""
    for cell in range(81):
        surplus = board.cells[cell] & ~candidates[cell]
        while surplus:
            remove(board, cell, lowest(surplus))
            surplus &= surplus - 1


@kernel
def place(board: Board, cell: int, digit: int) -> None:
    """Solve `cell` with `digit`: it leaves the peers in cell order, then the cell is cleared."""
    rest = board.cells[cell]
    if not (rest >> digit) & 1:
        board.broken = 1
    board.cells[cell] = 0
    board.values[cell] = digit + 1
    board.open -= 1
    for k in range(20):
        remove(board, PEERS[cell, k], digit)
    for k in range(3):
        unit = CELL_UNITS[cell, k]
        unsolved = board.unsolved[unit] & ~(1 << POSITIONS[cell, k])
        board.unsolved[unit] = unsolved
        if unsolved & (unsolved - 1) == 0:
            # set when one cell is left, cleared again when none is
            board.last_cells ^= 1 << unit
    while rest:
        other = lowest(rest)
        rest &= rest - 1
        for k in range(3):
            shrink(board, CELL_UNITS[cell, k], POSITIONS[cell, k], other, other == digit)


@kernel
def remove(board: Board, cell: int, digit: int) -> None:
    """Take a candidate out, if it is there, and queue the singles that this makes."""
    mask = board.cells[cell]
    if not (mask >> digit) & 1:
        return
    mask ^= 1 << digit
    board.cells[cell] = mask
    if mask & (mask - 1) == 0:
        if mask:
            board.naked[board.naked_tail] = 9 * cell + lowest(mask)
            board.naked_tail += 1
        else:
            board.broken = 1
    for k in range(3):
        shrink(board, CELL_UNITS[cell, k], POSITIONS[cell, k], digit, False)


@kernel
def shrink(board: Board, unit: int, position: int, digit: int, solved: bool) -> None:
    """Strike `position` from the places of `digit` in `unit`; `solved`: the digit went there."""
    left = board.places[unit, digit] & ~(1 << position)
    board.places[unit, digit] = left
    if left & (left - 1) == 0 and not solved:
        if left:
            board.hidden[board.hidden_tail] = 9 * UNITS[unit, lowest(left)] + digit
            board.hidden_tail += 1
        else:
            board.broken = 1


@kernel
def clear(marks: Marks) -> None:
    """Forget what was marked."""
    marks.form = 0
    for role in range(ROLES):
        marks.counts[role] = 0


@kernel
def mark(marks: Marks, role: int, entry: int) -> None:
    """Append `entry` to the list of `role`."""
    marks.lists[role, marks.counts[role]] = entry
    marks.counts[role] += 1


@kernel
def mark_digits(marks: Marks, role: int, cell: int, mask: int) -> None:
    """Append the candidates of `cell` in `mask`, lowest digit first; for DIGITS `cell` is 0."""
    while mask:
        mark(marks, role, 9 * cell + lowest(mask))
        mask &= mask - 1


@kernel
def apply(board: Board, marks: Marks) -> None:
    """Do what is marked, in the order it was marked: first placements, then eliminations."""
    for k in range(marks.counts[PLACED]):
        candidate = marks.lists[PLACED, k]
        place(board, candidate // 9, candidate % 9)
    for k in range(marks.counts[REMOVED]):
        candidate = marks.lists[REMOVED, k]
        remove(board, candidate // 9, candidate % 9)
