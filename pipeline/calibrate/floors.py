"""Floors: what a study asserts of its figures; a broken one makes the command fail.

[[floor]]
table = "metrics"                      # metrics, models or summary
where = { metric = "dependency_25", target = "d_to", stratum = "all" }
figure = "spearman"
from = -0.749                          # either may be left out
below = -0.709
magnitude = false                      # true: of its absolute value
of = { metric = "clues" }              # below and from are then in units of this row's figure
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec
import numpy as np
import pandas as pd
from msgspec import Struct

from pipeline.toml import read_toml
from workers.errors import ConfigError

RESULT_COLUMNS = ["floor", "value", "from", "below", "passed"]


class Floor(Struct, frozen=True, forbid_unknown_fields=True):
    """One asserted figure."""

    table: str
    where: dict[str, str]
    figure: str
    from_: float | None = msgspec.field(default=None, name="from")
    below: float | None = None
    magnitude: bool = False
    of: dict[str, str] | None = None

    def __str__(self) -> str:
        chosen = " ".join(self.where.values())
        return (
            f"{'|' if self.magnitude else ''}{chosen} {self.figure}{'|' if self.magnitude else ''}"
        )


class Floors(Struct, frozen=True, forbid_unknown_fields=True):
    """A floors file."""

    floor: list[Floor]


def load_floors(path: Path) -> list[Floor]:
    """The floors of a TOML file; ConfigError names what is wrong."""
    try:
        return msgspec.convert(read_toml(path), Floors).floor
    except msgspec.ValidationError as wrong:
        raise ConfigError(path, str(wrong)) from None


def check_floors(floors: list[Floor], tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """One row a floor: its value, its bounds, and whether it holds; a missing figure fails."""
    rows = []
    for floor in floors:
        value = _figure(floor, floor.where, tables)
        unit = 1.0
        if floor.of is not None:
            unit = _figure(floor, {**floor.where, **floor.of}, tables)
        low = -np.inf if floor.from_ is None else floor.from_ * unit
        high = np.inf if floor.below is None else floor.below * unit
        passed = bool(low <= value < high)  # false for NaN
        rows.append([str(floor), value, low, high, passed])
    return pd.DataFrame(rows, columns=RESULT_COLUMNS)


def _figure(floor: Floor, where: Mapping[str, str], tables: Mapping[str, pd.DataFrame]) -> float:
    table = tables.get(floor.table)
    if table is None or floor.figure not in table or not set(where) <= set(table.columns):
        return float("nan")
    for column, value in where.items():
        table = table[table[column] == value]
    if len(table) != 1:
        return float("nan")
    found = float(table[floor.figure].iloc[0])
    return abs(found) if floor.magnitude else found
