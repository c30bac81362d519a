"""Deductions of the analytic levels 0 and 1; each call is one sweep over the whole grid.

A sweep carries out all it finds, so that cheap methods come back less often; which method finds
a digit first depends on the order of the sweep, the marks that are left at the end do not.
Every method returns the number of its placements or eliminations, or CONTRADICTED.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import CELLS, UNITS
from workers.engines.sudoku.seeds.outcome import (
    CONTRADICTION,
    NO_UNIT,
    PLACED,
    SOLVED,
    STOPPED,
    code,
)
from workers.engines.sudoku.seeds.pencil import ALL, Log, Pencil, begin_step, enter, place, remove

CONTRADICTED: Final = -1
LAST_FREE_CELL: Final = code(0)
HIDDEN_SINGLE: Final = code(1)
NAKED_SINGLE: Final = code(2)
POINTING: Final = code(3)
CLAIMING: Final = code(4)


@kernel
def write(pencil: Pencil, log: Log, method: int, cell: int, digit: int, unit: int) -> bool:
    """Place a digit as a step of its own; False when the cell does not take it."""
    begin_step(log)
    enter(log, method, PLACED, cell, digit, unit)
    return place(pencil, cell, digit)


@kernel
def last_free_cells(pencil: Pencil, log: Log) -> int:
    """Fill every unit that has one empty cell left."""
    found = 0
    for unit in range(27):
        missing = ALL & ~pencil.used[unit]
        if missing == 0 or missing & (missing - 1):
            continue
        for index in range(9):
            cell = UNITS[unit, index]
            if pencil.digits[cell] == 0:
                if not write(pencil, log, LAST_FREE_CELL, cell, lowest(missing) + 1, unit):
                    return CONTRADICTED
                found += 1
    return found


@kernel
def hidden_singles(pencil: Pencil, log: Log) -> int:
    """Place every digit that has one place in a unit; a digit without place is a contradiction."""
    found = 0
    marks = pencil.marks
    for unit in range(27):
        once = twice = 0
        for index in range(9):
            cell = UNITS[unit, index]
            twice |= once & marks[cell]
            once |= marks[cell]
        if once | pencil.used[unit] != ALL:
            return CONTRADICTED
        single = once & ~twice
        while single:
            bit = single & -single
            single ^= bit
            where = NO_UNIT
            for index in range(9):
                cell = UNITS[unit, index]
                if marks[cell] & bit:
                    where = cell
            if where < 0:  # its cell took another hidden single of this unit
                return CONTRADICTED
            write(pencil, log, HIDDEN_SINGLE, where, lowest(bit) + 1, unit)
            found += 1
    return found


@kernel
def naked_singles(pencil: Pencil, log: Log) -> int:
    """Fill every cell that can take one digit only; a cell that takes none is a contradiction."""
    found = 0
    for cell in range(CELLS):
        if pencil.digits[cell] == 0:
            marks = pencil.marks[cell]
            if marks == 0:
                return CONTRADICTED
            if marks & (marks - 1) == 0:
                write(pencil, log, NAKED_SINGLE, cell, lowest(marks) + 1, NO_UNIT)
                found += 1
    return found


@kernel
def interactions(pencil: Pencil, log: Log, method: int) -> int:
    """Box/line interaction over the whole grid: POINTING or CLAIMING.

    Pointing: a digit that a box holds in one line only leaves the rest of that line. Claiming:
    a digit that a line holds in one box only leaves the rest of that box.
    """
    count = 0
    found = np.empty(27, dtype=np.int64)
    for lines in range(2):
        segments(pencil, lines, found)
        for segment in range(27):
            line, part = segment // 3, segment % 3
            first = 3 * (line // 3)
            same_line = found[3 * line + (part + 1) % 3] | found[3 * line + (part + 2) % 3]
            above, below = first + (line + 1) % 3, first + (line + 2) % 3
            same_box = found[3 * above + part] | found[3 * below + part]
            if method == POINTING:
                bits = found[segment] & same_line & ~same_box
            else:
                bits = found[segment] & same_box & ~same_line
            while bits:
                count += interact(pencil, log, method, 27 * lines + segment, bits & -bits)
                bits &= bits - 1
    return count


@kernel
def segments(pencil: Pencil, lines: int, found: NDArray[np.int64]) -> None:
    """Marks of the 27 meetings of a line (row: `lines` 0, column: 1) and a box, by line."""
    for segment in range(27):
        marks = 0
        for along in range(3 * (segment % 3), 3 * (segment % 3) + 3):
            across = segment // 3
            marks |= pencil.marks[9 * across + along if lines == 0 else 9 * along + across]
        found[segment] = marks


@kernel
def interact(pencil: Pencil, log: Log, method: int, segment: int, bit: int) -> int:
    """Clear `bit` from the line (POINTING) or the box (CLAIMING) around meeting `segment`."""
    begin_step(log)
    lines, line, part = segment // 27, segment % 27 // 3, segment % 3
    line_unit = 9 * lines + line
    box_unit = 18 + (3 * (line // 3) + part if lines == 0 else 3 * part + line // 3)
    unit, source = (line_unit, box_unit) if method == POINTING else (box_unit, line_unit)
    count = 0
    for index in range(9):
        cell = UNITS[unit, index]
        across, along = (cell // 9, cell % 9) if lines == 0 else (cell % 9, cell // 9)
        if across != line or along // 3 != part:
            count += remove(pencil, log, method, cell, bit, source)
    return count


@kernel
def follow_singles(pencil: Pencil, tally: NDArray[np.int64], log: Log) -> int:
    """Use the three methods of level 0 until none helps, back to the first after progress.

    `tally` (5 or more,) counts placements and eliminations by method. Returns SOLVED, STOPPED
    or CONTRADICTION.
    """
    method = LAST_FREE_CELL
    while method <= NAKED_SINGLE:
        if method == LAST_FREE_CELL:
            found = last_free_cells(pencil, log)
        elif method == HIDDEN_SINGLE:
            found = hidden_singles(pencil, log)
        else:
            found = naked_singles(pencil, log)
        if found == CONTRADICTED:
            return CONTRADICTION
        tally[method] += found
        method = method + 1 if found == 0 else LAST_FREE_CELL
        if pencil.filled[0] == CELLS:
            return SOLVED
    return STOPPED


@kernel
def follow_lines(pencil: Pencil, tally: NDArray[np.int64], log: Log) -> int:
    """Use the methods of level 1 whenever those of level 0 are done; as `follow_singles`."""
    while True:
        status = follow_singles(pencil, tally, log)
        if status != STOPPED:
            return status
        method = POINTING
        found = interactions(pencil, log, method)
        if found == 0:
            method = CLAIMING
            found = interactions(pencil, log, method)
        if found == 0:
            return STOPPED
        tally[method] += found
