"""What is in a corpus: levels, clues, techniques, ratings, doubles and reasons, in one reading.

`corpus_stats` gives plain data; `stats_text` and `stats_plots` show them. A corpus of any size is
read batch by batch; ratings are counted by value, so that quantiles are exact.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
from msgspec import Struct

from pipeline.corpus.manifest import RowCounts
from pipeline.corpus.reading import Corpus
from workers.kinds.columns import columns_with

RATINGS = (
    "hodoku_score",
    "er",
    "ep",
    "ed",
    "brute_iterations",
    "human_path_score",
    "search_nodes",
    "guesses",
)
NO_LEVEL = "no level"
TECHNIQUE = re.compile(r"(\w+?)_t_(\w+)")
pc: Any = pyarrow.compute  # the stubs refuse plain values


class Use(Struct, frozen=True):
    """How often a technique was used."""

    technique: str
    rater: str  # prefix of its column: hodoku, se
    rows: int  # rows that use it at least once
    uses: int  # in all rows together

    @property
    def mean(self) -> float:
        """Uses per row that uses it."""
        return self.uses / self.rows if self.rows else 0.0


class Spread(Struct, frozen=True):
    """How a rating is spread; quantiles are values that occur (the lower of two)."""

    rows: int  # without nulls
    min: float
    p10: float
    median: float
    p90: float
    max: float


class CorpusStats(Struct, frozen=True):
    """Figures of a corpus, or of the rows for which a filter holds."""

    corpus: str
    content: str
    complete: bool
    where: str | None
    rows: int
    levels: dict[str, int]  # easiest first, rows without level last; {} without a file
    clues: dict[int, int]  # clues -> rows
    techniques: list[Use]  # in the order of the columns
    ratings: dict[str, dict[str, Spread]]  # column -> level, and "all" -> spread
    reasons: dict[str, int]  # reason -> rows
    symmetries: dict[str, int]
    merged: RowCounts  # of the whole corpus: where the rows of the shards went
    sizes: dict[str, dict[int, int]] = {}  # column with the role "size" -> value -> rows
    credits: list[str] = []  # whom the content of the puzzles is owed to


def corpus_stats(corpus: Corpus, where: str | None = None) -> CorpusStats:
    """Count the rows of a corpus for which the filter expression holds (None: all)."""
    names = corpus.schema.names
    techniques = [name for name in names if TECHNIQUE.fullmatch(name)]
    sizes = columns_with(corpus.schema, b"role", b"size")
    counted = [name for name in ("clues", "reason", "symmetry", *sizes) if name in names]
    marked = columns_with(corpus.schema, b"role", b"rating")
    ratings = [*marked, *(name for name in RATINGS if name in names and name not in marked)]
    tally = _Tally(counted, ratings, techniques)
    for batch in corpus.batches(["level", *counted, *ratings, *techniques], where):
        tally.add(batch)
    manifest = corpus.manifest
    order = manifest.levels["level"] if manifest.levels else []
    levels = [level["name"] for level in order]
    return CorpusStats(
        corpus=str(corpus.folder),
        content=manifest.content,
        complete=manifest.complete,
        where=where,
        rows=tally.rows,
        levels=tally.levels(levels) if levels else {},
        clues=dict(sorted(tally.counts["clues"].items())),
        techniques=[tally.use(name) for name in techniques],
        ratings={name: tally.spreads(name, levels) for name in ratings},
        reasons=dict(tally.counts["reason"].most_common()),
        symmetries=dict(tally.counts["symmetry"].most_common()),
        merged=manifest.rows,
        sizes={name: dict(sorted(tally.counts[name].items())) for name in sizes},
        credits=manifest.credits,
    )


class _Tally:
    """Counts of the batches so far."""

    def __init__(
        self, counted: Sequence[str], ratings: Sequence[str], techniques: Sequence[str]
    ) -> None:
        self.rows = 0
        self.counts: dict[str, Counter[Any]] = defaultdict(Counter)
        self._counted = (*counted, "level")
        self._ratings: dict[str, dict[str | None, Counter[float]]] = {
            name: defaultdict(Counter) for name in ratings
        }
        self._uses = {name: [0, 0] for name in techniques}

    def add(self, batch: pa.Table) -> None:
        self.rows += batch.num_rows
        for name in self._counted:
            _count(self.counts[name], batch.column(name))
        for name, sums in self._uses.items():
            column = batch.column(name)
            sums[0] += pc.sum(pc.greater(column, 0)).as_py() or 0
            sums[1] += pc.sum(column).as_py() or 0
        levels = batch.column("level")
        for level in pc.unique(levels).to_pylist():
            own = batch.filter(pc.is_null(levels) if level is None else pc.equal(levels, level))
            for name, by_level in self._ratings.items():
                _count(by_level[level], own.column(name))

    def levels(self, order: list[str]) -> dict[str, int]:
        counts = self.counts["level"]
        found = {name: counts[name] for name in order if counts[name]}
        rest = self.rows - sum(found.values())
        return {**found, NO_LEVEL: rest} if rest else found

    def use(self, name: str) -> Use:
        match = TECHNIQUE.fullmatch(name)
        rater, technique = match.groups() if match else ("", name)
        return Use(technique, rater, *self._uses[name])

    def spreads(self, name: str, order: list[str]) -> dict[str, Spread]:
        by_level = self._ratings[name]
        total: Counter[float] = sum(by_level.values(), Counter())
        counters = {level: by_level[level] for level in order if by_level.get(level)}
        counters["all"] = total
        return {level: _spread(counter) for level, counter in counters.items() if counter}


def _count(counter: Counter[Any], values: Any) -> None:
    """Add the values of a column that are not null."""
    for entry in values.drop_null().value_counts().to_pylist():
        counter[entry["values"]] += entry["counts"]


def _spread(counter: Counter[float]) -> Spread:
    values = sorted(counter)
    stops = np.cumsum([counter[value] for value in values])
    rows = int(stops[-1])
    at = [np.searchsorted(stops, share * rows, side="left") for share in (0.1, 0.5, 0.9)]
    p10, median, p90 = (values[min(int(place), len(values) - 1)] for place in at)
    return Spread(rows, values[0], p10, median, p90, values[-1])


def stats_json(stats: CorpusStats) -> str:
    """The figures as one JSON object."""
    return msgspec.json.encode(stats).decode()
