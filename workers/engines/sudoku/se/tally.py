"""ER, EP and ED as they grow step by step."""

from typing import Final, Protocol

import numpy as np

from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.se.basic import Desk, basic_hint
from workers.engines.sudoku.se.grid import Grid, Hint, Integers, apply
from workers.engines.sudoku.se.names import N_TECHNIQUES


class Tally(Protocol):
    """The rating of one puzzle so far."""

    er: float  # highest rating of all steps
    ep: float  # highest up to the first that places a digit
    ed: float  # that of the first step
    placed: int  # 1 when a digit was placed
    steps: int
    used: Integers  # (N_TECHNIQUES,) steps by technique


TALLY: Final = np.dtype(
    [("er", np.float64), ("ep", np.float64), ("ed", np.float64), ("placed", np.int64),
     ("steps", np.int64), ("used", np.int64, N_TECHNIQUES)], align=True
)  # fmt: skip


@kernel
def start(tally: Tally) -> None:
    """Nothing was rated yet."""
    tally.er = tally.ep = tally.ed = 0.0
    tally.placed = tally.steps = 0
    for technique in range(N_TECHNIQUES):
        tally.used[technique] = 0


@kernel
def take(grid: Grid, hint: Hint, tally: Tally) -> None:
    """Apply the hint and count it."""
    tally.er = max(tally.er, hint.rating)
    if tally.steps == 0:
        tally.ed = hint.rating
    if not tally.placed:
        tally.ep = max(tally.ep, hint.rating)
    if hint.cell >= 0:
        tally.placed = 1
    tally.used[hint.technique] += 1
    tally.steps += 1
    apply(grid, hint)


@kernel
def take_basic(grid: Grid, hint: Hint, desk: Desk, tally: Tally) -> bool:
    """Take hints of producers 1 to 20 until there is none; True when the grid is full."""
    while grid.open and basic_hint(grid, hint, desk):
        take(grid, hint, tally)
    return grid.open == 0
