"""Puzzles that pass a target, looked for among those of one job after the other."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline.levels import Levels, load_levels
from pipeline.target import Target, goals
from workers.kinds.protocol import PuzzleKind
from workers.tables import shard_schema

TRIES = 1_000  # for each puzzle wanted, where nobody says how many


class TargetSearch:
    """A target over the rows of a kind, and how many of those tried passed it so far."""

    def __init__(self, text: str, kind: PuzzleKind[Any], raters: Sequence[str]) -> None:
        """Raises ConfigError for a target that is wrong."""
        self._levels: Levels | None = None
        if kind.default_levels is not None:
            self._levels = load_levels(kind.default_levels)
        self._schema = shard_schema(kind.schema(raters))
        self.target = Target(text, self._schema, self._levels)
        self.tried = self.found = 0

    @property
    def goals(self) -> dict[str, Any]:
        """What walks make for; ConfigError when the target gives them no direction."""
        return goals(self.target, self._schema, self._levels)

    @property
    def told(self) -> str:
        """How many passed, as a sentence without its end."""
        share = self.found / max(self.tried, 1)
        return f"{self.found:,} of {self.tried:,} puzzles tried passed the target ({share:.3%})"

    def tables(self, rows: Iterator[pa.Table], count: int, tries: int) -> Iterator[pa.Table]:
        """The rows that pass, until there are `count` of them or `tries` were looked at.

        Rows beyond the last one needed do not count as tried. An empty table if none passed.
        """
        table = None
        for table in rows:
            table = table.slice(0, tries - self.tried)
            passing = np.flatnonzero(self._passing(table))[: count - self.found]
            self.found += len(passing)
            done = self.found == count
            self.tried += int(passing[-1]) + 1 if done else table.num_rows
            if len(passing):
                yield table.take(passing)
            if done or self.tried >= tries:
                break
        if not self.found and table is not None:
            yield table.slice(0, 0)

    def _passing(self, table: pa.Table) -> Any:
        rank = np.zeros(table.num_rows, np.int8)
        if self._levels is not None:
            rank = self._levels.rank(table)
        return self.target.holds(table, rank)
