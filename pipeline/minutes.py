"""Predicted minutes: what a calibration learned of people, applied to the columns of a row.

The logarithm of the seconds is a sum of terms. A term is a column as ln(1 + x), standardised, times
a weight whose sign says which way is harder. The interval holds the share `coverage` of the
residuals of puzzles that the fit had not seen. A row is `minutes_extrapolated` when one of its
columns lies outside what the fit saw.
"""

from typing import Annotated, Any

import numpy as np
import pyarrow as pa
from msgspec import Meta, Struct
from numpy.typing import NDArray

DECIMALS = 2
Rated = dict[str, Any]
Floats = NDArray[np.float64]


class Term(Struct, frozen=True, forbid_unknown_fields=True):
    """One column of the sum: weight * (ln(1 + x) - center) / scale."""

    column: str
    weight: float
    center: float
    scale: Annotated[float, Meta(gt=0)]
    least: float  # smallest and largest value that the fit saw
    most: float


class Minutes(Struct, frozen=True, forbid_unknown_fields=True):
    """A frozen time model."""

    intercept: float  # ln(seconds) of a row whose terms are all 0
    low: float  # residuals of ln(seconds) between which lies the share `coverage`
    high: float
    coverage: Annotated[float, Meta(gt=0, lt=1)]
    term: Annotated[list[Term], Meta(min_length=1)]
    source: str = ""
    rater_versions: dict[str, int] = {}
    human_runs: int = 0

    @property
    def columns(self) -> list[str]:
        """The columns it reads."""
        return [term.column for term in self.term]

    def log_seconds(self, values: dict[str, Floats]) -> Floats:
        """ln(seconds) for columns (n,) by name."""
        total = np.full(len(values[self.term[0].column]), self.intercept)
        for term in self.term:
            total += term.weight * (np.log1p(values[term.column]) - term.center) / term.scale
        return total

    def outside(self, values: dict[str, Floats]) -> NDArray[np.bool_]:
        """Rows (n,) with a value that the fit never saw."""
        found = np.zeros(len(values[self.term[0].column]), np.bool_)
        for term in self.term:
            found |= (values[term.column] < term.least) | (values[term.column] > term.most)
        return found

    def apply(self, table: pa.Table) -> Rated:
        """The columns of `MINUTES_FIELDS` for a table; null where a column is, or is missing."""
        rows = table.num_rows
        if not set(self.columns) <= set(table.column_names):
            return {field.name: pa.nulls(rows, field.type) for field in MINUTES_FIELDS}
        values = {name: _floats(table.column(name)) for name in self.columns}
        missing = np.any([np.isnan(column) for column in values.values()], axis=0)
        log = self.log_seconds(values)
        found = {
            "minutes": np.exp(log) / 60,
            "minutes_low": np.exp(log + self.low) / 60,
            "minutes_high": np.exp(log + self.high) / 60,
        }
        rated: Rated = {
            name: pa.array(column.round(DECIMALS), pa.float64(), mask=missing)
            for name, column in found.items()
        }
        return rated | {"minutes_extrapolated": pa.array(self.outside(values), mask=missing)}


def _field(name: str, kind: Any, text: str, unit: str = "minutes") -> Any:
    return pa.field(name, kind, metadata={"unit": unit, "description": text})


MINUTES_FIELDS: tuple[Any, ...] = (
    _field("minutes", pa.float64(), "predicted time of a person, by the calibration that the "
           "levels file names"),
    _field("minutes_low", pa.float64(), "lower end of the interval for the mean time of people"),
    _field("minutes_high", pa.float64(), "upper end of that interval"),
    _field("minutes_extrapolated", pa.bool_(), "some column lies outside what the calibration saw",
           "1"),
)  # fmt: skip
"""Columns of a corpus whose levels file has a time model, in order."""
MINUTES_COLUMNS = tuple(field.name for field in MINUTES_FIELDS)


def _floats(column: Any) -> Floats:
    """A column as float64 with NaN for null."""
    values: Floats = column.cast(pa.float64()).combine_chunks().to_numpy(zero_copy_only=False)
    return values
