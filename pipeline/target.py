"""The target of a plan: a filter that a row must pass to belong to the corpus.

Rows are generated and rated as always; those that miss the target are thrown away, never the
target relaxed. Where rows come from walks, the plain tests of the target also become the goals
that the walks make for.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.levels import Levels, level_columns
from pipeline.query import Comparison, Filter, read_filter
from workers.errors import ConfigError, ParseError

LEVEL_FIELDS = (pa.field("level", pa.string()), pa.field("level_rank", pa.int8()))
ROW = "row of the table"


class Target:
    """A filter over the columns of a kind's rows, and level and level_rank."""

    def __init__(self, text: str, schema: pa.Schema, levels: Levels | None = None) -> None:
        """ConfigError names the place where the filter is wrong, or a level that is none."""
        self.text, self._names = text, levels.names if levels else []
        names = [field for field in LEVEL_FIELDS if levels and field.name not in schema.names]
        try:
            self.filter: Filter = read_filter(text, pa.schema([*schema, *names]))
        except ParseError as wrong:
            raise ConfigError("target", str(wrong).removeprefix("filter: ")) from None
        for test in self.filter.tests or ():
            for value in test.values if test.column == "level" else ():
                if value not in self._names:
                    known = ", ".join(self._names)
                    raise ConfigError("target", f"no level {value!r}; the levels are: {known}")

    @property
    def columns(self) -> list[str]:
        """The columns of the rows that it reads; the levels file's own are not among them."""
        made = {field.name for field in LEVEL_FIELDS}
        return [name for name in self.filter.columns if name not in made]

    def holds(self, table: pa.Table, rank: NDArray[np.int8]) -> NDArray[np.bool_]:
        """Which rows pass; `rank` is the level's of each, 0 for none."""
        if self._names:
            old = [field.name for field in LEVEL_FIELDS if field.name in table.column_names]
            table = table.drop_columns(old)
            columns: Any = zip(LEVEL_FIELDS, level_columns(rank, self._names), strict=True)
            for field, values in columns:
                table = table.append_column(field, values)
        rows: Any = pa.array(np.arange(table.num_rows))
        numbered = table.select(list(self.filter.columns)).append_column(ROW, rows)
        passed = numbered.filter(self.filter.expression).column(ROW).to_numpy()
        mask = np.zeros(table.num_rows, dtype=np.bool_)
        mask[passed] = True
        return mask


def goals(target: Target, schema: pa.Schema, levels: Levels | None) -> dict[str, Any]:
    """What a walk can make for, as the parameter `goals`: column -> least, most, among.

    Raises ConfigError when the target is no list of tests joined by and.
    """
    found: dict[str, dict[str, Any]] = {}
    for test in target.filter.tests or ():
        for column, goal in _goals_of(test, schema, levels):
            known = found.setdefault(column, {})
            _narrow(known, goal)
    if not found:
        what = f"{target.text!r} gives a walk no direction: join tests by and, or give params.goals"
        raise ConfigError("target", what)
    return found


def _goals_of(
    test: Comparison, schema: pa.Schema, levels: Levels | None
) -> Iterable[tuple[str, dict[str, Any]]]:
    if test.column not in schema.names:
        yield from _goals_of_level(test, levels)
        return
    kind: Any = schema.field(test.column).type
    number = pa.types.is_integer(kind) or pa.types.is_floating(kind)
    if number and test.sign == "in":
        yield test.column, {"least": min(test.values), "most": max(test.values)}
    elif number and test.sign != "!=":
        yield test.column, _bounds(test.sign, test.values[0], bool(pa.types.is_integer(kind)))
    elif test.sign in ("=", "==", "in"):
        yield test.column, {"among": list(test.values)}


def _goals_of_level(
    test: Comparison, levels: Levels | None
) -> Iterable[tuple[str, dict[str, Any]]]:
    """A wanted level is a goal where it is told by one column that has one of several values."""
    if levels is None or test.column != "level" or test.sign not in ("=", "==", "in"):
        return
    tests: list[tuple[str, Any]] = [
        pair for level in levels.level if level.name in test.values for pair in level.when.items()
    ]
    values = [value for _, value in tests]
    if len({column for column, _ in tests}) == 1 and all(isinstance(v, str | list) for v in values):
        among = [one for value in values for one in (value if isinstance(value, list) else [value])]
        yield tests[0][0], {"among": among}


def _bounds(sign: str, value: float, whole: bool) -> dict[str, Any]:
    """The smallest and largest value for which the comparison holds."""
    above = math.floor(value) + 1 if whole else math.nextafter(value, math.inf)
    below = math.ceil(value) - 1 if whole else math.nextafter(value, -math.inf)
    ends: Mapping[str, dict[str, Any]] = {
        ">": {"least": above},
        ">=": {"least": value},
        "<": {"most": below},
        "<=": {"most": value},
    }
    return ends.get(sign, {"least": value, "most": value})


def _narrow(known: dict[str, Any], goal: dict[str, Any]) -> None:
    for name, value in goal.items():
        old = known.get(name)
        if old is None:
            known[name] = value
        elif name == "among":
            known[name] = [one for one in old if one in value] or old
        else:
            known[name] = max(old, value) if name == "least" else min(old, value)
