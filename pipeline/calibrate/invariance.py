"""Isomorphs have equal ratings: puzzles are turned and renamed at random, and rated again."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pipeline.calibrate.features import grade_features
from workers.engines.sudoku.text import format_text, parse_text

OWN = ("puzzle", "solution", "hodoku_", "hardest_technique", "search_nodes", "guesses", "symmetry")
"""Columns that say how a puzzle is written, or are counts of solvers that depend on it."""
COLUMNS = ["column", "rows", "different", "worst"]


def isomorph(puzzle: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A random isomorph of a puzzle (81,): lines permuted, transposed or not, digits renamed."""
    rows, columns = (
        np.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)])
        for _ in range(2)
    )
    names = np.concatenate([[0], rng.permutation(9) + 1]).astype(np.uint8)
    square = names[puzzle.reshape(9, 9)[rows][:, columns]]
    turned: NDArray[np.uint8] = (square.T if rng.integers(2) else square).reshape(81)
    return turned


def invariance(
    texts: Sequence[str], isomorphs: int, seed: int, runs: int, workers: int = 1
) -> pd.DataFrame:
    """For each column that should be invariant: rows compared, rows that differ, worst difference.

    `worst` is NaN for columns that are not numbers.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    digits = [parse_text(text) for text in texts]
    turned = [format_text(isomorph(one, rng)) for one in digits for _ in range(isomorphs)]
    rated = grade_features([*texts, *turned], runs, workers)
    first = rated.iloc[: len(texts)].loc[np.repeat(np.arange(len(texts)), isomorphs)]
    again = rated.iloc[len(texts) :]
    names = [name for name in rated.columns if not name.startswith(OWN) or name == "solution_key"]
    return pd.DataFrame([_compared(name, first, again) for name in names], columns=COLUMNS)


def _compared(name: str, first: pd.DataFrame, again: pd.DataFrame) -> list[Any]:
    one, other = first[name].reset_index(drop=True), again[name].reset_index(drop=True)
    equal = (one == other) | (one.isna() & other.isna())
    worst = float("nan")
    if pd.api.types.is_numeric_dtype(one) and not pd.api.types.is_bool_dtype(one):
        worst = float((one.astype("float64") - other.astype("float64")).abs().max())
    return [name, len(equal), int((~equal).sum()), worst]
