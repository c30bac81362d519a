"""The search for the canonical form: breadth first, one minirow (three cells of a row) a level.

A level keeps the partial transformations that give the smallest string so far, all of them, and
extends each by the next minirow. The choices are the transposition, the row, the stack, and the
order of the columns inside it. Columns and stacks that are empty so far stay undecided, as they
are interchangeable and come first; so a sparse puzzle has few states.

A state is two int64 words:
    places  bits 0-23 a byte per slot (place of a stack, left to right): the stack in bits 6-7 and
            the order of its columns, two bits per position from the left; 3 means undecided;
            bits 24-32 the rows used, bit 33 transposed or not, bits 34-37 the last row
    labels  bits 4*d to 4*d+3: the new name of digit d, 0 = none yet
"""

from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.kernel import kernel

NOTHING_DECIDED = 0xFFFFFF
USED, SIDE, LAST = 24, 33, 34
ABOVE_ALL = 0xFFF + 1
SPARE_STATES = 1024
"""Room beyond the budget: more than the states that one step adds to a level."""

NODES, SIZE, BEST, FRESH, TARGET = range(5)


class Workspace(NamedTuple):
    """What the kernels write to; made by new_workspace, used again for each puzzle."""

    minirows: NDArray[np.int64]
    """(2, 9, 4): by transposition and row the three digits of each stack, the leftmost in bits
    0-3; then bits that a row shares with those it is interchangeable with, 0 for none."""
    states: NDArray[np.int64]
    """(2, capacity, 2): the level that is read and the one that is written."""
    counters: NDArray[np.int64]
    """(5,): NODES tried for this puzzle; SIZE of the level that is written and BEST, the minirow
    that its states have; FRESH, the next unused label; TARGET, the side of `states` written."""


def new_workspace(budget: int) -> Workspace:
    """A workspace for puzzles that try at most `budget` states."""
    states = np.empty((2, budget + SPARE_STATES, 2), np.int64)
    return Workspace(np.zeros((2, 9, 4), np.int64), states, np.zeros(5, np.int64))


def _orders_after_a_row() -> NDArray[np.int64]:
    """How a minirow settles the columns of its stack: (64, 8, 7) by order and filled columns.

    Entry 0 is the number of orders that follow. Undecided columns that are empty in this row stay
    undecided, to the left of those that are filled, which take every order.
    """
    table = np.zeros((64, 8, 7), np.int64)
    for order in range(64):
        columns = [order >> 2 * position & 3 for position in range(3)]
        undecided = columns.count(3)
        loose = [column for column in range(3) if column not in columns]
        for filled in range(8):
            settled = [column for column in loose if filled >> column & 1]
            waiting = [3] * (undecided - len(settled))
            if len(loose) != undecided or columns[:undecided] != [3] * undecided:
                continue
            for count, moved in enumerate(permutations(settled), start=1):
                after = [*waiting, *moved, *columns[undecided:]]
                table[order, filled, 0] = count
                table[order, filled, count] = after[0] | after[1] << 2 | after[2] << 4
    return table


ORDERS = _orders_after_a_row()


@kernel
def open_level(work: Workspace) -> int:
    """Make the level that was written the one to read, return its number of states."""
    counters = work.counters
    size = int(counters[SIZE])
    counters[SIZE] = 0
    counters[BEST] = ABOVE_ALL
    counters[TARGET] ^= 1
    return size


@kernel
def keep(work: Workspace, value: int, places: int, labels: int) -> None:
    """Add a state to the level that is written, if no other has a smaller minirow `value`."""
    counters = work.counters
    counters[NODES] += 1
    if value > counters[BEST]:
        return
    if value < counters[BEST]:
        counters[BEST] = value
        counters[SIZE] = 0
    state = work.states[counters[TARGET], counters[SIZE]]
    state[0] = places
    state[1] = labels
    counters[SIZE] += 1


@kernel
def settle(work: Workspace, places: int, labels: int, slot: int, minirow: int) -> None:
    """Extend a state by `minirow` of the stack in `slot`, for each order of its columns."""
    order = (places >> 8 * slot) & 63
    filled = (minirow & 15 > 0) | (minirow >> 4 & 15 > 0) << 1 | (minirow >> 8 > 0) << 2
    others = places & ~(63 << 8 * slot)
    for choice in range(1, ORDERS[order, filled, 0] + 1):
        after = ORDERS[order, filled, choice]
        known, fresh, value = labels, work.counters[FRESH], 0
        for position in range(3):
            # Column 3, undecided, is empty so far: bits 12-15 of the minirow are 0.
            digit = minirow >> 4 * (after >> 2 * position & 3) & 15
            label = known >> 4 * digit & 15
            if digit > 0 and label == 0:
                label = fresh
                known |= fresh << 4 * digit
                fresh += 1
            value = value << 4 | label
        keep(work, value, others | after << 8 * slot, known)


@kernel
def extend(work: Workspace, places: int, labels: int, slot: int) -> None:
    """Extend a state by the minirow in `slot` of its last row, for each stack it may be."""
    minirows = work.minirows[places >> SIDE & 1, places >> LAST]
    stack = places >> (8 * slot + 6) & 3
    if stack < 3:
        settle(work, places, labels, slot, minirows[stack])
        return
    seated = 1 << (places >> 6 & 3) | 1 << (places >> 14 & 3) | 1 << (places >> 22 & 3)
    empty = 0
    for stack in range(3):
        if seated >> stack & 1 == 0 and minirows[stack] == 0:
            empty += 1
    if slot < empty:
        keep(work, 0, places, labels)
        return
    for stack in range(3):
        if seated >> stack & 1 == 0 and minirows[stack] > 0:
            chosen = places ^ (3 ^ stack) << (8 * slot + 6)
            settle(work, chosen, labels, slot, minirows[stack])


@kernel
def start_row(work: Workspace, places: int, labels: int, row: int) -> None:
    """Extend a state by the first minirow of each row that may stand at place `row`."""
    last = places >> LAST
    allowed = 511 & ~(places >> USED)
    if row % 3 > 0:
        allowed &= 7 << last - last % 3
    minirows = work.minirows[places >> SIDE & 1]
    before = places & (1 << LAST) - 1
    tried = 0
    for candidate in range(9):
        if allowed >> candidate & 1 == 0 or minirows[candidate, 3] & tried > 0:
            continue
        tried |= minirows[candidate, 3]
        extend(work, before | 1 << USED + candidate | candidate << LAST, labels, 0)
