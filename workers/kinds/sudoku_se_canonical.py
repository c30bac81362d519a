"""The rater `se121-canonical`: the SE ratings of the minlex form, equal for all isomorphs."""

from workers.contracts import Columns
from workers.engines.sudoku.canon import canonical_batch
from workers.engines.sudoku.geometry import Digits
from workers.kinds.columns import Field
from workers.kinds.sudoku_columns import Mask, rows_of
from workers.kinds.sudoku_params import SudokuParams
from workers.kinds.sudoku_se import rating_columns, rating_fields

VERSION = 1
STATUS_COLUMN = "se_canon_status"


def fields() -> list[Field]:
    """Fields of the columns that `columns` makes, in order."""
    return rating_fields("_canon", STATUS_COLUMN, " of the minlex form")


def columns(puzzles: Digits, unique: Mask, params: SudokuParams) -> Columns:
    """Columns of `fields` for puzzles (n, 81); null where there is no form or no one solution."""
    forms = canonical_batch(puzzles[unique])
    known = forms.status == 0
    rated = rows_of(unique, known)
    made, _ = rating_columns(forms.forms[known], rated, params.se_budget, "_canon", STATUS_COLUMN)
    return made
