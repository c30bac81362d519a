"""Signed sums of words: the digits that make a weighted sum of letters zero.

A puzzle is a row of integers: the weights of its letters, largest magnitude first, a constant,
and what the letters may be. Letters are tried in that order. The free digits bound the sum of
the letters that are left (rearrangement: largest weight, smallest digit); the bounds depend on
the set of used digits alone and are kept while a puzzle is searched, and the window of digits
that they leave to a letter is computed, not tried.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.machine.meter import metered

MOST_LETTERS: Final = 16
CONSTANT: Final = 16
LETTERS: Final = 17
BASE: Final = 18
LEADING: Final = 19  # bit i: letter i is not 0
ROW: Final = 20
DONE: Final = 0
BUDGET_OUT: Final = 1
FULL: Final = 2
"""Status: all solutions counted, the budget ran out, as many found as were asked for."""
DEFAULT_BUDGET: Final = 20_000_000
SLICE: Final = 5_000_000
"""Nodes after which a kernel call returns between puzzles: about a tenth of a second."""
LARGEST: Final = 1 << 60
"""|constant| and the sum of |weight| * (base - 1) are below this, so that nothing overflows."""
LOW, HIGH, STAMP = 0, 1, 2  # of the kept bounds
REST, CHOICES, USED, DIGIT = 0, 1, 2, 3  # of the stack
STACK: Final = MOST_LETTERS + 2
ENTERED: Final = -1
SLACK: Final = 1e-6  # digits are windows of floating point; the sum is checked in integers

Rows = NDArray[np.int64]
"""Packed puzzles, (n, ROW)."""


class Found(NamedTuple):
    """What the search says of n puzzles."""

    counts: NDArray[np.int64]  # (n,) solutions, up to the limit
    nodes: NDArray[np.int64]  # (n,) digits tried
    status: NDArray[np.int64]  # (n,)
    solutions: NDArray[np.uint8]  # (n, keep, 16) digits in the order of the weights


@kernel
def keep_bounds(row: NDArray[np.int64], start: int, used: int, kept: NDArray[np.int64]) -> None:
    """Least and greatest sum of the letters start.. with digits not in `used`, into `kept`."""
    up, down = 0, row[BASE] - 1  # for positive weights: least and greatest digit not yet taken
    other_up, other_down = 0, row[BASE] - 1
    least = most = 0
    for letter in range(start, row[LETTERS]):
        weight = row[letter]
        if weight > 0:
            while used >> up & 1:
                up += 1
            while used >> down & 1:
                down -= 1
            least += weight * up
            most += weight * down
            up += 1
            down -= 1
        else:
            while used >> other_up & 1:
                other_up += 1
            while used >> other_down & 1:
                other_down -= 1
            least += weight * other_down
            most += weight * other_up
            other_up += 1
            other_down -= 1
    kept[LOW] = least
    kept[HIGH] = most


@kernel
def window(
    row: NDArray[np.int64], depth: int, top: NDArray[np.int64], kept: NDArray[np.int64]
) -> Any:
    """The free digits of letter `depth` that leave the later letters a chance, as a bit mask."""
    base, weight = row[BASE], row[depth]
    choices = ((1 << base) - 1) & ~top[USED] & ~(row[LEADING] >> depth & 1)
    if weight == 0:
        return choices if top[REST] + kept[LOW] <= 0 <= top[REST] + kept[HIGH] else 0
    inverse = 1.0 / weight
    first, final = -(top[REST] + kept[HIGH]) * inverse, -(top[REST] + kept[LOW]) * inverse
    if weight < 0:
        first, final = final, first
    if final < -SLACK or first > base - 1 + SLACK:
        return 0
    if first > 0:
        choices &= -1 << np.int64(first + 1.0 - SLACK)
    if final < base:
        choices &= (2 << np.int64(final + SLACK)) - 1
    return choices


@kernel
def search_one(
    row: NDArray[np.int64],
    limit: int,
    budget: int,
    found: NDArray[np.uint8],
    room: NDArray[np.int64],
    result: NDArray[np.int64],
) -> None:
    """Count solutions of one row up to `limit`; the first of them go to `found` (keep, 16).

    `room` (STACK + 2**base, 4) holds the stack, a stamp and the kept bounds; `result` becomes
    count, nodes and status.
    """
    letters = row[LETTERS]
    room[STACK - 1, STAMP] += 1
    stamp = room[STACK - 1, STAMP]
    count = nodes = depth = 0
    status = DONE
    room[0, REST], room[0, CHOICES], room[0, USED] = row[CONSTANT], ENTERED, 0
    while depth >= 0:
        choices, used = room[depth, CHOICES], room[depth, USED]
        if choices == ENTERED:
            kept = room[STACK + used]
            if kept[STAMP] != stamp:
                keep_bounds(row, depth + 1, used, kept)
                kept[STAMP] = stamp
            choices = window(row, depth, room[depth], kept)
        if choices == 0:
            depth -= 1
            continue
        if nodes >= budget:
            status = BUDGET_OUT
            break
        nodes += 1
        digit = np.int64(lowest(np.uint64(choices)))
        room[depth, CHOICES] = choices & (choices - 1)
        room[depth, DIGIT] = digit
        rest = room[depth, REST] + row[depth] * digit
        if depth < letters - 1:
            depth += 1
            room[depth, REST], room[depth, CHOICES] = rest, ENTERED
            room[depth, USED] = used | 1 << digit
        elif rest == 0:
            if count < len(found):
                for letter in range(letters):
                    found[count, letter] = room[letter, DIGIT]
            count += 1
            if count >= limit:
                status = FULL
                break
    result[0] = count
    result[1] = nodes
    result[2] = status


@kernel
def search_rows(
    rows: NDArray[np.int64],
    limit: int,
    budget: int,
    found: NDArray[np.uint8],
    results: NDArray[np.int64],
) -> int:
    """Search rows in order until SLICE nodes are spent; returns how many are done."""
    base = 2
    for place in range(len(rows)):
        base = max(base, rows[place, BASE])
    room = np.zeros((STACK + (1 << base), 4), np.int64)
    spent = 0
    for place in range(len(rows)):
        if spent >= SLICE:
            return place
        search_one(rows[place], limit, budget, found[place], room, results[place])
        spent += results[place, 1]
    return len(rows)


@metered
def search_batch(
    rows: Rows, limit: int = 2, budget: int = DEFAULT_BUDGET, keep: int | None = None
) -> Found:
    """Solutions of packed puzzles (n, ROW), counted up to `limit`, the first `keep` listed.

    A puzzle whose search took more than `budget` nodes has status BUDGET_OUT and the count so
    far. Every row has a letter.
    """
    rows = np.ascontiguousarray(rows, np.int64)
    found = np.zeros((len(rows), limit if keep is None else keep, MOST_LETTERS), np.uint8)
    results = np.zeros((len(rows), 3), np.int64)
    done = 0
    while done < len(rows):
        done += search_rows(rows[done:], limit, budget, found[done:], results[done:])
    return Found(results[:, 0], results[:, 1], results[:, 2], found)
