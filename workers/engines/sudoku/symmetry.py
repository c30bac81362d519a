"""The eight symmetries of the square, and which of them a pattern of clues has.

A class of patterns is the set of symmetries that map the clue cells onto themselves, whatever the
digits; sets that differ only by a turn of the board are one class, so there are eight:

    none                    rotate90   quarter turns
    rotate180  half turn    mirrors    both mirrors at the middle lines, and the half turn
    mirror     left-right, or top-bottom
    diagonal   about one diagonal
                            diagonals  both diagonals, and the half turn
                            full       all eight
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.kernel import kernel
from workers.engines.machine.meter import metered
from workers.engines.sudoku.geometry import CELLS, COLUMN, ROW, Digits, Table

SYMMETRY_NAMES: Final = (
    "none",
    "rotate180",
    "mirror",
    "diagonal",
    "rotate90",
    "mirrors",
    "diagonals",
    "full",
)


def _maps() -> dict[str, Table]:
    """The cell that each cell goes to, by symmetry."""
    row, column = ROW, COLUMN
    return {
        "half turn": 9 * (8 - row) + 8 - column,
        "left-right": 9 * row + 8 - column,
        "top-bottom": 9 * (8 - row) + column,
        "diagonal": 9 * column + row,
        "antidiagonal": 9 * (8 - column) + 8 - row,
        "quarter turn": 9 * column + 8 - row,
    }


MAPS: Final = _maps()

GENERATORS: Final[dict[str, tuple[str, ...]]] = {
    "none": (),
    "rotate180": ("half turn",),
    "mirror": ("left-right",),
    "diagonal": ("diagonal",),
    "rotate90": ("quarter turn",),
    "mirrors": ("left-right", "top-bottom"),
    "diagonals": ("diagonal", "antidiagonal"),
    "full": ("quarter turn", "left-right"),
}
"""Symmetries that generate one group of each class."""


MAP_CELLS: Final = np.array(list(MAPS.values()), dtype=np.int64)
MAP_CELLS.setflags(write=False)


def _classes() -> NDArray[np.int8]:
    """The class of a set of symmetries, given as bits in the order of MAPS."""
    codes = []
    for bits in range(1 << len(MAPS)):
        half, left_right, top_bottom, diagonal, anti, quarter = (bits >> at & 1 for at in range(6))
        conditions = (
            left_right + top_bottom + diagonal + anti == 4,
            diagonal + anti == 2,
            left_right + top_bottom == 2,
            quarter,
            diagonal + anti == 1,
            left_right + top_bottom == 1,
            half,
        )
        codes.append(next((7 - at for at, holds in enumerate(conditions) if holds), 0))
    table = np.array(codes, dtype=np.int8)
    table.setflags(write=False)
    return table


CLASSES: Final = _classes()


@kernel
def classify(puzzles: Digits, codes: NDArray[np.int8]) -> None:
    """Write the class of each puzzle's clue pattern into `codes`."""
    for row in range(len(puzzles)):
        found = 0
        for number in range(len(MAP_CELLS)):
            same = True
            for cell in range(CELLS):
                if (puzzles[row, cell] == 0) != (puzzles[row, MAP_CELLS[number, cell]] == 0):
                    same = False
                    break
            found |= same << number
        codes[row] = CLASSES[found]


@metered
def symmetry(puzzles: Digits) -> NDArray[np.int8]:
    """The class of each puzzle's clue pattern, an index into SYMMETRY_NAMES; shape (n,)."""
    puzzles = np.ascontiguousarray(puzzles, dtype=np.uint8).reshape(-1, CELLS)
    codes = np.zeros(len(puzzles), dtype=np.int8)
    classify(puzzles, codes)
    return codes


def orbits(name: str) -> Table:
    """Cells that the class `name` keeps or clears together: (k, 8), each row padded with -1."""
    found: list[list[int]] = []
    seen: set[int] = set()
    for cell in range(CELLS):
        if cell not in seen:
            orbit = [cell]
            for member in orbit:
                images = (int(MAPS[generator][member]) for generator in GENERATORS[name])
                orbit.extend(image for image in images if image not in orbit)
            seen.update(orbit)
            found.append(sorted(orbit))
    return np.array([orbit + [-1] * (8 - len(orbit)) for orbit in found], dtype=np.int64)
