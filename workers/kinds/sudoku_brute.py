"""The rater `brute`: how many recursive calls and digit tests brute force needs.

The counts say how long a machine without any insight searches; they are no measure of what a
person finds difficult.
"""

import pyarrow as pa

from workers.contracts import Columns
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.seeds.brute import brute_batch
from workers.kinds.columns import Field, column
from workers.kinds.sudoku_columns import Mask, spread
from workers.kinds.sudoku_params import SudokuParams

VERSION = 1


def fields() -> list[Field]:
    """Fields of the columns that `columns` makes, in order."""
    return [
        column("brute_iterations", pa.int64(), "recursive calls of brute force until the solution, "
               "a lower bound where censored", unit="calls", nullable=True),
        column("brute_digit_tests", pa.int64(), "looks whether a digit fits its cell until the "
               "solution, a lower bound where censored", unit="tests", nullable=True),
        column("brute_censored", pa.bool_(), "brute force was cut off by its budget",
               nullable=True),
    ]  # fmt: skip


def columns(puzzles: Digits, unique: Mask, params: SudokuParams) -> Columns:
    """Columns of `fields` for puzzles (n, 81); null where `unique` (n,) is False."""
    found = brute_batch(puzzles[unique], params.brute_budget)
    return {
        "brute_iterations": spread(found.iterations, unique),
        "brute_digit_tests": spread(found.digit_tests, unique),
        "brute_censored": spread(found.censored, unique),
    }
