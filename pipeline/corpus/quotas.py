"""Which rows of the jobs read so far belong to the corpus, and whether the quotas are filled.

The result of a run with quotas is the shortest prefix of its jobs whose rows, deduplicated in
(job, row) order, fill all quotas. The driver counts with this class while jobs come in, and the
merge counts with it again; so both stop at the same job.
"""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.corpus.identity import Dedupe, FirstSeen, Ordinals, identities, identity_columns
from pipeline.levels import Levels
from workers.contracts import RunFacts
from workers.errors import ConfigError

Mask: TypeAlias = NDArray[np.bool_]


class Taken(NamedTuple):
    """What became of the n rows of one job: arrays of shape (n,)."""

    kept: Mask  # belongs to the corpus
    double: Mask  # an earlier row is its double; neither kept nor double: over a quota
    rank: NDArray[np.int8]  # level rank, 0 = no level
    first: Ordinals  # ordinal, over all rows fed so far, of the first row of its identity


class QuotaCounter:
    """Takes the tables of jobs 0, 1, 2 ... in order; counts rows, doubles and levels."""

    def __init__(self, quotas: Mapping[str, int], levels: Levels | None, dedupe: Dedupe) -> None:
        """`quotas`: level name -> rows wanted; empty for no quotas, then every row is wanted.

        Raises ConfigError when a quota names a level that the levels file does not have.
        """
        self.levels = levels
        self.dedupe: Dedupe = dedupe
        self.names = levels.names if levels else []
        for name in quotas:
            if name not in self.names:
                known = ", ".join(self.names) or "none"
                raise ConfigError("quotas", f"no level {name!r}; the levels are: {known}")
        self.quotas = dict(quotas)
        self.jobs = 0  # jobs fed or skipped: the m of the prefix
        self.skipped: list[int] = []
        self.rows = self.kept = self.doubles = self.surplus = 0
        self._found = np.zeros(len(self.names) + 1, dtype=np.int64)  # by rank, without doubles
        self._seen = FirstSeen()

    @classmethod
    def for_run(cls, facts: RunFacts) -> "QuotaCounter":
        """The counter of a run, from its facts."""
        levels = Levels.from_table(facts.levels) if facts.levels is not None else None
        return cls(facts.quotas, levels, facts.dedupe)

    @property
    def columns(self) -> list[str]:
        """The columns it reads, where the tables have them."""
        needed = [*identity_columns(self.dedupe), *(self.levels.columns if self.levels else ())]
        return list(dict.fromkeys(needed))

    @property
    def filled(self) -> bool:
        """All quotas are full: later jobs do not matter. Always False without quotas."""
        return bool(self.quotas) and not self.unfilled()

    @property
    def found(self) -> dict[str, int]:
        """Level -> rows found, doubles left out, surplus counted."""
        return {name: int(self._found[rank]) for rank, name in enumerate(self.names, start=1)}

    def unfilled(self) -> dict[str, int]:
        """Level -> rows still missing, for every quota that is not full."""
        missing = {name: quota - self.found[name] for name, quota in self.quotas.items()}
        return {name: rows for name, rows in missing.items() if rows > 0}

    def skip(self, job: int) -> None:
        """Leave out a quarantined job; the prefix goes on after it."""
        self._step_to(job)
        self.skipped.append(job)

    def feed(self, job: int, table: pa.Table) -> Taken:
        """Count the rows of the next job, whose table has (at least) the columns it reads."""
        self._step_to(job)
        own = np.arange(self.rows, self.rows + table.num_rows, dtype=np.int64)
        if self.dedupe == "none":
            first = own
        else:
            first = self._seen.add(identities(table, self.dedupe))
        rank = self.levels.rank(table) if self.levels else np.zeros(len(own), dtype=np.int8)
        unique = first == own
        kept = self._within_quotas(unique, rank) if self.quotas else unique
        self._found += np.bincount(rank[unique], minlength=len(self._found))
        self.rows += len(own)
        self.kept += int(kept.sum())
        self.doubles += int((~unique).sum())
        self.surplus += int((unique & ~kept).sum())
        return Taken(kept, ~unique, rank, first)

    def _within_quotas(self, unique: Mask, rank: NDArray[np.int8]) -> Mask:
        kept = np.zeros(len(unique), dtype=np.bool_)
        for name, quota in self.quotas.items():
            of_level = self.names.index(name) + 1
            room = max(0, quota - int(self._found[of_level]))
            kept[np.flatnonzero(unique & (rank == of_level))[:room]] = True
        return kept

    def _step_to(self, job: int) -> None:
        if job != self.jobs:
            raise ValueError(f"job {job} came when job {self.jobs} was due")
        self.jobs += 1
