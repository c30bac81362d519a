"""Any equations: letters tried column by column from the right, digits checked as they come.

The twin of `search` for products, parentheses, several equations, and words so long that letter
weights would overflow. It runs the steps of a program (`program.py`).
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.cryptarithm.program import (
    ADD,
    CHECK,
    MULTIPLY,
    READ,
    STEP_BACK,
    STEP_FIRST,
    STEP_ITEM,
    STEP_LAST,
    STEP_PLACE,
    STEP_SORT,
    STORE,
    TRY,
    Program,
)
from workers.engines.cryptarithm.search import (
    BUDGET_OUT,
    DEFAULT_BUDGET,
    DONE,
    FULL,
    MOST_LETTERS,
)
from workers.engines.machine.kernel import kernel
from workers.engines.machine.meter import metered

SLICED: Final = 3
"""Status between two calls of one search."""
SLICE: Final = 1_000_000
"""Checks and tries of one call."""
STEP, USED, COUNT, NODES, STATUS, H_BASE, H_LEADING, H_LETTERS, H_LIMIT, H_BUDGET = range(10)
VALUES: Final = 16  # digits of the letters in the head, -1 = none
HEAD: Final = VALUES + MOST_LETTERS


class ColumnFound(NamedTuple):
    """What the search says of one puzzle."""

    solved: int  # solutions, up to the limit
    nodes: int  # digits tried
    status: int
    solutions: NDArray[np.uint8]  # (keep, letters)
    visits: NDArray[np.int64]  # (steps,) how often each step was done


@kernel
def digit_fits(
    operations: NDArray[np.int64],
    symbols: NDArray[np.int64],
    state: NDArray[np.int64],
    head: NDArray[np.int64],
    place: int,
) -> bool:
    """Compute the digit at `place` of every node of one equation; whether the last is 0.

    `state` (2 nodes, places + 1): digits of node n in row 2n, carries into a place in row 2n+1.
    """
    base = head[H_BASE]
    total = 0
    for number in range(len(operations)):
        operation, node = operations[number, 0], operations[number, 1]
        first, second = operations[number, 2], operations[number, 3]
        if operation == READ:
            symbol = symbols[first, place]
            state[2 * node, place] = head[VALUES + symbol] if symbol >= 0 else ~symbol
        elif operation == ADD:
            total += second * state[2 * first, place]
        elif operation == MULTIPLY:
            for low in range(place + 1):
                total += state[2 * first, low] * state[2 * second, place - low]
        else:
            total += state[2 * node + 1, place]
            digit = total % base
            state[2 * node, place] = digit
            state[2 * node + 1, place + 1] = total // base
            if operation != STORE and digit != 0:
                return False
            total = 0
    return True


@kernel
def next_digit(head: NDArray[np.int64], letter: int) -> bool:
    """Give a letter its next free digit; False, and none, when there is no more."""
    value = head[VALUES + letter]
    if value >= 0:
        head[USED] &= ~(1 << value)
    value += 1
    if value == 0 and head[H_LEADING] >> letter & 1:
        value = 1
    while value < head[H_BASE] and head[USED] >> value & 1:
        value += 1
    if value >= head[H_BASE]:
        head[VALUES + letter] = -1
        return False
    head[VALUES + letter] = value
    head[USED] |= 1 << value
    return True


@kernel
def search_program(
    steps: NDArray[np.int64],
    operations: NDArray[np.int64],
    symbols: NDArray[np.int64],
    state: NDArray[np.int64],
    head: NDArray[np.int64],
    trail: NDArray[np.int64],
) -> None:
    """Go on with the search in `head` for SLICE steps, or to its end.

    `trail` (1 + keep, steps or letters) counts visits in row 0; solutions stand in its others.
    """
    step = head[STEP]
    head[STATUS] = SLICED
    last = len(steps) - 1
    back = last if steps[last, STEP_SORT] == TRY else steps[last, STEP_BACK]
    for _ in range(SLICE):
        if step < 0:
            head[STATUS] = DONE
            break
        if step > last:
            if head[COUNT] < len(trail) - 1:
                for letter in range(head[H_LETTERS]):
                    trail[1 + head[COUNT], letter] = head[VALUES + letter]
            head[COUNT] += 1
            step = back
            if head[COUNT] >= head[H_LIMIT]:
                head[STATUS] = FULL
                break
            continue
        if steps[step, STEP_SORT] == CHECK:
            part = operations[steps[step, STEP_FIRST] : steps[step, STEP_LAST]]
            fits = digit_fits(part, symbols, state, head, steps[step, STEP_PLACE])
        else:
            if head[NODES] >= head[H_BUDGET]:
                head[STATUS] = BUDGET_OUT
                break
            fits = next_digit(head, steps[step, STEP_ITEM])
            head[NODES] += fits
        trail[0, step] += fits
        step = step + 1 if fits else steps[step, STEP_BACK]
    head[STEP] = step


@metered
def search_columns(
    program: Program,
    puzzle: tuple[int, int, int],
    limit: int = 2,
    budget: int = DEFAULT_BUDGET,
    keep: int | None = None,
) -> ColumnFound:
    """Solutions of a program, counted up to `limit`, the first `keep` listed.

    `puzzle` is the number of letters, the base, and the leading letters as a bit mask.
    """
    letters, base, leading = puzzle
    head = np.zeros(HEAD, np.int64)
    head[[H_LETTERS, H_BASE, H_LEADING, H_LIMIT, H_BUDGET]] = letters, base, leading, limit, budget
    head[VALUES:] = -1
    state = np.zeros((2 * program.nodes, program.symbols.shape[1] + 1), np.int64)
    kept = limit if keep is None else keep
    trail = np.zeros((1 + kept, max(len(program.steps), MOST_LETTERS)), np.int64)
    head[STATUS] = SLICED
    while head[STATUS] == SLICED:
        search_program(program.steps, program.operations, program.symbols, state, head, trail)
    count = int(head[COUNT])
    solutions = trail[1 : 1 + min(count, kept), :letters].astype(np.uint8)
    visits = trail[0, : len(program.steps)]
    return ColumnFound(count, int(head[NODES]), int(head[STATUS]), solutions, visits)
