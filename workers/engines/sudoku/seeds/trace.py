"""The trace of a brute-force search: filled cells at each recursive call, in bounded memory.

Searches of hundreds of millions of calls are thinned as they run: a bucket keeps the lowest,
the highest and the last number of filled cells of the calls it covers, and when all buckets are
full, neighbours are merged and every bucket covers twice as many calls. The histogram by
recursion level stays exact.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.kernel import kernel
from workers.engines.machine.meter import metered
from workers.engines.sudoku.geometry import CELLS, Digits
from workers.engines.sudoku.seeds.brute import (
    CALLS,
    DEFAULT_BUDGET,
    EMPTY_CELLS,
    LIMIT,
    RING,
    SLICE,
    Search,
    advance,
    begin,
    digit_tests,
    new_search,
)
from workers.engines.sudoku.seeds.outcome import (
    BUDGET_OUT,
    CONTRADICTION,
    RUNNING,
    STOPPED,
    boards,
    conflicting,
)

DEFAULT_BUCKETS: Final = 4096
SIZE: Final = 0
FULL: Final = 1
INSIDE: Final = 2


class TraceResult(NamedTuple):
    """Filled cells (clues and tried digits together) against the recursive call."""

    iterations: int
    digit_tests: int
    status: int  # code of outcome.OUTCOME_NAMES
    bucket: int  # calls covered by one entry of the three arrays; the last may cover fewer
    lowest: NDArray[np.int64]
    highest: NDArray[np.int64]
    last: NDArray[np.int64]
    clues: int  # filled cells at recursion level 0
    histogram: NDArray[np.int64]  # (82,) calls by recursion level


class Curve(NamedTuple):
    """A trace that is being written."""

    lowest: NDArray[np.int64]  # (buckets,) recursion levels
    highest: NDArray[np.int64]
    last: NDArray[np.int64]
    histogram: NDArray[np.int64]  # (82,)
    scalar: NDArray[np.int64]  # (3,) SIZE of a bucket, FULL buckets, calls INSIDE the open one


@kernel
def sample(curve: Curve, levels: NDArray[np.int64], first: int, last: int) -> None:
    """Add calls number `first` to `last`, whose recursion levels stand in the ring `levels`."""
    lowest, highest, final, scalar = curve.lowest, curve.highest, curve.last, curve.scalar
    histogram = curve.histogram
    size, bucket, inside = scalar[SIZE], scalar[FULL], scalar[INSIDE]
    for call in range(first, last + 1):
        level = levels[call & (RING - 1)]
        histogram[level] += 1
        if inside == 0:
            lowest[bucket] = highest[bucket] = level
        lowest[bucket] = min(lowest[bucket], level)
        highest[bucket] = max(highest[bucket], level)
        final[bucket] = level
        inside += 1
        if inside == size:
            inside = 0
            bucket += 1
            if bucket == len(final):
                halve(curve)
                size *= 2
                bucket //= 2
    scalar[SIZE], scalar[FULL], scalar[INSIDE] = size, bucket, inside


@kernel
def halve(curve: Curve) -> None:
    """Merge neighbours: half as many buckets, each covering twice as many calls."""
    half = len(curve.last) // 2
    for bucket in range(half):
        first, second = 2 * bucket, 2 * bucket + 1
        curve.lowest[bucket] = min(curve.lowest[first], curve.lowest[second])
        curve.highest[bucket] = max(curve.highest[first], curve.highest[second])
        curve.last[bucket] = curve.last[second]


@kernel
def trace_slice(search: Search, curve: Curve, until: int) -> int:
    """Make recursive calls until `until` of them were made, and add them; as `advance`."""
    scalar = search.scalar
    status = RUNNING
    while status == RUNNING and scalar[CALLS] < until:
        before = scalar[CALLS]
        status = advance(search, min(until, before + RING))
        sample(curve, search.levels, before + 1, scalar[CALLS])
    return status


@metered
def trace_search(
    puzzle: Digits, budget: int = DEFAULT_BUDGET, buckets: int = DEFAULT_BUCKETS,
    max_depth: int = CELLS,
) -> TraceResult:  # fmt: skip
    """Trace the brute-force search of one puzzle uint8 (81,).

    Budget and depth as in `brute_batch`; `buckets` (made even, at least 2) bounds the length of
    the three arrays, which have at least half as many entries once there are as many calls.
    """
    grid = boards(puzzle)
    if conflicting(grid)[0]:
        nothing = np.zeros(0, dtype=np.int64)
        none = np.zeros(CELLS + 1, dtype=np.int64)
        clues = int((grid > 0).sum())
        return TraceResult(0, 0, CONTRADICTION, 1, nothing, nothing, nothing, clues, none)
    width = max(2, buckets + buckets % 2)
    curve = Curve(
        lowest=np.zeros(width, dtype=np.int64),
        highest=np.zeros(width, dtype=np.int64),
        last=np.zeros(width, dtype=np.int64),
        histogram=np.zeros(CELLS + 1, dtype=np.int64),
        scalar=np.array([1, 0, 0], dtype=np.int64),
    )
    search = new_search()
    begin(search, grid[0], max(0, max_depth))
    sample(curve, search.levels, 1, 1)
    status = int(advance(search, 1))
    while status == RUNNING and search.scalar[CALLS] < max(1, budget):
        status = trace_slice(search, curve, min(budget, int(search.scalar[CALLS]) + SLICE))
    if status == RUNNING:
        status = BUDGET_OUT
    elif status == STOPPED and search.scalar[LIMIT] == search.scalar[EMPTY_CELLS]:
        status = CONTRADICTION
    return _finished(search, curve, status)


def _finished(search: Search, curve: Curve, status: int) -> TraceResult:
    size, full, inside = (int(number) for number in curve.scalar)
    clues = CELLS - int(search.scalar[EMPTY_CELLS])
    used = full + (inside > 0)
    return TraceResult(
        iterations=int(search.scalar[CALLS]),
        digit_tests=int(digit_tests(search)),
        status=int(status),
        bucket=size,
        lowest=curve.lowest[:used] + clues,
        highest=curve.highest[:used] + clues,
        last=curve.last[:used] + clues,
        clues=clues,
        histogram=curve.histogram,
    )
