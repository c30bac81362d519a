"""What goes into and comes out of a tier's kernel: integer tables and result columns."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import Board
from workers.engines.sudoku.techniques.technique import LEVEL_LIMITS

SOLVED, STUCK, CONTRADICTION, BUDGET, GUESSED = range(5)

GUESS: Final = 404
"""The finder that takes a digit from the solution: such a puzzle is guessed, not solved."""

Tables = NDArray[np.void]
"""The catalogue as integers: one record of TABLE per technique, in the order they are tried.
The technique's size is called `extent` here, because NumPy's records have a `size` already."""

TABLE: Final = np.dtype(
    [(name, np.int64) for name in ("finder", "extent", "enabled", "score", "level")]
)

LIMITS: Final = np.array(LEVEL_LIMITS, dtype=np.int64)
LIMITS.setflags(write=False)


class Results(NamedTuple):
    """One entry, or one row, per puzzle."""

    status: NDArray[np.uint8]  # SOLVED, STUCK: no enabled technique goes on, CONTRADICTION, GUESSED
    score: NDArray[np.int32]  # sum of the scores of all steps
    level: NDArray[np.int8]  # index into LEVEL_NAMES, -1 unless solved or guessed
    steps: NDArray[np.int16]
    counts: NDArray[np.int16]  # (n, techniques)
    hardest: NDArray[np.int16]  # index of a technique, -1 when none was used


def new_results(rows: int, techniques: int) -> Results:
    """Results for `rows` puzzles, all zero."""
    types: tuple[Any, ...] = (np.uint8, np.int32, np.int8, np.int16, np.int16, np.int16)
    shapes: list[Any] = [rows] * 6
    shapes[4] = (rows, techniques)
    return Results(*(np.zeros(shape, dtype) for shape, dtype in zip(shapes, types, strict=True)))


@kernel
def settle(results: Results, row: int, board: Board, tables: Tables) -> None:
    """Turn the step counts of a finished board into row `row` of `results`.

    The hardest technique is the used one of the highest level, of several the last in order.
    """
    steps = score = level = 0
    hardest = -1
    status = SOLVED
    for technique in range(len(tables)):
        count = board.used[technique]
        results.counts[row, technique] = count
        if count:
            steps += count
            if tables[technique].finder == GUESS:
                status = GUESSED
            score += count * tables[technique].score
            if tables[technique].level >= level:
                level = tables[technique].level
                hardest = technique
    while score > LIMITS[level]:
        level += 1
    if board.broken:
        status = CONTRADICTION
    elif board.open:
        status = STUCK
    results.status[row] = status
    results.score[row] = score
    results.steps[row] = steps
    results.level[row] = level if status in (SOLVED, GUESSED) else -1
    results.hardest[row] = hardest
