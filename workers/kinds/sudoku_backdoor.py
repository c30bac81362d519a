"""The rater `backdoor`: how few cells would have to be known for singles to solve the puzzle."""

import functools

import numpy as np
import pyarrow as pa

from workers.contracts import Columns
from workers.engines.sudoku.backdoors import backdoors
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.search import solve_batch
from workers.kinds.columns import Field, column
from workers.kinds.sudoku_columns import Mask, spread
from workers.kinds.sudoku_params import SudokuParams

VERSION = 1


def fields() -> list[Field]:
    """Fields of the columns that `columns` makes, in order."""
    rare = functools.partial(column, few=True, nullable=True)
    return [
        rare("backdoor_size", pa.int8(), "fewest cells that, filled in from the solution, leave a "
               "puzzle which naked and hidden singles solve: 0, 1, 2, or 3 for more; null unless "
               "unique", unit="cells"),
        rare("backdoors", pa.int32(), "sets of so many cells that do; 1 for size 0, 0 for size 3"),
    ]  # fmt: skip


def columns(puzzles: Digits, unique: Mask, params: SudokuParams) -> Columns:
    """Columns of `fields` for puzzles (n, 81); null where `unique` (n,) is False."""
    chosen = puzzles[unique]
    found = backdoors(chosen, solve_batch(chosen, limit=1).solutions)
    return {
        "backdoor_size": spread(found.sizes, unique),
        "backdoors": spread(found.counts.astype(np.int32, copy=False), unique),
    }
