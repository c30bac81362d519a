"""The human model of many puzzles: random runs on canonical forms, and their means.

The runs of a puzzle are drawn from a random state that is a hash of its canonical form, and made
on that form. So all isomorphs of a puzzle have the same figures, in any order and any company.
With w the number of cells that simple moves can fill at a step, and e the empty cells:

    refutation   sum of the scores of the stuck steps; too small where `endless` is not 0
    stuck        steps at which no simple move is there
    endless      of these, the ones where no cell could be proven by refutations either
    dependency   mean of w over the first 5, 10 ... 40 steps (over all, when there are fewer)
    search_cost  sum over the steps of e / (mean w over the runs, 0.5 at least)
    narrowest    least w of a run before its last PLENTY steps, when w is small for lack of cells

Standard errors are those of means over independent runs; that of search_cost is linearised.
"""

import hashlib
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.meter import metered
from workers.engines.sudoku.canon import canonical_batch
from workers.engines.sudoku.geometry import CELLS, Digits
from workers.engines.sudoku.human.walk import MOST_STEPS, Walks, new_desk, new_walks, walk_rows
from workers.engines.sudoku.search import solve_batch

DEPENDENCY_STEPS: Final = (5, 10, 15, 20, 25, 30, 35, 40)
PLENTY: Final = 20
FEWEST_RUNS, MOST_RUNS = 2, 200
BLOCK: Final = 256
"""Puzzles whose runs are held in memory at a time."""

Floats = NDArray[np.float64]


class Estimate(NamedTuple):
    """Means over runs and their standard errors, of equal shape."""

    mean: Floats
    error: Floats


class HumanModel(NamedTuple):
    """Figures of n puzzles; rows without steps have dependency 0."""

    refutation: Estimate  # (n,)
    stuck: Estimate  # (n,)
    endless: Estimate  # (n,)
    dependency: Estimate  # (n, 8)
    search_cost: Estimate  # (n,)
    narrowest: Estimate  # (n,)
    frontier: Floats  # (n, MOST_STEPS) mean w of each step; 0 beyond the last
    order: Floats  # (n, 81) mean step, from 1, that fills a cell of the canonical form; clues 0
    steps: NDArray[np.int16]  # (n,) empty cells


@metered
def human_model(puzzles: Digits, runs: int) -> HumanModel:
    """Simulate `runs` solvers, 2 to 200, on each of `puzzles` (n, 81) with one solution each.

    A run costs about 8 microseconds where singles suffice, and some hundred where not.
    """
    if not FEWEST_RUNS <= runs <= MOST_RUNS:
        raise ValueError(f"{runs} runs are not in {FEWEST_RUNS}..{MOST_RUNS}")
    forms = canonical_batch(np.ascontiguousarray(puzzles, np.uint8).reshape(-1, CELLS)).forms
    starts = range(0, max(len(forms), 1), BLOCK)
    parts = [_figures(_walked(forms[start : start + BLOCK], runs)) for start in starts]
    return _joined(parts)


def random_states(forms: Digits, purpose: bytes) -> NDArray[np.uint64]:
    """Random states (n, 4) for canonical forms (n, 81): equal for equal forms and purposes."""
    rows = [hashlib.blake2b(form.tobytes(), digest_size=16, person=purpose).digest()
            for form in forms]  # fmt: skip
    words = np.frombuffer(b"".join(rows), "<u4").reshape(-1, 4)
    return words.astype(np.uint64)


def _walked(forms: Digits, runs: int) -> Walks:
    solutions = solve_batch(forms, limit=1).solutions
    randoms = random_states(forms, b"human model")
    walks, desk, row = new_walks(len(forms), runs), new_desk(), 0
    while row < len(forms):
        row = walk_rows(forms, solutions, randoms, walks, row, desk)
    return walks


def _figures(walks: Walks) -> HumanModel:
    steps, frontier = walks.steps, walks.frontier.astype(np.float64)
    runs = frontier.shape[1]
    upto = np.minimum(np.array(DEPENDENCY_STEPS), steps[:, None])
    sums = frontier.cumsum(axis=2)
    ends = np.broadcast_to(np.maximum(upto - 1, 0)[:, None], (len(steps), runs, upto.shape[1]))
    dependency = np.take_along_axis(sums, ends, axis=2) / np.maximum(upto, 1)[:, None]
    mean = frontier.mean(axis=1)
    return HumanModel(
        refutation=_estimate(walks.refutation),
        stuck=_estimate(walks.stuck),
        endless=_estimate(walks.endless),
        dependency=_estimate(dependency),
        search_cost=_search_cost(frontier, mean, steps),
        narrowest=_estimate(_narrowest(frontier, steps)),
        frontier=mean,
        order=walks.order / runs,
        steps=steps,
    )


def _estimate(values: NDArray[np.generic]) -> Estimate:
    """Mean and standard error over axis 1, the runs."""
    plain = values.astype(np.float64)
    return Estimate(plain.mean(axis=1), plain.std(axis=1, ddof=1) / np.sqrt(plain.shape[1]))


def _search_cost(frontier: Floats, mean: Floats, steps: NDArray[np.int16]) -> Estimate:
    empty = np.maximum(steps[:, None] - np.arange(MOST_STEPS), 0).astype(np.float64)
    wide = np.maximum(mean, 0.5)
    slope = np.where(mean > 0.5, -empty / wide**2, 0.0)
    shifts = ((frontier - mean[:, None]) * slope[:, None]).sum(axis=2)
    return Estimate((empty / wide).sum(axis=1), _estimate(shifts).error)


def _narrowest(frontier: Floats, steps: NDArray[np.int16]) -> Floats:
    """Least w of each run (n, runs) before its last PLENTY steps, of the first step at least."""
    counted = np.arange(MOST_STEPS) < np.maximum(steps - PLENTY, 1)[:, None]
    least: Floats = np.where(counted[:, None], frontier, np.inf).min(axis=2)
    return least


def _joined(parts: list[HumanModel]) -> HumanModel:
    def join(name: str) -> object:
        found = [getattr(part, name) for part in parts]
        if isinstance(found[0], Estimate):
            return Estimate(*(np.concatenate(list(one)) for one in zip(*found, strict=True)))
        return np.concatenate(found)

    return HumanModel(**{name: join(name) for name in HumanModel._fields})  # type: ignore[arg-type]
