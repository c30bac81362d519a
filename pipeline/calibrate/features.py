"""The columns of observed puzzles: graded here, or read from a corpus; by canonical form.

Features are numbers that are equal for all isomorphs of a puzzle, so that what is learned of them
does not depend on how a puzzle is turned. Technique counts of HoDoKu's scale depend on it a
little; they are here to be compared with.
"""

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from pipeline import api
from workers.errors import UsageError
from workers.kinds import registry

RATERS = ("basic", "hodoku", "human-model", "static")
STUDY_RUNS = 30
PART_ROWS = 50
KIND = "sudoku"
METRICS = ("clues", "singles_rounds", "nodes_mean", "hodoku_score", "hodoku_level_rank",
           "refutation_sum", "n_stuck", "min_frontier",
           *(f"dependency_{k}" for k in range(5, 45, 5)), "search_cost")  # fmt: skip
"""Columns that a study holds against people, one by one."""
HODOKU_LEVELS = ("easy", "medium", "hard", "unfair", "extreme")
LOOKS = tuple(f"{what}_{look}" for what in ("rounds", "filled")
              for look in ("full_house", "box", "line", "cell"))  # fmt: skip
HUMAN = ("search_cost", "refutation_sum", "n_stuck", "min_frontier",
         *(f"dependency_{k}" for k in range(5, 45, 5)))  # fmt: skip
STATIC = ("clues", "singles_rounds", "singles_filled", "nodes_mean",
          *(f"{name}_{k}" for name in ("candidates", "digit_clues", "box_clues")
            for k in range(1, 10)))  # fmt: skip


def grade_features(texts: Sequence[str], runs: int = STUDY_RUNS, workers: int = 1) -> pd.DataFrame:
    """One row for every text, in order: the columns of RATERS; equal for any number of workers."""
    parts = [texts[start : start + PART_ROWS] for start in range(0, len(texts), PART_ROWS)]
    if workers > 1 and len(parts) > 1:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(min(workers, len(parts)), mp_context=context) as pool:
            tables = list(pool.map(_graded, parts, [runs] * len(parts)))
    else:
        tables = [_graded(part, runs) for part in parts]
    return _frame(pa.concat_tables(tables))


def corpus_features(folder: Path) -> pd.DataFrame:
    """The rows of a corpus; UsageError when it lacks the columns of the human model."""
    opened = api.open_corpus(folder)
    missing = [name for name in ("canonical", *HUMAN, *LOOKS) if name not in opened.schema.names]
    if missing:
        what = f"has no column {missing[0]}; a study needs the raters {', '.join(RATERS)}"
        raise UsageError(folder, what)
    return _frame(opened.read())


def columns_of(frame: pd.DataFrame, names: Sequence[str]) -> np.ndarray[Any, Any]:
    """The named columns of a `slim` frame as ln(1 + x), float64 (rows, names); null is 0."""
    places = frame.columns.get_indexer(pd.Index(names))  # far cheaper than frame[names]
    plain = frame.to_numpy(np.float64)[:, places]
    logs: np.ndarray[Any, Any] = np.log1p(np.nan_to_num(plain, nan=0.0))
    return logs


def slim(frame: pd.DataFrame) -> pd.DataFrame:
    """The columns that models read, as one block of float64: quick to take rows of."""
    return frame[list(HUMAN + LOOKS + STATIC)].astype("float64")


def _graded(texts: Sequence[str], runs: int) -> pa.Table:
    kind = registry.get(KIND)
    params = api.checked_params(kind, {"human_runs": runs})
    return api.rated(kind, texts, RATERS, params)


def _frame(table: pa.Table) -> pd.DataFrame:
    frame = table.to_pandas()
    frame["key"] = [None if key is None else key.hex() for key in frame["key"]]
    ranks = {name: rank for rank, name in enumerate(HODOKU_LEVELS, start=1)}
    if "hodoku_level" in frame:
        frame["hodoku_level_rank"] = frame["hodoku_level"].map(ranks).astype("float64")
    return frame


def rater_versions() -> dict[str, int]:
    """The version of each of RATERS here."""
    kind = registry.get(KIND)
    return {rater: kind.rater_versions[rater] for rater in RATERS}
