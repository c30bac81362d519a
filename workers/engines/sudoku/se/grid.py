"""The grid that is being rated, and the hint that a producer fills in."""

from collections.abc import Callable
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import PEERS, Digits
from workers.engines.sudoku.se.geometry import LINK_POSITIONS, LINK_UNITS

Integers = NDArray[np.int64]

ALL: Final = 0x1FF

CHAIN: Final = 200
"""Nodes of a chain that a hint has room for; of a longer one the start is told."""

widen: Callable[[Any], int] = np.int64  # type: ignore[assignment]
"""A narrow integer of a record as one to compute with. Also for constants that kernels hand to
kernels: for a plain int Numba compiles the callee once per value."""

ON: Final = widen(1)
NOT: Final = widen(0)
"""For switches of producers."""


class Grid(Protocol):
    """Values and candidates, in views that always agree. A record of one NumPy dtype."""

    values: Integers  # (81,) digit 1-9, 0 while empty
    cells: Integers  # (81,) mask of candidates, 0 when filled
    places: Integers  # (27, 9) positions of a unit that still admit a digit
    empty: Integers  # (27,) positions of a unit without a value
    placed: Integers  # (9,) how often a digit stands
    open: int  # empty cells


class Hint(Protocol):
    """One step: what it does, how it is called and rated, and where it is seen."""

    removed: Integers  # (81,) mask of candidates taken out
    seen: Integers  # (81,) the cells of the pattern
    n_seen: int
    digits: int  # mask of the digits of the pattern
    unit: int  # the unit it is seen in, or -1
    chain: Integers  # (CHAIN,) nodes of a chain from its start on, see links.py
    n_chain: int
    cell: int  # the cell that gets a value, or -1
    digit: int  # its digit 0-8
    technique: int  # index into names.TECHNIQUES
    rating: float


GRID: Final = np.dtype(
    [("values", np.int64, 81), ("cells", np.int64, 81), ("places", np.int64, (27, 9)),
     ("empty", np.int64, 27), ("placed", np.int64, 9), ("open", np.int64)], align=True
)  # fmt: skip
HINT: Final = np.dtype(
    [("removed", np.int64, 81), ("seen", np.int64, 81), ("n_seen", np.int64),
     ("digits", np.int64), ("unit", np.int64), ("chain", np.int64, CHAIN),
     ("n_chain", np.int64), ("cell", np.int64), ("digit", np.int64),
     ("technique", np.int64), ("rating", np.float64)], align=True
)  # fmt: skip


def record(dtype: np.dtype[np.void]) -> Any:
    """A record of `dtype`, all zero."""
    return np.zeros(1, dtype).view(np.recarray)[0]


@kernel
def load(grid: Grid, puzzle: Digits) -> None:
    """Set up `grid` for `puzzle` (81,): candidates are what the clues leave."""
    grid.open = 81
    for digit in range(9):
        grid.placed[digit] = 0
    for unit in range(27):
        grid.empty[unit] = ALL
        for digit in range(9):
            grid.places[unit, digit] = ALL
    for cell in range(81):
        grid.values[cell] = 0
        grid.cells[cell] = ALL
    for cell in range(81):
        if puzzle[cell]:
            place(grid, cell, widen(puzzle[cell]) - 1)


@kernel
def place(grid: Grid, cell: int, digit: int) -> None:
    """Write `digit` (0-8) into `cell` and strike it from the peers."""
    strike_all(grid, cell, grid.cells[cell])
    grid.values[cell] = digit + 1
    grid.placed[digit] += 1
    grid.open -= 1
    for kind in range(3):
        grid.empty[LINK_UNITS[cell, kind]] &= ~(1 << LINK_POSITIONS[cell, kind])
    bit = 1 << digit
    for k in range(20):
        peer = PEERS[cell, k]
        if grid.cells[peer] & bit:
            strike(grid, peer, digit)


@kernel
def strike(grid: Grid, cell: int, digit: int) -> None:
    """Take out a candidate that is there."""
    grid.cells[cell] ^= 1 << digit
    for kind in range(3):
        grid.places[LINK_UNITS[cell, kind], digit] ^= 1 << LINK_POSITIONS[cell, kind]


@kernel
def strike_all(grid: Grid, cell: int, mask: int) -> None:
    """Take out the candidates in `mask`, all of which are there."""
    while mask:
        strike(grid, cell, lowest(mask))
        mask &= mask - 1


@kernel
def clear(hint: Hint) -> None:
    """Forget what the hint held."""
    for cell in range(81):
        hint.removed[cell] = 0
    hint.n_seen = hint.n_chain = hint.digits = 0
    hint.unit = hint.cell = hint.digit = -1


@kernel
def see(hint: Hint, cell: int) -> None:
    """Add a cell to the pattern."""
    hint.seen[hint.n_seen] = cell
    hint.n_seen += 1


@kernel
def follow_chain(hint: Hint, node: int) -> None:
    """Add a node to the chain."""
    if hint.n_chain < CHAIN:
        hint.chain[hint.n_chain] = node
        hint.n_chain += 1


@kernel
def call(hint: Hint, technique: int, rating: float) -> bool:
    """Name and rate the hint; True, so that a producer can end with it."""
    hint.technique = technique
    hint.rating = rating
    return True


@kernel
def place_by(hint: Hint, cell: int, digit: int) -> None:
    """Let the hint write `digit` into `cell`."""
    hint.cell = cell
    hint.digit = digit


@kernel
def removes(grid: Grid, hint: Hint, cell: int, mask: int) -> int:
    """Let the hint take out what `cell` has of `mask`; what that is."""
    gone = grid.cells[cell] & mask
    hint.removed[cell] |= gone
    return int(gone)


@kernel
def apply(grid: Grid, hint: Hint) -> None:
    """Take out what the hint removes, then place what it places."""
    for cell in range(81):
        if hint.removed[cell]:
            strike_all(grid, cell, hint.removed[cell] & grid.cells[cell])
    if hint.cell >= 0:
        place(grid, hint.cell, hint.digit)
