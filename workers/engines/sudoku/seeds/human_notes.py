"""Methods 5 to 8 of the human path: notes are written down, and digits struck out of them.

Calls end and answer as in human_methods.py.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import BOX, CELLS, COLUMN, PEERS, ROW, UNITS
from workers.engines.sudoku.seeds.human_methods import meeting
from workers.engines.sudoku.seeds.outcome import NO_UNIT, NOTED, SEEN, code
from workers.engines.sudoku.seeds.pencil import Log, Pencil, begin_step, enter, remove
from workers.engines.sudoku.seeds.reasoning import CONTRADICTED

REDUCE_BY_GROUP_NUMBER: Final = code(5)
WRITE_DOWN_POSSIBLE: Final = code(6)
UPDATE_CHAIN: Final = code(7)
REDUCE_BY_TWO_POSSIBLE: Final = code(8)
NOTES: Final = 3
"""Candidates are written down only for cells with at most so many."""


@kernel
def reduce_by_group_number(grid: Pencil, written: NDArray[np.int64], log: Log) -> int:
    """Strike a digit from the notes of a line (or box) whose meeting with a box (line) holds it."""
    for order in range(27):
        unit = (order + 18) % 27  # boxes first: a group number is a thing of boxes
        for digit in range(1, 10):
            bit = 1 << (digit - 1)
            other = meeting(grid.marks, unit, bit)
            if other < 0:
                continue
            begin_step(log)
            found = 0
            for index in range(9):
                cell = UNITS[other, index]
                inside = unit == ROW[cell] or unit == 9 + COLUMN[cell] or unit == 18 + BOX[cell]
                if written[cell] == 1 and not inside:
                    found += remove(grid, log, REDUCE_BY_GROUP_NUMBER, cell, bit, unit)
            if found > 0:
                return found
    return 0


@kernel
def write_down_possible(grid: Pencil, written: NDArray[np.int64], log: Log) -> int:
    """Write the candidates of every cell that has few enough and no notes yet."""
    begin_step(log)
    found = 0
    for cell in range(CELLS):
        if grid.digits[cell] == 0 and written[cell] == 0 and popcount(grid.marks[cell]) <= NOTES:
            written[cell] = 1
            enter(log, WRITE_DOWN_POSSIBLE, NOTED, cell, 0, NO_UNIT)
            found += 1
    return found


@kernel
def update_chain(grid: Pencil, written: NDArray[np.int64], log: Log) -> int:
    """Strike the digits of a chain, n cells whose notes hold n digits, from the unit's other notes.

    The first unit with a chain that strikes something, in it the smallest such chain.
    """
    cells = np.empty(9, dtype=np.int64)
    union = np.zeros(512, dtype=np.int64)
    for unit in range(27):
        noted = 0
        for index in range(9):
            cell = UNITS[unit, index]
            if written[cell] == 1 and grid.digits[cell] == 0:
                cells[noted] = cell
                noted += 1
        best, size = 0, 10
        for subset in range(1, 1 << noted):
            union[subset] = union[subset & (subset - 1)] | grid.marks[cells[lowest(subset)]]
            count = popcount(subset)
            if popcount(union[subset]) < count:
                return CONTRADICTED
            if 2 <= count < size and popcount(union[subset]) == count:
                for index in range(noted):
                    if not subset >> index & 1 and grid.marks[cells[index]] & union[subset]:
                        best, size = subset, count
        if best > 0:
            begin_step(log)
            found = 0
            for index in range(noted):
                if not best >> index & 1:
                    found += remove(grid, log, UPDATE_CHAIN, cells[index], union[best], unit)
            for index in range(noted):
                if best >> index & 1:
                    enter(log, UPDATE_CHAIN, SEEN, cells[index], 0, unit)
            return found
    return 0


@kernel
def reduce_by_two_possible(grid: Pencil, written: NDArray[np.int64], log: Log) -> int:
    """Strike x from what two cells both see, when one of the two must be x.

    The first holds x or y, and y in it forces x into the second. Forcing runs through cells
    whose notes hold two digits, from peer to peer.
    """
    forced = np.empty(CELLS, dtype=np.int64)
    for start in range(CELLS):
        if written[start] == 0 or popcount(grid.marks[start]) != 2:
            continue
        for turn in range(2):
            upper = grid.marks[start] & (grid.marks[start] - 1)
            other = upper if turn == 1 else grid.marks[start] ^ upper
            wanted = grid.marks[start] ^ other
            force(grid, written, start, other, forced)
            for end in range(CELLS):
                if end == start or forced[end] != wanted:
                    continue
                begin_step(log)
                found = 0
                for index in range(20):
                    cell = PEERS[start, index]
                    if written[cell] == 1 and cell != end and sees(cell, end):
                        found += remove(grid, log, REDUCE_BY_TWO_POSSIBLE, cell, wanted, NO_UNIT)
                if found > 0:
                    for cell in (start, end):
                        enter(log, REDUCE_BY_TWO_POSSIBLE, SEEN, cell, lowest(wanted) + 1, NO_UNIT)
                    return found
    return 0


@kernel
def force(grid: Pencil, written: NDArray[np.int64], start: int, bit: int,
          forced: NDArray[np.int64]) -> None:  # fmt: skip
    """Write into `forced` (81,) the bit that each two-digit cell takes when `start` takes `bit`."""
    queue = np.empty(CELLS, dtype=np.int64)
    for cell in range(CELLS):
        forced[cell] = 0
    forced[start] = bit
    queue[0] = start
    length = 1
    for turn in range(CELLS):
        if turn == length:
            break
        for index in range(20):
            cell = PEERS[queue[turn], index]
            marks, taken = grid.marks[cell], forced[queue[turn]]
            if written[cell] == 1 and forced[cell] == 0 and marks & taken:
                if popcount(marks) == 2:
                    forced[cell] = marks ^ taken
                    queue[length] = cell
                    length += 1


@kernel
def sees(cell: int, other: int) -> bool:
    """Whether two cells share a unit (a cell sees itself)."""
    return bool(ROW[cell] == ROW[other] or COLUMN[cell] == COLUMN[other] or BOX[cell] == BOX[other])
