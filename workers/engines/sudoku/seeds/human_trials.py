"""Methods 9 to 11 of the human path: trials whose results agree, and the guess with its stack."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import CELLS, UNITS
from workers.engines.sudoku.seeds.outcome import (
    CONTRADICTION,
    GUESSED,
    NO_UNIT,
    PLACED,
    SEEN,
    UNDONE,
    code,
)
from workers.engines.sudoku.seeds.pencil import (
    ALL,
    Log,
    Pencil,
    begin_step,
    copy_pencil,
    enter,
    new_log,
    new_pencil,
    place,
    remove,
)
from workers.engines.sudoku.seeds.reasoning import CONTRADICTED, follow_singles
from workers.engines.sudoku.seeds.suppositions import TALLY

EMULATE_POSITION: Final = code(9)
EMULATE_NUMBER_IN_GROUP: Final = code(10)
GUESS: Final = code(11)


class Bench(NamedTuple):
    """Room for trials."""

    trial: Pencil
    union: NDArray[np.int64]  # (81,) what any live trial leaves possible
    scrap: NDArray[np.int64]  # (TALLY,)
    quiet: Log


class Stack(NamedTuple):
    """The grids before each guess that still stands: depth first in every array."""

    digits: NDArray[np.int64]  # (81, 81)
    marks: NDArray[np.int64]  # (81, 81)
    written: NDArray[np.int64]  # (81, 81)
    used: NDArray[np.int64]  # (81, 27)
    filled: NDArray[np.int64]  # (81,)
    guess: NDArray[np.int64]  # (81, 2) cell and digit
    depth: NDArray[np.int64]  # (1,)


def new_bench() -> Bench:
    """An empty bench."""
    scrap = np.zeros(TALLY, dtype=np.int64)
    return Bench(new_pencil(), np.zeros(CELLS, dtype=np.int64), scrap, new_log(0))


def new_stack() -> Stack:
    """An empty stack."""
    boards = (np.zeros((CELLS, CELLS), dtype=np.int64) for _ in range(3))
    shapes = ((CELLS, 27), (CELLS,), (CELLS, 2), (1,))
    return Stack(*boards, *(np.zeros(shape, dtype=np.int64) for shape in shapes))


@kernel
def emulate_position(grid: Pencil, written: NDArray[np.int64], bench: Bench, log: Log) -> int:
    """Try all candidates of a noted cell; keep what the trials agree on."""
    for cell in range(CELLS):
        if written[cell] == 0 or grid.digits[cell] > 0:
            continue
        clear(bench)
        marks = grid.marks[cell]
        while marks:
            attempt(grid, bench, cell, lowest(marks) + 1)
            marks &= marks - 1
        found = agree(grid, written, bench, log, EMULATE_POSITION, NO_UNIT)
        if found != 0:
            enter(log, EMULATE_POSITION, SEEN, cell, 0, NO_UNIT)
            return found
    return 0


@kernel
def emulate_number_in_group(
    grid: Pencil, written: NDArray[np.int64], bench: Bench, log: Log
) -> int:
    """Try all places of a digit in a unit; keep what the trials agree on."""
    for unit in range(27):
        for digit in range(1, 10):
            if grid.used[unit] >> (digit - 1) & 1:
                continue
            clear(bench)
            places = 0
            for index in range(9):
                cell = UNITS[unit, index]
                if grid.marks[cell] >> (digit - 1) & 1:
                    places |= 1 << index
                    attempt(grid, bench, cell, digit)
            found = agree(grid, written, bench, log, EMULATE_NUMBER_IN_GROUP, unit)
            if found != 0:
                while places:
                    cell = UNITS[unit, lowest(places)]
                    enter(log, EMULATE_NUMBER_IN_GROUP, SEEN, cell, digit, unit)
                    places &= places - 1
                return found
    return 0


@kernel
def clear(bench: Bench) -> None:
    """Forget earlier trials."""
    for cell in range(CELLS):
        bench.union[cell] = 0


@kernel
def attempt(grid: Pencil, bench: Bench, cell: int, digit: int) -> None:
    """Place a digit on trial, follow it by singles, and add what it leaves possible."""
    trial, union = bench.trial, bench.union
    copy_pencil(grid, trial)
    place(trial, cell, digit)
    if follow_singles(trial, bench.scrap, bench.quiet) != CONTRADICTION:
        for other in range(CELLS):
            written = trial.digits[other]
            union[other] |= trial.marks[other] if written == 0 else 1 << (written - 1)


@kernel
def agree(grid: Pencil, written: NDArray[np.int64], bench: Bench, log: Log, method: int,
          unit: int) -> int:  # fmt: skip
    """Fill cells that every live trial fills alike, strike notes that no live trial leaves."""
    begin_step(log)
    found = 0
    for cell in range(CELLS):
        union = bench.union[cell]
        if union == 0:
            return CONTRADICTED  # no trial lived
        if grid.digits[cell] > 0:
            continue
        if popcount(union) == 1:
            enter(log, method, PLACED, cell, lowest(union) + 1, unit)
            place(grid, cell, lowest(union) + 1)
            found += 1
        elif written[cell] == 1:
            found += remove(grid, log, method, cell, ALL & ~union, unit)
    return found


@kernel
def guess(grid: Pencil, written: NDArray[np.int64], stack: Stack, log: Log) -> int:
    """Put the grid on the stack and write the lowest digit of the first of the poorest cells."""
    cell, fewest = -1, 10
    for other in range(CELLS):
        count = popcount(grid.marks[other])
        if grid.digits[other] == 0 and count < fewest:
            cell, fewest = other, int(count)
    digit = lowest(grid.marks[cell]) + 1
    depth = stack.depth[0]
    for other in range(CELLS):
        stack.digits[depth, other] = grid.digits[other]
        stack.marks[depth, other] = grid.marks[other]
        stack.written[depth, other] = written[other]
    for unit in range(27):
        stack.used[depth, unit] = grid.used[unit]
    stack.filled[depth] = grid.filled[0]
    stack.guess[depth, 0] = cell
    stack.guess[depth, 1] = digit
    stack.depth[0] = depth + 1
    begin_step(log)
    enter(log, GUESS, GUESSED, cell, digit, NO_UNIT)
    place(grid, cell, digit)
    return 1


@kernel
def undo(grid: Pencil, written: NDArray[np.int64], stack: Stack, log: Log) -> None:
    """Take the last guess back and strike its digit from the notes of its cell."""
    depth = stack.depth[0] - 1
    stack.depth[0] = depth
    for cell in range(CELLS):
        grid.digits[cell] = stack.digits[depth, cell]
        grid.marks[cell] = stack.marks[depth, cell]
        written[cell] = stack.written[depth, cell]
    for unit in range(27):
        grid.used[unit] = stack.used[depth, unit]
    grid.filled[0] = stack.filled[depth]
    cell, digit = int(stack.guess[depth, 0]), int(stack.guess[depth, 1])
    grid.marks[cell] &= ~(1 << (digit - 1))
    written[cell] = 1
    begin_step(log)
    enter(log, GUESS, UNDONE, cell, digit, NO_UNIT)
