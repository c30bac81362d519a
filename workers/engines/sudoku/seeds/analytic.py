"""The analytic solver: four levels of reasoning, and the level that a puzzle needs.

    level 0   last free cell of a unit, hidden single, naked single
    level 1   and box/line interaction: pointing, claiming
    level 2   and supposition: a candidate that leads level 1 to a contradiction is dropped
    level 3   and supposition whose trial may itself use level 2

A level begins when the one below knows nothing more; after any progress the cheapest method
comes first again. Levels above 3 nest suppositions deeper. Nothing assumes that the solution is
unique, so a puzzle with many solutions stops, and says so, instead of being solved by luck.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.meter import metered
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.seeds.outcome import SOLVED, STOPPED, PathStep, boards
from workers.engines.sudoku.seeds.pencil import LOG_ROWS, path_steps
from workers.engines.sudoku.seeds.suppositions import (
    METHODS,
    TRIED,
    Desk,
    exhaust_deep,
    first_levels,
    new_desk,
)

METHOD_NAMES: Final = (
    "last_free_cell",
    "hidden_single",
    "naked_single",
    "pointing",
    "claiming",
    "supposition",
    "deeper_supposition",
)
MAX_LEVEL: Final = 3
DEFAULT_BUDGET: Final = 200_000
"""Suppositions that may be tried for one puzzle: about half a CPU-second at level 3."""


class AnalyticResult(NamedTuple):
    """How far reasoning went on each of n puzzles."""

    level: NDArray[np.int8]  # (n,) the level it was solved at, -1 when it was not
    status: NDArray[np.uint8]  # (n,) codes of outcome.OUTCOME_NAMES
    grids: Digits  # (n, 81) the solution, or the furthest grid
    counts: NDArray[np.int32]  # (n, METHODS) placements or eliminations, as METHOD_NAMES
    suppositions: NDArray[np.int64]  # (n,) trials made, at all depths


class AnalyticPath(NamedTuple):
    """One puzzle with all it took; `marks` are the candidates left, bit d-1 for digit d."""

    result: AnalyticResult  # of one row
    marks: NDArray[np.int64]  # (81,)
    steps: list[PathStep]


@metered
def analytic_batch(
    puzzles: Digits, max_level: int = MAX_LEVEL, budget: int = DEFAULT_BUDGET
) -> AnalyticResult:
    """Solve puzzles uint8 (n, 81) with as low a level as will do, at most `max_level` (>= 0).

    Microseconds a puzzle at levels 0 and 1, milliseconds at level 2, up to a second at 3.
    """
    puzzles = boards(puzzles)
    result = _empty_result(puzzles)
    for row in range(len(puzzles)):
        _attempt(puzzles, row, result, _desks(max_level, budget, 0), max_level)
    return result


@metered
def analytic_path(
    puzzle: Digits, max_level: int = MAX_LEVEL, budget: int = DEFAULT_BUDGET
) -> AnalyticPath:
    """Solve one puzzle uint8 (81,) as `analytic_batch` does and keep every step."""
    puzzles = boards(puzzle)
    result = _empty_result(puzzles)
    desks = _desks(max_level, budget, LOG_ROWS)
    _attempt(puzzles, 0, result, desks, max_level)
    return AnalyticPath(result, desks[0].grid.marks, path_steps(desks[0].log, METHOD_NAMES))


def _desks(max_level: int, budget: int, log_rows: int) -> list[Desk]:
    return [new_desk(log_rows if depth == 0 else 0, budget) for depth in range(max(1, max_level))]


def _empty_result(puzzles: Digits) -> AnalyticResult:
    count = len(puzzles)
    return AnalyticResult(
        np.full(count, -1, dtype=np.int8),
        np.zeros(count, dtype=np.uint8),
        puzzles.copy(),
        np.zeros((count, METHODS), dtype=np.int32),
        np.zeros(count, dtype=np.int64),
    )


def _attempt(puzzles: Digits, row: int, result: AnalyticResult, desks: list[Desk],
             max_level: int) -> None:  # fmt: skip
    desk = desks[0]
    status, level = first_levels(desk, puzzles[row], max_level)
    while status == STOPPED and level < max_level:
        level += 1
        status = exhaust_deep(desks, level - 1)
    result.status[row] = status
    result.level[row] = level if status == SOLVED else -1
    result.grids[row] = desk.grid.digits
    result.counts[row] = desk.tally[:METHODS]
    result.suppositions[row] = desk.tally[TRIED]
