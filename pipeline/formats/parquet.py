"""Puzzles in Parquet: a column of puzzles and any others, such as a file of a corpus."""

import io
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final

from pipeline.formats.entry import Entry, Reject
from pipeline.formats.tables import FACT_NAMES, PUZZLE_COLUMNS
from workers.errors import UsageError

BATCH_ROWS: Final = 8192


def read(stream: BinaryIO, name: str) -> Iterator[Entry]:
    """An entry for every row, nulls left out; the number of a row counts as its line."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    seekable = stream if stream.seekable() else io.BytesIO(stream.read())
    try:
        opened = pq.ParquetFile(seekable)
        column = _column(opened.schema_arrow.names, name)
        number = 0
        for batch in opened.iter_batches(batch_size=BATCH_ROWS):
            for row in batch.to_pylist():
                number += 1
                yield _entry(number, row, column)
    except pa.ArrowException as error:
        what = " ".join(str(error).split())
        raise UsageError(name, f"is a broken Parquet file ({what[:120]})") from None


def _column(names: list[str], name: str) -> str:
    column = next((known for known in PUZZLE_COLUMNS if known in names), None)
    if column is None:
        shown = ", ".join(names[:8])
        raise UsageError(name, f"has no column `puzzle` (its columns: {shown})")
    return column


def _entry(number: int, row: dict[str, Any], column: str) -> Entry:
    facts = {
        FACT_NAMES.get(key, key): tuple(value) if key == "candidates" else value
        for key, value in row.items()
        if key != column and value is not None
    }
    return Entry(number, 1, str(row[column] or ""), facts)


def write(entries: Iterable[Entry], path: Path) -> Iterator[Reject]:
    """Write a file; the first 8,192 entries say which columns there are, and their types.

    Gives a Reject for every later entry that has a fact without a column, or of another type.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = iter(entries)
    first = list(islice(rows, BATCH_ROWS))
    if not first:
        raise UsageError(path, "no puzzle to write")
    schema = _schema(first)
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        writer.write_table(pa.Table.from_pylist([_row(entry) for entry in first], schema))
        while part := list(islice(rows, BATCH_ROWS)):
            kept = []
            for entry in part:
                what = _misfit(entry, schema)
                if what:
                    yield Reject(entry.line, None, entry.text, what)
                else:
                    kept.append(_row(entry))
            writer.write_table(pa.Table.from_pylist(kept, schema))


def _schema(entries: list[Entry]) -> Any:
    import pyarrow as pa

    fields: list[Any] = [pa.field("puzzle", pa.string())]
    for name in dict.fromkeys(name for entry in entries for name in entry.facts):
        try:
            values = pa.array([entry.facts.get(name) for entry in entries])
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            raise UsageError(name, "has values of several types: no Parquet column") from None
        fields.append(pa.field(name, values.type))
    return pa.schema(fields)


def _row(entry: Entry) -> dict[str, Any]:
    return {"puzzle": entry.text, **entry.facts}


def _misfit(entry: Entry, schema: Any) -> str:
    """Why an entry cannot go where the first ones went, or nothing."""
    import pyarrow as pa

    extra = next((name for name in entry.facts if name not in schema.names), None)
    if extra is not None:
        return f"has {extra!r}, for which the first puzzles had no column"
    try:
        pa.Table.from_pylist([_row(entry)], schema)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        return " ".join(str(error).split())[:120]
    return ""
