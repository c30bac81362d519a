"""The rater `fill-order`: when the simulated solvers fill each cell."""

import numpy as np
import pyarrow as pa

from workers.contracts import Columns
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.human.model import human_model
from workers.kinds.columns import Field, column
from workers.kinds.sudoku_columns import Mask, spread
from workers.kinds.sudoku_params import SudokuParams

VERSION = 1


def fields() -> list[Field]:
    """Fields of the columns that `columns` makes, in order."""
    text = ("81 numbers with blanks between, in the cell order of `canonical`: the step at which "
            "the human model fills a cell, mean over runs; 0 for a clue")  # fmt: skip
    return [column("fill_order", pa.string(), text, unit="steps", nullable=True)]


def columns(puzzles: Digits, unique: Mask, params: SudokuParams) -> Columns:
    """Columns of `fields` for puzzles (n, 81); null where `unique` (n,) is False."""
    order = human_model(puzzles[unique], params.human_runs).order
    texts = np.array([" ".join(f"{step:.1f}" if step else "0" for step in row)
                      for row in order.tolist()], object)  # fmt: skip
    return {"fill_order": spread(texts, unique)}
