"""The rater `se121`: ER, EP and ED on the scale of Sudoku Explainer 1.2.1, and techniques used."""

import functools

import numpy as np
import pyarrow as pa

from workers.contracts import Columns
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.se.names import TECHNIQUES
from workers.engines.sudoku.se.rating import SOLVED, STATUS_NAMES, rate_batch
from workers.kinds.columns import Field, column
from workers.kinds.sudoku_columns import Mask, rows_of, spread
from workers.kinds.sudoku_params import SudokuParams

VERSION = 1
STATUS = np.array(STATUS_NAMES, object)


def rating_fields(suffix: str, status: str, of: str) -> list[Field]:
    """ER, EP and ED with `suffix` in their names, and what there is when the budget ran out."""
    rare = functools.partial(column, few=True, nullable=True)
    return [
        rare(f"er{suffix}", pa.float64(), f"SE rating{of}: that of the hardest step; null "
             "over budget, when no further step was found, and for a full grid"),
        rare(f"ep{suffix}", pa.float64(), f"SE pearl rating{of}: of the hardest step up to the "
             "first that places a digit; null when the budget ran out before"),
        rare(f"ed{suffix}", pa.float64(), f"SE diamond rating{of}: of the first step; null when "
             "the budget ran out before"),
        rare(f"er{suffix}_at_least", pa.float64(), f"highest SE rating{of} of the steps found; "
             "null for a solved puzzle"),
        rare(status, pa.string(), f"how the SE rating{of} ended: {', '.join(STATUS_NAMES)}"),
    ]  # fmt: skip


def rating_columns(
    puzzles: Digits, unique: Mask, budget: int, suffix: str, status: str
) -> tuple[Columns, np.ndarray]:
    """Columns of `rating_fields` for those of puzzles (n, 81) that are `unique` (n,).

    `puzzles` has the rows of the unique ones only. The step counts (rows, techniques) besides.
    """
    found = rate_batch(puzzles, budget)
    over = found.status != SOLVED
    made: Columns = {
        f"er{suffix}_at_least": spread(found.at_least[over], rows_of(unique, over)),
        status: spread(STATUS[found.status], unique),
    }
    for name, values in (("er", found.er), ("ep", found.ep), ("ed", found.ed)):
        known = values > 0  # neither NaN, nor a full grid's, which takes no step
        made[f"{name}{suffix}"] = spread(values[known], rows_of(unique, known))
    return made, found.counts


def fields() -> list[Field]:
    """Fields of the columns that `columns` makes, in order."""
    listed = rating_fields("", "se_status", "")
    for technique in TECHNIQUES:
        text = f"{technique.title}: how often SE used it"
        listed.append(column(f"se_t_{technique.name}", pa.int16(), text, unit="steps", few=True,
                             nullable=True))  # fmt: skip
    return listed


def columns(puzzles: Digits, unique: Mask, params: SudokuParams) -> Columns:
    """Columns of `fields` for puzzles (n, 81); null where `unique` (n,) is False."""
    made, counts = rating_columns(puzzles[unique], unique, params.se_budget, "", "se_status")
    for index, technique in enumerate(TECHNIQUES):
        made[f"se_t_{technique.name}"] = spread(counts[:, index], unique)
    return made
