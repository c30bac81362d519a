"""How a person solves a sum: techniques in the order of their cost, suppositions when none helps.

After every success the grader starts again at the cheapest technique. Where none helps, it
supposes the values of a carry (the one with the fewest), or of a letter, each in turn, and goes
on until all but one are refuted: a proof, not luck, so the figures do not depend on which value
is tried first.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.cryptarithm.cases import column_cases
from workers.engines.cryptarithm.deduce import (
    LOW,
    MOST_LETTERS,
    N_CARRIES,
    N_LETTERS,
    carry_bound,
    carry_forced,
    distinct,
    hidden_digit,
    is_contradiction,
    leading_carry,
    letter_bound,
    parity,
)
from workers.engines.cryptarithm.sums import Columns
from workers.engines.cryptarithm.techniques import (
    CONTRADICTION,
    SOLUTION,
    SPLIT_CARRY,
    SPLIT_LETTER,
    TECHNIQUES,
    level_of,
)
from workers.engines.machine.kernel import kernel
from workers.engines.machine.meter import metered

BUDGET, NODES, DEPTH, SOLUTIONS, CUT, TOLD = 3, 4, 5, 6, 7, 8
HEAD: Final = 9
DEFAULT_BUDGET: Final = 20_000
"""Suppositions; a puzzle that needs more is of the highest level, its figures lower bounds."""
OPEN, FAILED, SOLVED = 0, 1, 2
TELLING: Final = 8
"""An event of a path: depth, technique, then a note (see deduce)."""
FRAME: Final = 2  # behind a state: the item that is split, the value that comes next

Ints = NDArray[np.int64]


class Grade(NamedTuple):
    """What the grader says of one puzzle."""

    level: int
    hardest: int  # technique
    uses: Ints  # (techniques,)
    nodes: int
    depth: int
    censored: bool  # the budget ran out: nodes, depth and uses are lower bounds
    path: Ints  # (steps, TELLING)


@kernel
def settle(columns: Ints, head: Ints, state: Ints, uses: Ints, told: Ints) -> int:
    """Apply techniques until none helps; OPEN, FAILED or SOLVED."""
    event = told[len(told) - 1]
    note = event[2:]
    while True:
        technique = 0
        found = leading_carry(columns, head, state, note)
        if not found:
            technique = 1
            found = distinct(columns, head, state, note)
        if not found:
            technique = 2
            found = hidden_digit(columns, head, state, note)
        if not found:
            technique = 3
            found = carry_bound(columns, head, state, note)
        if not found:
            technique = 4
            found = letter_bound(columns, head, state, note)
        if not found:
            technique = 5
            found = parity(columns, head, state, note)
        if not found:
            technique = 6
            found = carry_forced(columns, head, state, note)
        if not found:
            technique = 7
            found = column_cases(columns, head, state, note, 2)
        if not found:
            technique = 8
            found = column_cases(columns, head, state, note, 3)
        if not found:
            break
        uses[technique] += 1
        event[1] = technique
        tell(head, told)
        if is_contradiction(head, state):
            return FAILED
    for letter in range(head[N_LETTERS]):
        if state[letter] & (state[letter] - 1):
            return OPEN
    for carry in range(head[N_CARRIES]):
        if state[LOW + 2 * carry] < state[LOW + 2 * carry + 1]:
            return OPEN
    return SOLVED


@kernel
def tell(head: Ints, told: Ints) -> None:
    """Copy the event in the last row of `told` behind those told so far, while there is room."""
    last = len(told) - 1
    if head[TOLD] < last:
        for part in range(TELLING):
            told[head[TOLD], part] = told[last, part]
        head[TOLD] += 1


@kernel
def choose(head: Ints, state: Ints) -> int:
    """What to split: the carry with the fewest values, else the letter with the fewest digits."""
    best, fewest = -1, 1 << 40
    for carry in range(head[N_CARRIES]):
        width = state[LOW + 2 * carry + 1] - state[LOW + 2 * carry]
        if 0 < width < fewest:
            best, fewest = MOST_LETTERS + carry, width
    if best >= 0:
        return best
    for letter in range(head[N_LETTERS]):
        digits, size = state[letter], 0
        while digits:
            digits &= digits - 1
            size += 1
        if 1 < size < fewest:
            best, fewest = letter, size
    return best


@kernel
def next_value(state: Ints, item: int, value: int) -> int:
    """The least value from `value` on that an item may have, or -1."""
    if item >= MOST_LETTERS:
        place = LOW + 2 * (item - MOST_LETTERS)
        low = max(value, state[place])
        return low if low <= state[place + 1] else -1 - (1 << 40)
    while state[item] >> value:
        if state[item] >> value & 1:
            return value
        value += 1
    return -1 - (1 << 40)


@kernel
def suppose(stack: Ints, depth: int, told: Ints) -> bool:
    """Put the next value of what is split at `depth` into the state above it; False: no more."""
    width = stack.shape[1] - FRAME
    item = stack[depth, width]
    value = next_value(stack[depth], item, stack[depth, width + 1])
    if value < -(1 << 39):
        return False
    stack[depth, width + 1] = value + 1
    for place in range(width):
        stack[depth + 1, place] = stack[depth, place]
    event = told[len(told) - 1]
    event[2], event[3] = -1, item
    if item < MOST_LETTERS:
        event[4], event[5], event[6], event[7] = stack[depth, item], 0, 1 << value, 0
        stack[depth + 1, item] = 1 << value
    else:
        place = LOW + 2 * (item - MOST_LETTERS)
        event[4], event[5] = stack[depth, place], stack[depth, place + 1]
        event[6] = event[7] = value
        stack[depth + 1, place] = stack[depth + 1, place + 1] = value
    return True


@kernel
def grade_one(columns: Ints, head: Ints, stack: Ints, uses: Ints, told: Ints) -> None:
    """Grade from the state in stack[0]; figures go to `head` and `uses`, the path to `told`.

    The last row of `told` is room for the event in the making.
    """
    width = stack.shape[1] - FRAME
    event = told[len(told) - 1]
    depth = 0
    while True:
        event[0] = depth
        outcome = settle(columns, head, stack[depth], uses, told)
        if outcome == OPEN:
            item = choose(head, stack[depth])
            stack[depth, width] = item
            stack[depth, width + 1] = -(1 << 38) if item >= MOST_LETTERS else 0
        else:
            head[SOLUTIONS] += outcome == SOLVED
            event[1] = SOLUTION if outcome == SOLVED else CONTRADICTION
            tell(head, told)
            depth -= 1
        while depth >= 0 and not suppose(stack, depth, told):
            depth -= 1
        if depth < 0:
            return
        if head[NODES] >= head[BUDGET]:
            head[CUT] = 1
            return
        technique = SPLIT_CARRY if stack[depth, width] >= MOST_LETTERS else SPLIT_LETTER
        head[NODES] += 1
        uses[technique] += 1
        depth += 1
        head[DEPTH] = max(head[DEPTH], depth)
        event[0], event[1] = depth, technique
        tell(head, told)


@metered
def grade_columns(columns: Columns, budget: int = DEFAULT_BUDGET, steps: int = 0) -> Grade:
    """Grade one puzzle; up to `steps` events of its path are told."""
    letters = len(columns.letters)
    head = np.zeros(HEAD, np.int64)
    head[:4] = letters, columns.base, columns.carries, budget
    width = len(columns.start) + FRAME
    stack = np.zeros((letters + columns.carries + 2, width), np.int64)
    stack[0, : len(columns.start)] = columns.start
    uses = np.zeros(len(TECHNIQUES), np.int64)
    told = np.zeros((steps + 1, TELLING), np.int64)
    grade_one(columns.rows, head, stack, uses, told)
    nodes, depth, cut = int(head[NODES]), int(head[DEPTH]), bool(head[CUT])
    used = np.flatnonzero(uses)
    hardest = int(used[-1]) if len(used) else 0
    level = 5 if cut else level_of(hardest, nodes, depth)
    return Grade(level, hardest, uses, nodes, depth, cut, told[: head[TOLD]])
