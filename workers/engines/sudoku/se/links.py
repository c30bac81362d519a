"""Weak and strong links between the candidates of a grid, in the order they are followed.

    candidate   9 * cell + digit, digit 0-8
    node        a candidate that is ON (the number itself) or OFF (729 more)

An ON node turns OFF the other candidates of its cell, then those of its digit in its box, row and
column. An OFF node turns ON the other candidate of a cell that has two, then the other place of
its digit in a box, row or column that has two.
"""

from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import UNITS
from workers.engines.sudoku.se.geometry import HOUSE, LINK_POSITIONS, LINK_UNITS
from workers.engines.sudoku.se.grid import Grid, widen

NODES: Final = 1458
OFF: Final = 729
NO: Final = widen(-1)

Shorts = NDArray[np.int16]


class Links(Protocol):
    """The links of one grid."""

    ids: Shorts  # (729,) the candidates, ascending
    n: int
    weak: Shorts  # (729 * 28,) what each candidate turns OFF, one after the other
    start: NDArray[np.int32]  # (729,) where a candidate's weak links start
    middle: NDArray[np.int32]  # (729,) where those in its cell end
    stop: NDArray[np.int32]  # (729,) where they all end
    strong: Shorts  # (729, 4) what it turns ON when OFF, by cell, box, row, column; or NO


LINKS: Final = np.dtype(
    [("ids", np.int16, 729), ("n", np.int64), ("weak", np.int16, 729 * 28),
     ("start", np.int32, 729), ("middle", np.int32, 729), ("stop", np.int32, 729),
     ("strong", np.int16, (729, 4))], align=True
)  # fmt: skip


@kernel
def link(grid: Grid, links: Links) -> None:
    """Find all links of `grid`."""
    links.n = 0
    at = 0
    for cell in range(81):
        mask = grid.cells[cell]
        while mask:
            digit = lowest(mask)
            mask &= mask - 1
            candidate = 9 * cell + digit
            links.ids[links.n] = candidate
            links.n += 1
            links.start[candidate] = at
            others = grid.cells[cell] & ~(1 << digit)
            links.strong[candidate, 0] = NO
            if others and others & (others - 1) == 0:
                links.strong[candidate, 0] = 9 * cell + lowest(others)
            while others:
                links.weak[at] = 9 * cell + lowest(others)
                at += 1
                others &= others - 1
            links.middle[candidate] = at
            for k in range(20):
                peer = HOUSE[cell, k]
                if grid.cells[peer] >> digit & 1:
                    links.weak[at] = 9 * peer + digit
                    at += 1
            links.stop[candidate] = at
            for kind in range(3):
                links.strong[candidate, kind + 1] = partner(grid, cell, digit, kind)


@kernel
def partner(grid: Grid, cell: int, digit: int, kind: int) -> int:
    """The other one of two places of a digit in the cell's unit of that kind, or NO."""
    unit = LINK_UNITS[cell, kind]
    others = grid.places[unit, digit] & ~(1 << LINK_POSITIONS[cell, kind])
    if others == 0 or others & (others - 1):
        return NO
    return int(9 * UNITS[unit, lowest(others)] + digit)
