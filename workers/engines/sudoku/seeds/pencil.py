"""A grid with pencilmarks, and the log of what was done to it: kernels only.

Marks are bits (bit d-1 = digit d); a filled cell has none. A mark is never wrong to remove
twice, so methods may look at a grid in any order and end at the same marks.
"""

import itertools
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import CELL_UNITS, CELLS, PEERS, Digits
from workers.engines.sudoku.seeds.outcome import (
    GUESSED,
    NOTED,
    PLACED,
    REMOVED,
    SEEN,
    UNDONE,
    PathStep,
)

ALL: Final = 511
LOG_ROWS: Final = 4096
_REMARKS: Final = {GUESSED: "guess", UNDONE: "undo"}


class Pencil(NamedTuple):
    """A grid being solved."""

    digits: NDArray[np.int64]  # (81,) 0 = empty
    marks: NDArray[np.int64]  # (81,) digits still possible, 0 for a filled cell
    used: NDArray[np.int64]  # (27,) digits placed in each unit
    filled: NDArray[np.int64]  # (1,) filled cells


class Log(NamedTuple):
    """What was done, row by row, until it is full; with no rows nothing is logged."""

    rows: NDArray[np.int64]  # (rows, 6): step, method, action, cell, digit, unit or -1
    size: NDArray[np.int64]  # (2,) rows written, steps begun


def new_pencil() -> Pencil:
    """A pencil grid that holds nothing yet."""
    return Pencil(*(np.zeros(size, dtype=np.int64) for size in (CELLS, CELLS, 27, 1)))


def new_log(rows: int) -> Log:
    """An empty log for `rows` entries."""
    return Log(np.zeros((rows, 6), dtype=np.int64), np.zeros(2, dtype=np.int64))


def path_steps(log: Log, methods: tuple[str, ...]) -> list[PathStep]:
    """The logged steps in order; `methods` names the numbers that stand in the log."""
    rows = log.rows[: log.size[0]].tolist()
    steps = []
    for _, step_rows in itertools.groupby(rows, key=lambda row: row[0]):
        step = list(step_rows)
        _, method, action, _, _, unit = step[0]
        placed = tuple((cell, digit) for _, _, does, cell, digit, _ in step
                       if does in (PLACED, GUESSED))  # fmt: skip
        removed = tuple((cell, digit) for _, _, does, cell, digit, _ in step
                        if does in (REMOVED, UNDONE))  # fmt: skip
        noted = tuple(cell for _, _, does, cell, _, _ in step if does == NOTED)
        seen = tuple((cell, digit) for _, _, does, cell, digit, _ in step if does == SEEN)
        remark = _REMARKS.get(action, "")
        steps.append(PathStep(methods[method], unit, placed, removed, noted, remark, seen))
    return steps


@kernel
def copy_pencil(source: Pencil, target: Pencil) -> None:
    """Make `target` equal to `source`."""
    for cell in range(CELLS):  # a slice assignment would take seconds to compile
        target.digits[cell] = source.digits[cell]
        target.marks[cell] = source.marks[cell]
    for unit in range(27):
        target.used[unit] = source.used[unit]
    target.filled[0] = source.filled[0]


@kernel
def load(pencil: Pencil, puzzle: Digits) -> bool:
    """Write the clues of `puzzle`; False when they conflict."""
    pencil.digits[:] = 0
    pencil.marks[:] = ALL
    pencil.used[:] = 0
    pencil.filled[0] = 0
    for cell in range(CELLS):
        digit = int(np.int64(puzzle[cell]))
        if digit > 0 and not place(pencil, cell, digit):
            return False
    return True


@kernel
def place(pencil: Pencil, cell: int, digit: int) -> bool:
    """Write `digit` into an empty `cell` and take it from the peers; False when it cannot be."""
    bit = 1 << (digit - 1)
    if pencil.marks[cell] & bit == 0:
        return False
    pencil.digits[cell] = digit
    pencil.marks[cell] = 0
    pencil.filled[0] += 1
    for index in range(3):
        pencil.used[CELL_UNITS[cell, index]] |= bit
    for index in range(20):
        pencil.marks[PEERS[cell, index]] &= ~bit
    return True


@kernel
def begin_step(log: Log) -> None:
    """The entries that follow belong to a new step."""
    log.size[1] += 1


@kernel
def enter(log: Log, method: int, action: int, cell: int, digit: int, unit: int) -> None:
    """Add one entry to the current step."""
    row = log.size[0]
    if row < len(log.rows):
        log.rows[row, 0] = log.size[1]
        log.rows[row, 1] = method
        log.rows[row, 2] = action
        log.rows[row, 3] = cell
        log.rows[row, 4] = digit
        log.rows[row, 5] = unit
        log.size[0] = row + 1


@kernel
def remove(pencil: Pencil, log: Log, method: int, cell: int, bits: int, unit: int) -> int:
    """Take the marks `bits` from `cell` and enter them; returns how many there were."""
    count = 0
    found = pencil.marks[cell] & bits
    pencil.marks[cell] &= ~bits
    while found:
        enter(log, method, REMOVED, cell, lowest(found) + 1, unit)
        found &= found - 1
        count += 1
    return count
