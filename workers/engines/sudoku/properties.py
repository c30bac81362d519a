"""Properties of puzzles that need no rater: minimality, symmetry of the clues, clue conflicts."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.sudoku.geometry import CELLS, UNITS, Digits
from workers.engines.sudoku.removal import minimal
from workers.engines.sudoku.symmetry import SYMMETRY_NAMES, symmetry

__all__ = ["SYMMETRY_NAMES", "Conflicts", "conflicts", "minimal", "symmetry"]


class Conflicts(NamedTuple):
    """The first clash of clues in each puzzle."""

    units: NDArray[np.int8]  # the first unit (0..26) that has a digit twice, or -1
    digits: NDArray[np.uint8]  # the smallest digit it has twice, or 0


def conflicts(puzzles: Digits) -> Conflicts:
    """Find the first unit of each puzzle (n, 81) in which a clue stands twice."""
    members = puzzles.reshape(-1, CELLS)[:, UNITS]
    counts = [np.count_nonzero(members == digit, axis=2) for digit in range(1, 10)]
    twice = np.stack(counts, axis=2) > 1
    clashing: NDArray[np.bool_] = np.any(twice, axis=2)
    found: NDArray[np.bool_] = np.any(clashing, axis=1)
    units = np.where(found, clashing.argmax(axis=1), 0)
    digits = twice[np.arange(len(units)), units].argmax(axis=1) + 1
    return Conflicts(
        units=np.where(found, units, -1).astype(np.int8),
        digits=np.where(found, digits, 0).astype(np.uint8),
    )
