"""The rater `analytic`: the level of reasoning a puzzle needs, and what was used on the way."""

import functools

import numpy as np
import pyarrow as pa

from workers.contracts import Columns
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.seeds.analytic import METHOD_NAMES, analytic_batch
from workers.engines.sudoku.seeds.outcome import BUDGET_OUT, SOLVED
from workers.kinds.columns import Field, column
from workers.kinds.sudoku_columns import Mask, rows_of, spread
from workers.kinds.sudoku_params import SudokuParams

VERSION = 1
WHAT = {
    "last_free_cell": "digits placed as the last of a unit",
    "hidden_single": "digits placed where a unit has no other place for them",
    "naked_single": "digits placed where a cell takes no other",
    "pointing": "candidates removed from a line that a box's places point along",
    "claiming": "candidates removed from a box by a line whose places lie in it",
    "supposition": "candidates dropped after a trial with level 1",
    "deeper_supposition": "candidates dropped after a trial with level 2",
}


def fields() -> list[Field]:
    """Fields of the columns that `columns` makes, in order."""
    rare = functools.partial(column, few=True, nullable=True)
    listed = [
        rare("analytic_level", pa.int8(), "lowest analytic level, 0 to 3, that solves it; null "
             "when none does", unit="level"),
        rare("analytic_filled", pa.int8(), "filled cells when reasoning ended", unit="cells"),
        column("analytic_suppositions", pa.int64(), "candidates tried, at all depths",
               unit="trials", nullable=True),
        rare("analytic_censored", pa.bool_(), "suppositions were cut off by their budget"),
    ]  # fmt: skip
    for name in METHOD_NAMES:
        unit = "digits" if WHAT[name].startswith("digits") else "candidates"
        listed.append(rare(f"analytic_t_{name}", pa.int16(), WHAT[name], unit=unit))
    return listed


def columns(puzzles: Digits, unique: Mask, params: SudokuParams) -> Columns:
    """Columns of `fields` for puzzles (n, 81); null where `unique` (n,) is False."""
    found = analytic_batch(puzzles[unique], budget=params.analytic_budget)
    solved = found.status == SOLVED
    made: Columns = {
        "analytic_level": spread(found.level[solved], rows_of(unique, solved)),
        "analytic_filled": spread(np.count_nonzero(found.grids, axis=1).astype(np.int8), unique),
        "analytic_suppositions": spread(found.suppositions, unique),
        "analytic_censored": spread(found.status == BUDGET_OUT, unique),
    }
    for index, name in enumerate(METHOD_NAMES):
        made[f"analytic_t_{name}"] = spread(found.counts[:, index].astype(np.int16), unique)
    return made
