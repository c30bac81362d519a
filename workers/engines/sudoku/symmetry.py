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


def symmetry(puzzles: Digits) -> NDArray[np.int8]:
    """The class of each puzzle's clue pattern, an index into SYMMETRY_NAMES; shape (n,)."""
    clues = puzzles.reshape(-1, CELLS) != 0
    has = {name: (clues[:, cells] == clues).all(axis=1) for name, cells in MAPS.items()}
    mirrors = has["left-right"].astype(np.int8) + has["top-bottom"]
    diagonals = has["diagonal"].astype(np.int8) + has["antidiagonal"]
    conditions = [
        (mirrors == 2) & (diagonals == 2),
        diagonals == 2,
        mirrors == 2,
        has["quarter turn"],
        diagonals == 1,
        mirrors == 1,
        has["half turn"],
    ]
    return np.select(conditions, [np.int8(code) for code in range(7, 0, -1)], np.int8(0))


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
