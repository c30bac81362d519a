"""One writer a format: takes tables of one schema, one after the other, and makes one file."""

import contextlib
import re
import sqlite3
from pathlib import Path
from typing import Any, Protocol

import msgspec
import pyarrow as pa
import pyarrow.compute
import pyarrow.csv
import pyarrow.parquet as pq

from pipeline.codebook import codebook
from pipeline.corpus.manifest import Manifest
from pipeline.corpus.parts import writer_options

STRUCTURAL = '[",\r\n]'
GROUP_ROWS = 65_536
INDEXED = ("level", "er", "hodoku_score", "key")
SQL_TABLE = "puzzles"
pc: Any = pyarrow.compute  # the stubs refuse plain values


class FileWriter(Protocol):
    """What `export` needs of a format."""

    path: Path

    def __init__(self, path: Path, schema: pa.Schema, manifest: Manifest) -> None: ...

    def write(self, table: pa.Table) -> None:
        """Append rows."""

    def close(self) -> None:
        """Finish the file."""

    def abandon(self) -> None:
        """Let go of an unfinished file."""


class CsvWriter:
    """CSV in UTF-8 with a header; null is empty, true and false are words, a key is hex digits.

    Texts are quoted only in batches where one holds a comma, a quote or a line end.
    """

    def __init__(self, path: Path, schema: pa.Schema, manifest: Manifest) -> None:
        self.path = path
        self._sink = path.open("wb")
        self._sink.write(",".join(schema.names).encode() + b"\n")

    def write(self, table: pa.Table) -> None:
        plain = readable(table)
        style: Any = "needed" if _needs_quotes(plain) else "none"
        options = pyarrow.csv.WriteOptions(include_header=False, quoting_style=style)
        pyarrow.csv.write_csv(plain, self._sink, options)

    def close(self) -> None:
        self._sink.close()

    abandon = close


class JsonWriter:
    """JSON Lines in UTF-8: an object a row, null where the column is null."""

    def __init__(self, path: Path, schema: pa.Schema, manifest: Manifest) -> None:
        self.path = path
        self._sink = path.open("wb")
        self._encoder = msgspec.json.Encoder()

    def write(self, table: pa.Table) -> None:
        self._sink.write(self._encoder.encode_lines(readable(table).to_pylist()))

    def close(self) -> None:
        self._sink.close()

    abandon = close


class TextWriter:
    """The texts of one column, a line each."""

    def __init__(self, path: Path, schema: pa.Schema, manifest: Manifest) -> None:
        self.path = path
        self._sink = path.open("wb")

    def write(self, table: pa.Table) -> None:
        values = readable(table).column(0).to_pylist()
        lines = "".join(f"{'' if value is None else value}\n" for value in values)
        self._sink.write(lines.encode())

    def close(self) -> None:
        self._sink.close()

    abandon = close


class ParquetWriter:
    """One Parquet file with the encodings of the corpus; keys stay 16 bytes."""

    def __init__(self, path: Path, schema: pa.Schema, manifest: Manifest) -> None:
        self.path = path
        options = {**writer_options(schema), "sorting_columns": None}
        self._writer = pq.ParquetWriter(path, schema, **options)
        self._waiting: list[pa.Table] = []

    def write(self, table: pa.Table) -> None:
        self._waiting.append(table)
        if sum(one.num_rows for one in self._waiting) >= GROUP_ROWS:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def abandon(self) -> None:
        with contextlib.suppress(pa.ArrowException, OSError):
            self._writer.close()

    def _flush(self) -> None:
        if self._waiting:
            self._writer.write_table(pa.concat_tables(self._waiting))
            self._waiting = []


class SqliteWriter:
    """A database with the tables puzzles, codebook (what columns mean) and corpus (its identity).

    Keys are hex digits, true and false are 1 and 0. Level, rating and key are indexed.
    """

    def __init__(self, path: Path, schema: pa.Schema, manifest: Manifest) -> None:
        self.path = path
        path.unlink(missing_ok=True)
        self._names = schema.names
        self._base = sqlite3.connect(path)
        self._base.execute("PRAGMA journal_mode = OFF")
        self._base.execute("PRAGMA synchronous = OFF")
        columns = ", ".join(f"{_quoted(field.name)} {_sql_type(field)}" for field in schema)
        self._base.execute(f"CREATE TABLE {SQL_TABLE} ({columns})")
        self._describe(schema, manifest)
        marks = ", ".join("?" for _ in schema)
        self._insert = f"INSERT INTO {SQL_TABLE} VALUES ({marks})"

    def write(self, table: pa.Table) -> None:
        columns = [column.to_pylist() for column in readable(table).columns]
        self._base.executemany(self._insert, zip(*columns, strict=True))

    def close(self) -> None:
        for name in INDEXED:
            if name in self._names:
                self._base.execute(f"CREATE INDEX by_{name} ON {SQL_TABLE} ({_quoted(name)})")
        self._base.commit()
        self._base.close()

    def abandon(self) -> None:
        self._base.close()

    def _describe(self, schema: pa.Schema, manifest: Manifest) -> None:
        entries = [msgspec.structs.astuple(entry) for entry in codebook(schema)]
        heads = "column_name, type, unit, nulls, description, rater, rater_version"
        self._base.execute(f"CREATE TABLE codebook ({heads})")
        self._base.executemany("INSERT INTO codebook VALUES (?, ?, ?, ?, ?, ?, ?)", entries)
        facts = {
            "content": manifest.content,
            "kind": manifest.kind,
            "kind_version": manifest.kind_version,
            "runs": ", ".join(origin.run_id for origin in manifest.origins),
        }
        self._base.execute("CREATE TABLE corpus (name, value)")
        self._base.executemany("INSERT INTO corpus VALUES (?, ?)", facts.items())


FORMATS: dict[str, type[FileWriter]] = {
    ".csv": CsvWriter,
    ".jsonl": JsonWriter,
    ".ndjson": JsonWriter,
    ".sqlite": SqliteWriter,
    ".db": SqliteWriter,
    ".parquet": ParquetWriter,
    ".txt": TextWriter,
}
"""File suffix -> its writer."""


def readable(table: pa.Table) -> pa.Table:
    """The table with binary columns as hex digits."""
    for place, field in enumerate(table.schema):
        if pa.types.is_fixed_size_binary(field.type):
            values: Any = table.column(place).to_pylist()
            digits = pa.array([None if one is None else one.hex() for one in values], pa.string())
            table = table.set_column(place, field.name, digits)
    return table


def _needs_quotes(table: pa.Table) -> bool:
    texts = [table.column(f.name) for f in table.schema if pa.types.is_string(f.type)]
    return any(pc.any(pc.match_substring_regex(text, STRUCTURAL)).as_py() for text in texts)


def _quoted(name: str) -> str:
    if not re.fullmatch(r"\w+", name):
        raise ValueError(f"{name!r} is no column name")
    return f'"{name}"'


def _sql_type(field: Any) -> str:
    if pa.types.is_floating(field.type):
        return "REAL"
    if pa.types.is_integer(field.type) or pa.types.is_boolean(field.type):
        return "INTEGER"
    return "TEXT"
