"""Auxiliary models: a unit with exactly one missing digit is filled, and reported.

The units are the rows, the columns or the boxes, or several kinds of them. `once` fills those
that have one missing digit in the grid as it is given; `until stable` looks again at the grid
that results, until nothing changes (rows alone never complete another row, so this matters when
kinds are mixed).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.machine.meter import metered
from workers.engines.sudoku.geometry import CELLS, UNITS, Digits
from workers.engines.sudoku.seeds.outcome import (
    CONTRADICTION,
    PLACED,
    SOLVED,
    STOPPED,
    PathStep,
    boards,
)
from workers.engines.sudoku.seeds.pencil import (
    ALL,
    Log,
    Pencil,
    begin_step,
    enter,
    load,
    new_log,
    new_pencil,
    path_steps,
    place,
)
from workers.errors import ParamsError

KINDS: Final = ("rows", "columns", "boxes")
METHOD_NAMES: Final = ("row_model", "column_model", "box_model")


class ModelsPath(NamedTuple):
    """What the models made of one puzzle."""

    status: int  # code of outcome.OUTCOME_NAMES
    grid: Digits  # (81,)
    marks: NDArray[np.int64]  # (81,) candidates left, bit d-1 for digit d
    steps: list[PathStep]  # one for every unit that was filled


@metered
def fill_models(puzzle: Digits, by: Sequence[str] = KINDS, until_stable: bool = True) -> ModelsPath:
    """Fill the units of the kinds `by` of one puzzle uint8 (81,).

    The status is SOLVED when the grid is full, CONTRADICTION when clues conflict or the missing
    digit of a unit cannot stand in its empty cell, else STOPPED. Raises ParamsError for an
    unknown kind.
    """
    unknown = [kind for kind in by if kind not in KINDS]
    if unknown or not by:
        raise ParamsError("by", f"{unknown or 'nothing'} is not among {', '.join(KINDS)}")
    grid, log = new_pencil(), new_log(CELLS)
    chosen = np.repeat(np.array([kind in by for kind in KINDS], dtype=np.int64), 9)
    found = 1 if load(grid, boards(puzzle)[0]) else -1
    while found > 0:
        found = int(fill_round(grid, chosen, log))
        if not until_stable:
            break
    full = int(grid.filled[0]) == CELLS
    status = CONTRADICTION if found < 0 else SOLVED if full else STOPPED
    steps = path_steps(log, METHOD_NAMES)
    return ModelsPath(status, grid.digits.astype(np.uint8), grid.marks, steps)


@kernel
def fill_round(grid: Pencil, chosen: NDArray[np.int64], log: Log) -> int:
    """Fill each unit with `chosen` 1 that lacks one digit now; how many, or -1 if one cannot be."""
    ready = chosen.copy()
    for unit in range(27):
        if popcount(grid.used[unit]) != 8:
            ready[unit] = 0
    found = 0
    for unit in range(27):
        missing = ALL & ~grid.used[unit]
        if ready[unit] == 0 or missing == 0:
            continue
        for index in range(9):
            cell = UNITS[unit, index]
            if grid.digits[cell] == 0:
                digit = lowest(missing) + 1
                if not place(grid, cell, digit):
                    return -1
                begin_step(log)
                enter(log, unit // 9, PLACED, cell, digit, unit)
                found += 1
    return found
