"""Levels: the level of a row from its columns and a levels file, applied when a corpus is merged.

A levels file lists levels, easiest first; a row gets the first whose every test holds (the
format is explained at the head of `configs/levels-1.toml`). Cut points that a calibration found
are ranges over one column. A level has a name and a rank: 1 for the first of the file. With a time
model (`minutes`, see `pipeline.minutes`) rows get predicted minutes, which tests may compare too.
Files are TOML, or JSON as `puzzlemill calibrate` writes it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
from msgspec import Meta, Struct
from numpy.typing import NDArray

from pipeline.minutes import MINUTES_COLUMNS, Minutes
from pipeline.toml import find_config, read_json, read_toml
from workers.errors import ConfigError

Name = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")]
Mask: TypeAlias = NDArray[np.bool_]
pc: Any = pyarrow.compute  # the stubs refuse plain values


class Bounds(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`from <= column < below`, either end open; or `null = true`: the column is null."""

    from_: float | None = msgspec.field(default=None, name="from")
    below: float | None = None
    null: Literal[True] | None = None

    def __post_init__(self) -> None:
        ends = [end for end in (self.from_, self.below) if end is not None]
        if bool(self.null) == bool(ends):
            raise ValueError("give from, below or both; or null = true alone")
        if len(ends) == 2 and not ends[0] < ends[1]:
            raise ValueError(f"from {ends[0]:g} is not below {ends[1]:g}")


Value: TypeAlias = bool | int | float | str
Test: TypeAlias = Value | Annotated[list[Value], Meta(min_length=1)] | Bounds


class Level(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One level: all tests of `when` hold."""

    name: Name
    when: Annotated[dict[str, Test], Meta(min_length=1)]
    description: str = ""


class Levels(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A levels file; equal files give equal levels for equal rows."""

    name: Name
    level: Annotated[list[Level], Meta(min_length=1, max_length=100)]
    schema: Literal[1] = 1
    description: str = ""
    requires: dict[str, Test] = {}
    minutes: Minutes | None = None

    def __post_init__(self) -> None:
        for name in self.names:
            if self.names.count(name) > 1:
                raise ValueError(f"level {name!r} stands twice")

    @property
    def names(self) -> list[str]:
        """Level names, easiest first; the rank of names[i] is i + 1."""
        return [level.name for level in self.level]

    @property
    def columns(self) -> list[str]:
        """The columns that the tests and the time model read, each once."""
        tests = [self.requires, *(level.when for level in self.level)]
        read = [column for test in tests for column in test]
        if self.minutes is not None:
            read = [*(name for name in read if name not in MINUTES_COLUMNS), *self.minutes.columns]
        return list(dict.fromkeys(read))

    def rank(self, table: pa.Table) -> NDArray[np.int8]:
        """Rank of every row: shape (rows,), 1 = first level of the file, 0 = no level.

        Raises ConfigError when a test compares a column with a value of another type.
        """
        ranks = np.zeros(table.num_rows, dtype=np.int8)
        table = self.with_minutes(table)
        candidates = self._all_hold(table, self.requires, "requires")
        for rank, level in enumerate(self.level, start=1):
            hits = self._all_hold(table, level.when, level.name) & candidates & (ranks == 0)
            ranks[hits] = rank
        return ranks

    def apply(self, table: pa.Table) -> tuple[pa.StringArray, pa.Int8Array]:
        """The columns `level` (string) and `level_rank` (int8) of a table, null for no level."""
        return level_columns(self.rank(table), self.names)

    def with_minutes(self, table: pa.Table) -> pa.Table:
        """The table with the columns of the time model in place of any it had; unchanged without.

        Costs a pass over the model's columns.
        """
        if self.minutes is None:
            return table
        old = [name for name in MINUTES_COLUMNS if name in table.column_names]
        table = table.drop_columns(old)
        for name, values in self.minutes.apply(table).items():
            table = table.append_column(name, values)
        return table

    @property
    def table(self) -> dict[str, Any]:
        """The whole file as plain data, to be kept in a run record or a manifest."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return {**plain, "schema": self.schema}

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> "Levels":
        """Levels from what `table` gave; ConfigError when it is malformed."""
        return _checked("levels", table)

    def _all_hold(self, table: pa.Table, tests: Mapping[str, Test], where: str) -> Mask:
        holds = np.ones(table.num_rows, dtype=np.bool_)
        for column, test in tests.items():
            try:
                holds &= _holds(table, column, test)
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError) as error:
                kind = table.schema.field(column).type
                what = f"{where}: column {column} ({kind}) cannot be compared with {test!r}"
                raise ConfigError(self.name, what) from error
        return holds


def level_columns(ranks: NDArray[np.int8], names: list[str]) -> tuple[pa.StringArray, pa.Int8Array]:
    """The columns `level` and `level_rank` for ranks as `Levels.rank` gives them."""
    missing = ranks == 0
    codes: Any = pa.array(ranks.astype(np.int32) - 1, mask=missing)
    level = pa.array(names, pa.string()).take(codes)
    return level, pa.array(ranks, pa.int8(), mask=missing)


def load_levels(name_or_path: str | Path) -> Levels:
    """Read a levels file, or a shipped one by its name (`levels-1`); ConfigError when wrong."""
    path = find_config(str(name_or_path), "levels")
    return _checked(path, (read_json if path.suffix == ".json" else read_toml)(path))


def _checked(where: Path | str, table: Mapping[str, Any]) -> Levels:
    try:
        return msgspec.convert(dict(table), Levels)
    except msgspec.ValidationError as wrong:
        raise ConfigError(where, " ".join(str(wrong).split())) from None


def _holds(table: pa.Table, column: str, test: Any) -> Mask:
    if column not in table.column_names:
        return np.zeros(table.num_rows, dtype=np.bool_)
    values = table.column(column)
    match test:
        case Bounds(null=True):
            found = pc.is_null(values)
        case Bounds(from_=None, below=below):
            found = pc.less(values, below)
        case Bounds(from_=start, below=None):
            found = pc.greater_equal(values, start)
        case Bounds(from_=start, below=below):
            found = pc.and_(pc.greater_equal(values, start), pc.less(values, below))
        case list():
            parts = [pc.equal(values, value) for value in test]
            found = parts[0]
            for part in parts[1:]:
                found = pc.or_(found, part)
        case _:
            found = pc.equal(values, test)
    mask: Mask = pc.fill_null(found, False).to_numpy()
    return mask
