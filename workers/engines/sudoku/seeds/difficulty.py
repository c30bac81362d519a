"""What generation measures of a puzzle, and the bounds a wanted puzzle keeps to."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.seeds.analytic import analytic_batch
from workers.engines.sudoku.seeds.brute import DEFAULT_BUDGET, brute_batch
from workers.engines.sudoku.seeds.suppositions import METHODS
from workers.errors import ParamsError

HIGHEST: Final = 2**62


class Bounds(NamedTuple):
    """What is wanted of a puzzle; None and the defaults ask for nothing."""

    clues: int | None = None
    level: int | None = None  # the analytic level it needs
    iterations_from: int = 0  # recursive calls of brute force, at least
    iterations_to: int = HIGHEST  # and at most


ANYTHING: Final = Bounds()


class Difficulty(NamedTuple):
    """How hard each of n uniquely solvable puzzles is, by brute force and by reasoning."""

    iterations: NDArray[np.int64]  # (n,) recursive calls
    censored: NDArray[np.bool_]  # (n,) whether that is a lower bound only
    levels: NDArray[np.int8]  # (n,) analytic level, -1 beyond the highest that was tried
    counts: NDArray[np.int32]  # (n, METHODS) as analytic.METHOD_NAMES
    suppositions: NDArray[np.int64]  # (n,)


def difficulty(
    puzzles: Digits, bounds: Bounds, everything: bool, iteration_budget: int = DEFAULT_BUDGET
) -> Difficulty:
    """Measure puzzles (n, 81): everything, or just what `bounds` asks about (else 0)."""
    count = len(puzzles)
    iterations = np.zeros(count, dtype=np.int64)
    censored = np.zeros(count, dtype=np.bool_)
    levels = np.zeros(count, dtype=np.int8)
    counts = np.zeros((count, METHODS), dtype=np.int32)
    suppositions = np.zeros(count, dtype=np.int64)
    if everything or bounds.iterations_from > 0 or bounds.iterations_to < HIGHEST:
        brute = brute_batch(puzzles, iteration_budget)
        iterations, censored = brute.iterations, brute.censored
    if everything or bounds.level is not None:
        highest = 3 if everything or bounds.level is None else bounds.level
        analytic = analytic_batch(puzzles, highest)
        levels, counts = analytic.level, analytic.counts
        suppositions = analytic.suppositions
    return Difficulty(iterations, censored, levels, counts, suppositions)


def too_hard(found: Difficulty, bounds: Bounds) -> NDArray[np.bool_]:
    """Which puzzles lie above the bounds; a level or count that is not known does."""
    above = found.iterations > bounds.iterations_to
    if bounds.iterations_to < HIGHEST:
        above |= found.censored
    if bounds.level is not None:
        above |= (found.levels < 0) | (found.levels > bounds.level)
    return above


def hard_enough(found: Difficulty, bounds: Bounds) -> NDArray[np.bool_]:
    """Which puzzles do not lie below the bounds."""
    enough = found.iterations >= bounds.iterations_from
    if bounds.level is not None:
        enough &= found.levels == bounds.level
    return enough


def proven_unique(puzzles: Digits, budget: int) -> NDArray[np.bool_]:
    """Which puzzles (n, 81) certainly have exactly one solution, within `budget` nodes each."""
    found = solve_batch(puzzles, 2, budget)
    unique: NDArray[np.bool_] = (found.counts == 1) & (found.status == 0)
    return unique


def check_bounds(bounds: Bounds) -> None:
    """Raise ParamsError when no puzzle can keep to `bounds`."""
    if bounds.clues is not None and not 0 <= bounds.clues <= 81:
        raise ParamsError("clues", f"{bounds.clues} is not within 0 to 81")
    if bounds.level is not None and not 0 <= bounds.level <= 3:
        raise ParamsError("level", f"{bounds.level} is not within 0 to 3")
    if bounds.iterations_from > bounds.iterations_to:
        what = f"{bounds.iterations_from} to {bounds.iterations_to} is an empty range"
        raise ParamsError("iterations", what)
