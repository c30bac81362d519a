"""Producers 1 to 20 in their order: all that needs no chains."""

from typing import Final, Protocol

import numpy as np

from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.se.aligned import BASES, Bases, aligned_pair
from workers.engines.sudoku.se.grave import GRAVE, Grave, universal_grave
from workers.engines.sudoku.se.grid import NOT, ON, Grid, Hint
from workers.engines.sudoku.se.loops import PATH, Path, unique_loop
from workers.engines.sudoku.se.singles import hidden_single, locking, naked_single
from workers.engines.sudoku.se.subsets import PAIR, TRIPLET, fish, hidden_set, naked_set
from workers.engines.sudoku.se.wings import wing


class Desk(Protocol):
    """Workspace of the producers here."""

    path: Path
    grave: Grave
    bases: Bases


DESK: Final = np.dtype([("path", PATH), ("grave", GRAVE), ("bases", BASES)], align=True)


@kernel
def basic_hint(grid: Grid, hint: Hint, desk: Desk) -> bool:
    """Fill in the first hint of the first producer that has one; False when none has."""
    if hidden_single(grid, hint) or locking(grid, hint, ON):
        return True
    if hidden_set(grid, hint, PAIR, ON) or naked_single(grid, hint):
        return True
    if hidden_set(grid, hint, TRIPLET, ON) or locking(grid, hint, NOT):
        return True
    for size in range(2, 5):
        if size == 4 and (
            wing(grid, hint, NOT) or wing(grid, hint, ON) or unique_loop(grid, hint, desk.path)
        ):
            return True
        if naked_set(grid, hint, size) or fish(grid, hint, size):
            return True
        if hidden_set(grid, hint, size, NOT):
            return True
    if universal_grave(grid, hint, desk.grave):
        return True
    return aligned_pair(grid, hint, desk.bases)
