"""How an attempt at a puzzle ended, and a step of its path: shared by all seed methods."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.sudoku.geometry import CELLS, UNITS, Digits, cell_name, unit_name


def code(number: int) -> int:
    """A constant that kernels may hand to kernels: for a plain int, Numba compiles the callee
    once per value, for an np.int64 once."""
    return np.int64(number)  # type: ignore[return-value]


SOLVED: Final = 0
STOPPED: Final = 1
CONTRADICTION: Final = 2
BUDGET_OUT: Final = 3
RUNNING: Final = 4
OUTCOME_NAMES: Final = ("solved", "stopped", "contradiction", "budget out")
"""Names of the status codes: STOPPED means that the method knows no further step or may go no
deeper, CONTRADICTION that the puzzle has no solution, BUDGET_OUT that the search was cut off."""

PLACED: Final = code(0)
REMOVED: Final = code(1)
GUESSED: Final = code(2)
UNDONE: Final = code(3)
NOTED: Final = code(4)
SEEN: Final = code(5)
NO_UNIT: Final = code(-1)


class PathStep(NamedTuple):
    """One success of a method: what it wrote and what it ruled out."""

    method: str
    unit: int  # the unit that shows it, 0..26, or -1
    placements: tuple[tuple[int, int], ...]  # (cell, digit)
    eliminations: tuple[tuple[int, int], ...]  # (cell, digit)
    noted: tuple[int, ...] = ()  # cells whose candidates were written down
    remark: str = ""  # "guess" or "undo" where the step is no deduction
    seen: tuple[tuple[int, int], ...] = ()
    """(cell, digit) that it is seen in, where unit and effect do not tell; digit 0: the cell."""

    def __str__(self) -> str:
        where = f" in {unit_name(self.unit)}" if self.unit >= 0 else ""
        done = [f"{cell_name(cell)}={digit}" for cell, digit in self.placements]
        done += [f"{cell_name(cell)}<>{digit}" for cell, digit in self.eliminations]
        done += [f"notes {cell_name(cell)}" for cell in self.noted]
        remark = f" ({self.remark})" if self.remark else ""
        return f"{self.method}{where}: {' '.join(done)}{remark}"


def conflicting(puzzles: Digits) -> NDArray[np.bool_]:
    """Whether a digit stands twice in a unit, for boards uint8 (n, 81): bool (n,)."""
    found = np.zeros(len(puzzles), dtype=np.bool_)
    for unit in UNITS:
        cells = np.sort(puzzles[:, unit], axis=1)
        found |= ((cells[:, 1:] == cells[:, :-1]) & (cells[:, 1:] > 0)).any(axis=1)
    return found


def boards(puzzles: Digits) -> Digits:
    """`puzzles` as the one layout that kernels are compiled for: C-order uint8 (n, 81)."""
    return np.ascontiguousarray(puzzles, dtype=np.uint8).reshape(-1, CELLS)
