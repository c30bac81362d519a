"""The rater `human-model`: what a simulated solver meets, means over random runs.

These are the columns that predict how long people take; see `workers.engines.sudoku.human`. A
column `x_se` is the standard error of `x`, from the spread of the runs.
"""

import numpy as np
import pyarrow as pa

from workers.contracts import Columns
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.human.model import DEPENDENCY_STEPS, PLENTY, Estimate, human_model
from workers.kinds.columns import Field, column
from workers.kinds.sudoku_columns import Mask, spread
from workers.kinds.sudoku_params import SudokuParams

VERSION = 1
DECIMALS = 4
SOURCE = "Pelanek 2014"


def fields() -> list[Field]:
    """Fields of the columns that `columns` makes, in order."""
    listed = [
        column("human_runs", pa.int16(), "simulated solvers behind the figures", unit="runs",
               nullable=True, few=True),
        column("refutation_censored", pa.bool_(), "inf_steps is not 0: refutation_sum is too low",
               nullable=True),
    ]  # fmt: skip
    for name, (text, unit) in _figures().items():
        listed.append(column(name, pa.float64(), text, unit=unit, nullable=True))
        error = f"standard error of {name} over the runs"
        listed.append(column(f"{name}_se", pa.float64(), error, unit=unit, nullable=True))
    return listed


def columns(puzzles: Digits, unique: Mask, params: SudokuParams) -> Columns:
    """Columns of `fields` for puzzles (n, 81); null where `unique` (n,) is False."""
    found = human_model(puzzles[unique], params.human_runs)
    estimates = {
        "refutation_sum": found.refutation,
        "n_stuck": found.stuck,
        "inf_steps": found.endless,
    }
    for index, steps in enumerate(DEPENDENCY_STEPS):
        mean, error = found.dependency
        estimates[f"dependency_{steps}"] = Estimate(mean[:, index], error[:, index])
    estimates |= {"search_cost": found.search_cost, "min_frontier": found.narrowest}
    made: Columns = {
        "human_runs": spread(np.full(len(found.steps), params.human_runs, np.int16), unique),
        "refutation_censored": spread(found.endless.mean > 0, unique),
    }
    for name, estimate in estimates.items():
        made[name] = spread(estimate.mean.round(DECIMALS), unique)
        made[f"{name}_se"] = spread(estimate.error.round(DECIMALS), unique)
    return made


def _figures() -> dict[str, tuple[str, str]]:
    """Name -> what it is, and its unit; means over the runs."""
    dependency = {
        f"dependency_{steps}": (
            f"cells that simple moves can fill, mean over the first {steps} steps; more is easier "
            f"({SOURCE})",
            "cells",
        )
        for steps in DEPENDENCY_STEPS
    }
    return {
        "refutation_sum": (f"moves that refute the wrong candidates of the cheapest cell, summed "
                           f"over steps without a simple move ({SOURCE})", "moves"),
        "n_stuck": ("steps without a simple move", "steps"),
        "inf_steps": ("steps without a simple move at which nothing could be refuted by simple "
                      "moves either; refutation_sum is too low then", "steps"),
        **dependency,
        "search_cost": ("empty cells per cell that a simple move can fill, summed over all steps",
                        "cells"),
        "min_frontier": (f"fewest cells that simple moves can fill, before the last {PLENTY} steps",
                         "cells"),
    }  # fmt: skip
