"""Cut points: where one level ends and the next begins, on predicted minutes.

    quantile   equal numbers of puzzles in each level
    jenks      Fisher and Jenks: least sum of squares inside the levels, on ln(minutes)
    cost       least sum of |level - true level|, true levels given by observed labels or fifths

A cut point lies halfway between the two neighbours that it parts.
"""

from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from workers.errors import UsageError

Floats = NDArray[np.float64]
Method = Literal["quantile", "jenks", "cost"]
METHODS: Final = ("quantile", "jenks", "cost")


def cut_points(
    minutes: Floats, levels: int, method: Method, truth: NDArray[np.int64] | None = None
) -> Floats:
    """The `levels` - 1 ascending cut points of `minutes` (n,), each below the next.

    `truth` (n,) are true levels 0..levels-1, for the method cost. Raises UsageError when there are
    fewer distinct minutes than levels, or when levels would be empty.
    """
    order = np.argsort(minutes, kind="stable")
    values = minutes[order]
    if len(np.unique(values)) < levels:
        raise UsageError("cut points", f"{len(np.unique(values))} minutes make no {levels} levels")
    if method == "quantile":
        ends = np.round(np.arange(1, levels) * len(values) / levels).astype(np.int64)
    elif method == "jenks":
        ends = _partition(_squares(np.log(values)), levels)
    else:
        if truth is None:
            raise UsageError("cut points", "the method cost needs observations")
        ends = _by_cost(truth[order], levels)
    found = (values[ends - 1] + values[np.minimum(ends, len(values) - 1)]) / 2
    if (np.diff(found) <= 0).any():
        raise UsageError("cut points", f"method {method} leaves a level empty; ask for fewer")
    return found


def _squares(values: Floats) -> Floats:
    """Sum of squares around the mean of values[i:j], at [i, j]; infinite for j <= i."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    squares = np.concatenate([[0.0], np.cumsum(values**2)])
    first, last = np.arange(len(sums))[:, None], np.arange(len(sums))[None]
    size = np.maximum(last - first, 1)
    cost = (squares[None] - squares[:, None]) - (sums[None] - sums[:, None]) ** 2 / size
    return np.where(last > first, np.maximum(cost, 0.0), np.inf)


def _partition(cost: Floats, levels: int) -> NDArray[np.int64]:
    """Ends of the first levels-1 runs of the cheapest partition into `levels` runs."""
    best = cost[0].copy()
    came: list[NDArray[np.int64]] = []
    for _ in range(1, levels):
        total = best[:, None] + cost
        came.append(total.argmin(axis=0))
        best = total.min(axis=0)
    ends, at = [], len(best) - 1
    for source in reversed(came):
        at = int(source[at])
        ends.append(at)
    return np.array(ends[::-1], np.int64)


def _by_cost(truth: NDArray[np.int64], levels: int) -> NDArray[np.int64]:
    """Ends of the first levels-1 runs when run k is called level k; no run is empty."""
    size = len(truth)
    best = np.full(size + 1, np.inf)
    best[0] = 0.0
    came: list[NDArray[np.int64]] = []
    for level in range(levels):
        loss = np.concatenate([[0.0], np.cumsum(np.abs(truth - level))])
        slack = best - loss
        source = np.zeros(size + 1, np.int64)
        reached = np.full(size + 1, np.inf)
        at = 0
        for end in range(1, size + 1):
            if slack[end - 1] < slack[at]:
                at = end - 1
            source[end], reached[end] = at, slack[at] + loss[end]
        came.append(source)
        best = reached
    ends, at = [], size
    for source in reversed(came[1:]):
        at = int(source[at])
        ends.append(at)
    return np.array(ends[::-1], np.int64)
