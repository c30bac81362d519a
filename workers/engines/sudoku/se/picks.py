"""Chain hints as they are weighed: by rating, then complexity, then kind, first found first.

At the top only the first hint counts, and one slot is enough. Inside other chains all hints
count, except that of those with equal removals only the first is kept: a slot is what is removed,
an OFF node for one candidate, an ON node for all others of its cell, or a cycle's number.
"""

from typing import Final, Protocol

import numpy as np

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.se.grid import Grid, Integers, widen
from workers.engines.sudoku.se.links import NO, NODES, OFF

MOST_CYCLES: Final = 64
SLOTS: Final = NODES + MOST_CYCLES
NONE: Final = 1e9

SORT_DOUBLE, SORT_X, SORT_Y, SORT_XY, SORT_CELL, SORT_UNIT, SORT_CONTRADICTION = map(
    widen, range(1, 8)
)
"""The order among kinds of equal rating and complexity."""


class Picks(Protocol):
    """The best hint of each slot."""

    wide: int  # 1: a slot for everything that can be removed; 0: one slot
    n: int  # how many hints were weighed
    n_cycles: int
    rating: np.ndarray[tuple[int], np.dtype[np.float64]]  # (SLOTS,) NONE for an empty one
    complexity: Integers
    form: Integers
    turn: Integers  # when the hint came
    source: Integers  # node that the chains start from; a cell or 9 * unit + digit
    target: Integers  # node they end with
    ranked: Integers  # (SLOTS,) the slots in use, best first
    cycle_removed: Integers  # (MOST_CYCLES, 81) what a cycle removes
    cycle: Integers  # (MOST_CYCLES, 400) its nodes, backwards from the one it was found by
    cycle_length: Integers  # (64,)


PICKS: Final = np.dtype(
    [("wide", np.int64), ("n", np.int64), ("n_cycles", np.int64),
     ("rating", np.float64, SLOTS), ("complexity", np.int64, SLOTS), ("form", np.int64, SLOTS),
     ("turn", np.int64, SLOTS), ("source", np.int64, SLOTS), ("target", np.int64, SLOTS),
     ("ranked", np.int64, SLOTS),
     ("cycle_removed", np.int64, (MOST_CYCLES, 81)), ("cycle", np.int64, (MOST_CYCLES, 400)),
     ("cycle_length", np.int64, MOST_CYCLES)], align=True
)  # fmt: skip


@kernel
def lengthened(base: float, complexity: int) -> float:
    """A chain's rating: `base`, and 0.1 for each of 4, 6, 8, 12, 16, 24 ... below its length.

    The tenths are summed before they are added, as the program does: the sums differ in their
    last bits from what decimals promise, and that decides between hints.
    """
    added, limit, odd = 0.0, 4, True
    while complexity - 2 > limit:
        added += 0.1
        limit = limit * 3 // 2 if odd else limit * 4 // 3
        odd = not odd
    return base + added


@kernel
def reset(picks: Picks, wide: int) -> None:
    """Empty all slots."""
    picks.wide = wide
    picks.n = picks.n_cycles = 0
    for slot in range(SLOTS if wide else 1):
        picks.rating[slot] = NONE
        picks.complexity[slot] = 1 << 40
        picks.form[slot] = 99


@kernel
def slot_of(grid: Grid, picks: Picks, target: int) -> int:
    """The slot of what follows from node `target`; NO when that removes nothing."""
    if not picks.wide:
        return 0
    if target < OFF:
        cell, digit = target // 9, target % 9
        others = grid.cells[cell] & ~(1 << digit)
        if others & (others - 1) == 0:
            return OFF + 9 * cell + lowest(others) if others else NO
    return target


@kernel
def comes_before(picks: Picks, slot: int, rating: float, complexity: int, sort: int) -> bool:
    """True when a hint found now would take the slot."""
    if rating != picks.rating[slot]:
        return bool(rating < picks.rating[slot])
    if complexity != picks.complexity[slot]:
        return bool(complexity < picks.complexity[slot])
    return bool(sort < picks.form[slot])


@kernel
def pick(picks: Picks, slot: int, rating: float, complexity: int, sort: int) -> None:
    """Let a hint take the slot."""
    picks.rating[slot] = rating
    picks.complexity[slot] = complexity
    picks.form[slot] = sort
    picks.turn[slot] = picks.n
    picks.n += 1


@kernel
def rank(picks: Picks) -> int:
    """List the slots in use in `ranked`, best hint first; how many."""
    count = 0
    for slot in range(SLOTS):
        if picks.rating[slot] == NONE:
            continue
        k = count
        while k and beats(picks, slot, picks.ranked[k - 1]):
            picks.ranked[k] = picks.ranked[k - 1]
            k -= 1
        picks.ranked[k] = slot
        count += 1
    return count


@kernel
def beats(picks: Picks, one: int, other: int) -> bool:
    """True when the hint in slot `one` comes before that in slot `other`."""
    rating, length, sort = picks.rating[one], picks.complexity[one], picks.form[one]
    if comes_before(picks, other, rating, length, sort):
        return True
    same = rating == picks.rating[other] and length == picks.complexity[other]
    return bool(same and sort == picks.form[other] and picks.turn[one] < picks.turn[other])
