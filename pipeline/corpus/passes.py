"""The two passes of a merge: decide about every row, then carry the rows to their places."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.corpus.content import BLOCK_ROWS, ContentHash
from pipeline.corpus.identity import KEY_COLUMN, Mask, Ordinals, Words, fingerprints
from pipeline.corpus.manifest import PartFacts
from pipeline.corpus.order import SortColumns, places, rating_column, sort_values
from pipeline.corpus.parts import PartWriter
from pipeline.corpus.quotas import QuotaCounter, Taken
from pipeline.corpus.slices import Slices
from pipeline.corpus.sources import Piece
from pipeline.levels import level_columns
from pipeline.schemas import conform, value_faults
from workers.errors import IntegrityError

SLICE_ROWS = 2 * BLOCK_ROWS
SLICE_MEMORY = 128 * 2**20
FORM_COLUMN = "canonical"
LEVEL_COLUMNS = ("level", "level_rank")
Report = Callable[[str, int], None]
"""Called with "read" or "write" and the number of rows that are done."""


class Chosen(NamedTuple):
    """A piece of which rows are kept."""

    piece: Piece
    kept: Mask
    rank: NDArray[np.int8]  # of the kept rows


class Written(NamedTuple):
    """What the second pass made."""

    files: list[PartFacts]
    content: str
    level_rows: dict[str, int]


class Choice:
    """The first pass: takes pieces in order and decides which rows are kept, and where."""

    def __init__(self, counter: QuotaCounter, schema: pa.Schema) -> None:
        """`schema`: the columns of the corpus, level columns included."""
        self.counter = counter
        self.schema = schema
        self.chosen: list[Chosen] = []
        self._order: list[SortColumns] = []
        self._forms = FormCheck(counter.dedupe, schema)

    @property
    def columns(self) -> list[str]:
        """The columns it reads."""
        rating = rating_column(self.schema)
        wanted = [*self.counter.columns, *self._forms.columns, KEY_COLUMN]
        return list(dict.fromkeys([*wanted, rating] if rating else wanted))

    def take(self, job: int, piece: Piece) -> None:
        """Decide about the rows of the next piece, of the next job.

        Raises IntegrityError when two rows with one key have different canonical forms.
        """
        table = piece.read(self.columns)
        start = self.counter.rows
        taken = self.counter.feed(job, table)
        self._forms.add(piece.label, start, table, taken)
        if taken.kept.any():
            rank = taken.rank[taken.kept]
            self.chosen.append(Chosen(piece, taken.kept, rank))
            self._order.append(sort_values(table.filter(pa.array(taken.kept)), rank))

    def places(self) -> Ordinals:
        """Place in the corpus of every kept row, in reading order; can be asked once."""
        order, self._order = self._order, []
        return places(order) if order else np.empty(0, dtype=np.int64)


class FormCheck:
    """Notices two rows that share a key but not a canonical form: 8 bytes a row."""

    def __init__(self, dedupe: str, schema: pa.Schema) -> None:
        wanted = dedupe == "canonical" and FORM_COLUMN in schema.names
        self.columns = [FORM_COLUMN] if wanted else []
        self._sums: list[Words] = []
        self._starts: list[int] = []
        self._labels: list[str] = []

    def add(self, label: str, start: int, table: pa.Table, taken: Taken) -> None:
        """Check the doubles of a piece whose first row is row `start` of all."""
        if not self.columns:
            return
        self._sums.append(fingerprints(table.column(FORM_COLUMN)))
        self._starts.append(start)
        self._labels.append(label)
        for row in np.flatnonzero(taken.double).tolist():
            first_label, first_row, form = self._find(int(taken.first[row]))
            if form != self._sums[-1][row]:
                both = f"row {row} and row {first_row} of {first_label}"
                raise IntegrityError(label, f"{both} share a key but not a canonical form")

    def _find(self, ordinal: int) -> tuple[str, int, Any]:
        at = bisect_right(self._starts, ordinal) - 1
        row = ordinal - self._starts[at]
        return self._labels[at], row, self._sums[at][row]


def carry(
    choice: Choice, folder: Path, report: Report, slice_rows: int = SLICE_ROWS,
    memory: int = SLICE_MEMORY,
) -> Written:  # fmt: skip
    """The second pass: write the kept rows, in order, to part files in `folder`."""
    place = choice.places()
    schema = choice.schema
    with Slices(folder, schema, len(place), slice_rows, memory) as slices:
        start = 0
        for chosen in choice.chosen:
            table = _finished(chosen, schema, choice.counter)
            slices.add(table, place[start : start + table.num_rows])
            start += table.num_rows
            report("read", start)
        return _write(slices.in_order(), folder, schema, report)


def _finished(chosen: Chosen, schema: pa.Schema, counter: QuotaCounter) -> pa.Table:
    """The kept rows of a piece as rows of the corpus."""
    table = chosen.piece.read().filter(pa.array(chosen.kept))
    if counter.levels is not None:
        table = counter.levels.with_minutes(table)
    old = [name for name in LEVEL_COLUMNS if name in table.column_names]
    columns: Any = zip(LEVEL_COLUMNS, level_columns(chosen.rank, counter.names), strict=True)
    table = table.drop_columns(old)
    for name, values in columns:
        table = table.append_column(name, values)
    table = conform(table, schema)
    faults = value_faults(table)
    if faults:
        raise IntegrityError(chosen.piece.label, "; ".join(faults))
    return table


def _write(tables: Iterable[pa.Table], folder: Path, schema: pa.Schema, report: Report) -> Written:
    writer, content = PartWriter(folder, schema), ContentHash()
    levels: Counter[str | None] = Counter()
    done = 0
    try:
        for table in tables:
            writer.write(table)
            content.update(table)
            counts: Any = table.column("level").value_counts()
            levels.update({one["values"]: one["counts"] for one in counts.to_pylist()})
            done += table.num_rows
            report("write", done)
        files = writer.close()
    finally:
        writer.abandon()
    level_rows = {name: rows for name, rows in levels.items() if name is not None}
    return Written(files, content.hexdigest(), level_rows)
