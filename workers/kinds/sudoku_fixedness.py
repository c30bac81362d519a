"""The rater `fixedness`: how firmly a random walk over almost-solutions holds the empty cells."""

import pyarrow as pa

from workers.contracts import Columns
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.human.fixedness import fixedness
from workers.kinds.columns import Field, column
from workers.kinds.sudoku_columns import Mask, spread
from workers.kinds.sudoku_params import SudokuParams

VERSION = 1
DECIMALS = 4


def fields() -> list[Field]:
    """Fields of the columns that `columns` makes, in order."""
    text = "share of time in which a random walk over almost-solutions has an empty cell right"
    return [column("fixedness", pa.float64(), text, nullable=True)]


def columns(puzzles: Digits, unique: Mask, params: SudokuParams) -> Columns:
    """Columns of `fields` for puzzles (n, 81); null where `unique` (n,) is False."""
    return {"fixedness": spread(fixedness(puzzles[unique]).round(DECIMALS), unique)}
