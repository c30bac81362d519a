"""Which rows of the jobs read so far belong to the corpus, and whether the quotas are filled.

The result of a run with quotas is the shortest prefix of its jobs whose rows, deduplicated in
(job, row) order, fill all quotas. The driver counts with this class while jobs come in, and the
merge counts with it again; so both stop at the same job.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.corpus.identity import (
    KEY_COLUMN,
    Dedupe,
    FirstSeen,
    Mask,
    Ordinals,
    identities,
    identity_columns,
    key_words,
)
from pipeline.corpus.known import KnownKeys
from pipeline.levels import Levels
from pipeline.schemas import run_schema
from pipeline.target import Target
from workers.contracts import RunFacts
from workers.errors import ConfigError

TARGET = "target"
"""What the quota of a target is called where no level has one."""


class Taken(NamedTuple):
    """What became of the n rows of one job: arrays of shape (n,)."""

    kept: Mask  # belongs to the corpus
    double: Mask  # an earlier row is its double; neither kept nor double: known, beside the target
    # or over a quota
    rank: NDArray[np.int8]  # level rank, 0 = no level
    first: Ordinals  # ordinal, over all rows fed so far, of the first row of its identity


class QuotaCounter:
    """Takes the tables of jobs 0, 1, 2 ... in order; counts rows, doubles and levels."""

    def __init__(
        self,
        quotas: Mapping[str, int],
        levels: Levels | None,
        dedupe: Dedupe,
        target: Target | None = None,
        target_rows: int | None = None,
        known: KnownKeys | None = None,
    ) -> None:
        """`quotas`: level name -> rows wanted; empty for no quotas, then every row is wanted.

        Of all rows those count that pass `target` and are not `known`; without quotas,
        `target_rows` of them are wanted. Raises ConfigError when a quota names a level that the
        levels file does not have.
        """
        self.levels = levels
        self.dedupe: Dedupe = dedupe
        self.names = levels.names if levels else []
        for name in quotas:
            if name not in self.names:
                there = ", ".join(self.names) or "none"
                raise ConfigError("quotas", f"no level {name!r}; the levels are: {there}")
        self.quotas = dict(quotas) if target_rows is None else {TARGET: target_rows}
        self.target, self._target_rows, self._known = target, target_rows, known
        self.passed = 0  # rows that pass the target, doubles and known ones left out
        self.jobs = 0  # jobs fed or skipped: the m of the prefix
        self.skipped: list[int] = []
        self.rows = self.kept = self.doubles = self.surplus = self.known = self.missed = 0
        self._found = np.zeros(len(self.names) + 1, dtype=np.int64)  # by rank, without doubles
        self._seen = FirstSeen()

    @classmethod
    def for_run(cls, facts: RunFacts, run_dir: Path) -> "QuotaCounter":
        """The counter of a run, from its facts and its folder."""
        levels = Levels.from_table(facts.levels) if facts.levels is not None else None
        target: Target | None = None
        known: KnownKeys | None = None
        if facts.target is not None:
            target = Target(facts.target, run_schema(facts), levels)
        if facts.exclude is not None:
            known = KnownKeys.of_run(run_dir, facts.exclude)
        return cls(facts.quotas, levels, facts.dedupe, target, facts.target_rows, known)

    @property
    def columns(self) -> list[str]:
        """The columns it reads, where the tables have them."""
        needed = [*identity_columns(self.dedupe), *(self.levels.columns if self.levels else ())]
        needed += self.target.columns if self.target else ()
        needed += [KEY_COLUMN] if self._known else ()
        return list(dict.fromkeys(needed))

    @property
    def filled(self) -> bool:
        """All quotas are full: later jobs do not matter. Always False without quotas."""
        return bool(self.quotas) and not self.unfilled()

    @property
    def found(self) -> dict[str, int]:
        """Level -> rows found that pass the target, doubles left out, surplus counted."""
        of_levels = {name: int(self._found[rank]) for rank, name in enumerate(self.names, start=1)}
        return of_levels if self.target is None else {**of_levels, TARGET: self.passed}

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
        fits = self._fitting(table, unique, rank)
        kept = self._within_quotas(fits, rank) if self.quotas else fits
        self._found += np.bincount(rank[fits], minlength=len(self._found))
        self.passed += int(fits.sum())
        self.rows += len(own)
        self.kept += int(kept.sum())
        self.doubles += int((~unique).sum())
        self.surplus += int((fits & ~kept).sum())
        return Taken(kept, ~unique, rank, first)

    def _fitting(self, table: pa.Table, unique: Mask, rank: NDArray[np.int8]) -> Mask:
        """Of the unique rows those that are not known and pass the target; counts the others."""
        fits = unique
        if self._known is not None:
            fits = unique & ~self._known.has(key_words(table.column(KEY_COLUMN)))
            self.known += int((unique & ~fits).sum())
        if self.target is not None:
            passing = fits & self.target.holds(table, rank)
            self.missed += int((fits & ~passing).sum())
            fits = passing
        return fits

    def _within_quotas(self, unique: Mask, rank: NDArray[np.int8]) -> Mask:
        kept = np.zeros(len(unique), dtype=np.bool_)
        if self._target_rows is not None:
            kept[np.flatnonzero(unique)[: max(0, self._target_rows - self.passed)]] = True
            return kept
        for name, quota in self.quotas.items():
            of_level = self.names.index(name) + 1
            room = max(0, quota - int(self._found[of_level]))
            kept[np.flatnonzero(unique & (rank == of_level))[:room]] = True
        return kept

    def _step_to(self, job: int) -> None:
        if job != self.jobs:
            raise ValueError(f"job {job} came when job {self.jobs} was due")
        self.jobs += 1
