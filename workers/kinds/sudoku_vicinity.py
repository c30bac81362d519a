"""Sudokus found on walks: from puzzles drawn independently to neighbours nearer to the goals.

A job begins with a pool of independent minimal puzzles. In each round every puzzle of the pool
gets a neighbour; of the pool and the neighbours those nearest to the goals go on, of equally near
ones the later, so a walk does not stop where it arrived. How near a puzzle is, is the sum over the
goals of how far its column misses the bounds, in relation to them; a text or truth value that is
not the wanted one counts 1, a null NULL_DISTANCE.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.contracts import Columns
from workers.engines.machine.random import seeded
from workers.engines.sudoku.generate import minimal_puzzles
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.vicinity import neighbours
from workers.errors import ParamsError
from workers.kinds.sudoku_params import Goal, SudokuParams

POOL = 64
NULL_DISTANCE = 10.0

Rate = Callable[[Digits], Columns]
Distances = NDArray[np.float64]


class Walked(NamedTuple):
    """Puzzles (n, 81), and for each how many changes lie between it and an independent one."""

    puzzles: Digits
    walk: NDArray[np.int32]


class _Found(NamedTuple):
    """Puzzles that were rated, in the order in which they were found."""

    puzzles: Digits
    walk: NDArray[np.int32]
    keys: NDArray[Any]  # (n,) 16 bytes each
    distance: Distances

    def at(self, rows: NDArray[np.int64]) -> "_Found":
        parts = (self.puzzles, self.walk, self.keys, self.distance)
        return _Found(*(part[rows] for part in parts))  # type: ignore[arg-type]


def walked_puzzles(seed: int, count: int, params: SudokuParams, rate: Rate) -> Walked:
    """`count` puzzles, those first that reach all goals, in the order in which they were found.

    At most `effort` puzzles are rated for each; where that does not do, the rest are those that
    came nearest. `rate` makes the columns of the goals, and the key.
    """
    state = seeded(seed)
    start = minimal_puzzles(state, POOL).puzzles
    seen = _distinct(_rated(start, np.zeros(POOL, np.int32), params.goals, rate))
    pool, rounds = seen, -(-count * params.effort // POOL)
    for _ in range(rounds):
        if np.count_nonzero(seen.distance == 0) >= count:
            break
        made = neighbours(state, pool.puzzles, params.drop, params.add)
        steps = pool.walk[made.made] + np.int32(1)
        found = _rated(made.puzzles[made.made], steps, params.goals, rate)
        seen = _nearest(_distinct(_joined(seen, found)), max(count, POOL))
        pool = _best(_distinct(_joined(pool, found)))
    order = np.argsort(seen.distance, kind="stable")
    rows = order[np.arange(count) % len(order)]
    return Walked(seen.puzzles[rows], seen.walk[rows])


def distances(columns: Columns, goals: Mapping[str, Goal]) -> Distances:
    """How far each row is from the goals, 0 for one that reaches them all; see the module."""
    total = np.zeros(len(columns["key"]))
    for name, goal in goals.items():
        if name not in columns:
            raise ParamsError(f"goals.{name}", "there is no such column")
        values = columns[name]
        missing, plain = np.ma.getmaskarray(values), np.ma.getdata(values)
        if plain.ndim != 1 or (goal.among is None) != np.issubdtype(plain.dtype, np.number):
            raise ParamsError(f"goals.{name}", "the column takes another sort of goal")
        total += np.where(missing, NULL_DISTANCE, _misses(plain, goal))
    return total


def _misses(values: NDArray[Any], goal: Goal) -> Distances:
    if goal.among is not None:
        return (~np.isin(values, np.array(goal.among, values.dtype))).astype(float)
    missed = np.zeros(len(values))
    for bound, sign in ((goal.least, 1), (goal.most, -1)):
        if bound is not None:
            missed += np.maximum(sign * (bound - values), 0) / (1 + abs(bound))
    return missed


def _rated(
    puzzles: Digits, walk: NDArray[np.int32], goals: Mapping[str, Goal], rate: Rate
) -> _Found:
    columns = rate(puzzles)
    keys = np.ascontiguousarray(columns["key"]).view("V16").reshape(-1)
    return _Found(puzzles, walk, keys, distances(columns, goals))


def _joined(first: _Found, second: _Found) -> _Found:
    pairs: Any = zip(first, second, strict=True)
    return _Found(*(np.concatenate(pair) for pair in pairs))


def _distinct(found: _Found) -> _Found:
    """Of equivalent puzzles the first."""
    _, first = np.unique(found.keys, return_index=True)
    return found.at(np.sort(first))


def _nearest(found: _Found, most: int) -> _Found:
    """The `most` nearest, of equally near ones the earlier; in the order they were found."""
    order = np.argsort(found.distance, kind="stable")[:most]
    return found.at(np.sort(order))


def _best(found: _Found) -> _Found:
    """The pool: the nearest, of equally near ones the later; in the order they were found."""
    order = len(found.distance) - 1 - np.argsort(found.distance[::-1], kind="stable")
    return found.at(np.sort(order[:POOL]))
