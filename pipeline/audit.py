"""An audit of corpora: is each what its manifest says, and which puzzles do they share?

Unlike `verify`, which compares bytes, an audit reads every row: order, levels, ranges, doubles.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
from msgspec import Struct

from pipeline.corpus.identity import FirstSeen, Identity, identities, identity_columns
from pipeline.corpus.manifest import MANIFEST
from pipeline.corpus.order import SortColumns, sort_values
from pipeline.corpus.reading import Corpus, corpus_folder, open_corpus
from pipeline.corpus.verify import corpus_findings
from pipeline.levels import Levels, level_columns
from pipeline.schemas import value_faults
from workers.errors import IntegrityError, UsageError

pc: Any = pyarrow.compute  # the stubs refuse plain values


class CorpusAudit(Struct, frozen=True):
    """What was found in one corpus; sound when `faults` is empty."""

    corpus: str
    content: str
    complete: bool
    rows: int
    faults: list[str]
    doubles: int  # rows that share their key with an earlier one
    unsolved: int  # rows without exactly one solution
    levels: dict[str, int]


class Shared(Struct, frozen=True):
    """Puzzles that two corpora have in common, isomorphs counted as one."""

    first: str
    second: str
    puzzles: int


class Audit(Struct, frozen=True):
    """The whole audit."""

    corpora: list[CorpusAudit]
    shared: list[Shared]

    @property
    def sound(self) -> bool:
        """No corpus has a fault (shared puzzles are none)."""
        return not any(one.faults for one in self.corpora)


def audit(paths: Sequence[str | Path]) -> Audit:
    """Read corpora (or the corpora of runs) row by row; needs 24 bytes of memory a row.

    A corpus whose files are damaged is reported and not read. Raises UsageError when a folder
    holds no corpus.
    """
    audits, known = [], []
    for path in paths:
        folder = corpus_folder(Path(path))
        if not (folder / MANIFEST).exists():
            raise UsageError(folder, "holds no corpus (no manifest.json)")
        damage = [str(finding) for finding in corpus_findings(folder, deep=True)]
        corpus = None if damage else open_corpus(folder, incomplete=True)
        if corpus is None:
            audits.append(CorpusAudit(str(folder), "", False, 0, damage, 0, 0, {}))
            continue
        found, keys = _audit_one(corpus)
        audits.append(found)
        known.append((str(folder), keys))
    shared = [Shared(a, b, _common(x, y)) for (a, x), (b, y) in combinations(known, 2)]
    return Audit(audits, shared)


def audit_text(found: Audit) -> str:
    """The audit as lines for a person."""
    lines = []
    for one in found.corpora:
        lines.append(f"{one.corpus}: {one.rows:,} rows, {'; '.join(one.faults) or 'sound'}")
        if one.doubles:
            lines.append(f"  {one.doubles:,} doubles")
        if one.unsolved:
            lines.append(f"  {one.unsolved:,} without exactly one solution")
        if one.levels:
            levels = ", ".join(f"{name} {rows:,}" for name, rows in one.levels.items())
            lines.append(f"  levels: {levels}")
        if not one.complete:
            lines.append("  not complete")
    for pair in found.shared:
        lines.append(f"{pair.first} and {pair.second} share {pair.puzzles:,} puzzles")
    return "".join(f"{line}\n" for line in lines)


def _audit_one(corpus: Corpus) -> tuple[CorpusAudit, Identity]:
    manifest = corpus.manifest
    reading = _Reading(Levels.from_table(manifest.levels) if manifest.levels else None)
    for table in corpus.batches():
        reading.add(table)
    faults = [what for what, rows in reading.faults.items() if rows]
    doubles = reading.doubles()
    if doubles and manifest.dedupe == "canonical":
        faults.append(f"{doubles} doubles in a deduplicated corpus")
    if reading.rows != manifest.rows.unique:
        faults.append(f"{reading.rows} rows, not {manifest.rows.unique}")
    found = CorpusAudit(
        corpus=str(corpus.folder),
        content=manifest.content,
        complete=manifest.complete,
        rows=reading.rows,
        faults=faults,
        doubles=doubles,
        unsolved=reading.unsolved,
        levels=manifest.level_rows,
    )
    return found, reading.keys()


class _Reading:
    """Checks of the rows of one corpus, batch by batch."""

    def __init__(self, levels: Levels | None) -> None:
        self.rows = self.unsolved = 0
        self.faults: Counter[str] = Counter()
        self._levels = levels
        self._keys: list[Identity] = []
        self._last: SortColumns | None = None

    def add(self, table: pa.Table) -> None:
        self.rows += table.num_rows
        self.faults.update(value_faults(table))
        if "n_solutions" in table.column_names:
            solved = pc.sum(pc.equal(table.column("n_solutions"), 1)).as_py() or 0
            self.unsolved += table.num_rows - solved
        if all(name in table.column_names for name in identity_columns("canonical")):
            self._keys.append(identities(table, "canonical"))
        self._check_levels(table)
        self._check_order(table)

    def keys(self) -> Identity:
        parts = self._keys or [Identity(np.empty(0, np.uint64), np.empty(0, np.uint64))]
        halves: list[Any] = [np.concatenate(half) for half in zip(*parts, strict=True)]
        return Identity(*halves)

    def doubles(self) -> int:
        keys = self.keys()
        return len(keys.high) - len(_distinct(keys))

    def _check_levels(self, table: pa.Table) -> None:
        if self._levels is None:
            return
        wanted, _ = level_columns(self._levels.rank(table), self._levels.names)
        if not table.column("level").combine_chunks().equals(wanted):
            self.faults["levels are not those of its levels file"] += 1

    def _check_order(self, table: pa.Table) -> None:
        ranks: Any = table.column("level_rank")
        found = sort_values(table, ranks.fill_null(0).to_numpy())
        if self._last is not None:
            pairs: Any = zip(self._last, found, strict=True)
            joined: list[Any] = [np.concatenate((last[-1:], own)) for last, own in pairs]
            found = SortColumns(*joined)
        order = np.lexsort((found.low, found.high, found.keyless, found.rating, found.rank))
        if (np.diff(order) < 0).any():
            self.faults["rows are not in order"] += 1
        self._last = found


def _distinct(keys: Identity) -> Any:
    return np.unique(np.stack(keys, axis=1), axis=0)


def _common(first: Identity, second: Identity) -> int:
    """Identities that both have."""
    seen = FirstSeen()
    seen.add(first)
    ordinals = seen.add(second)
    return len(np.unique(ordinals[ordinals < len(first.high)]))


def require_sound(found: Audit) -> None:
    """IntegrityError with all faults, one a line, when there are any."""
    faults = [f"{one.corpus}: {what}" for one in found.corpora for what in one.faults]
    if faults:
        raise IntegrityError("\n".join(faults))
