"""Parquet files of a corpus: equal rows give equal bytes, with the same pyarrow.

Nothing in a file tells when or where it was written. Row groups and files end at fixed numbers of
rows and bytes, and statistics, dictionaries and encodings follow from the schema alone.
"""

import contextlib
import hashlib
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq

from pipeline.corpus.manifest import PartFacts, SortBounds
from pipeline.corpus.order import sort_columns
from workers.kinds.columns import is_few

ROW_GROUP = 131_072
FILE_BYTES = 256 * 2**20
pc: Any = pyarrow.compute  # the stubs refuse plain values


def writer_options(schema: pa.Schema) -> dict[str, Any]:
    """Keyword arguments of `pyarrow.parquet.ParquetWriter` for rows of this schema.

    Columns of few values get a dictionary. Long texts lie one after the other, lengths apart, and
    have no statistics: the smallest and largest of a page say nothing about a puzzle. With that,
    level 1 of zstd makes smaller files than level 3 of front-coded texts, in half the time.
    """
    few = [field.name for field in schema if is_few(field)]
    texts = [f.name for f in schema if pa.types.is_string(f.type) and f.name not in few]
    keys = sort_columns(schema)
    ordering: Any = [(name, "ascending") for name in keys]
    return {
        "version": "2.6",
        "compression": "zstd",
        "compression_level": 1,
        "use_dictionary": few,
        "column_encoding": dict.fromkeys(texts, "DELTA_LENGTH_BYTE_ARRAY"),
        "write_statistics": [name for name in schema.names if name not in texts],
        "write_page_index": True,
        "sorting_columns": pq.SortingColumn.from_ordering(schema, ordering, "at_end"),
    }


class PartWriter:
    """Writes tables, in order, to part-00000.parquet, part-00001.parquet ... in a folder."""

    def __init__(self, folder: Path, schema: pa.Schema, file_bytes: int = FILE_BYTES) -> None:
        """A file is closed once it has at least `file_bytes` bytes."""
        self.schema = schema
        self._folder = folder
        self._file_bytes = file_bytes
        self._options = writer_options(schema)
        self._parts: list[PartFacts] = []
        self._writer: Any = None
        self._sink: Any = None
        self._rows = 0
        self._bounds: dict[str, list[Any]] = {}

    def write(self, table: pa.Table) -> None:
        """Append rows; every table but the last has a whole number of row groups."""
        for start in range(0, table.num_rows, ROW_GROUP):
            self._write_group(table.slice(start, ROW_GROUP))

    def close(self) -> list[PartFacts]:
        """Finish the last file (an empty corpus has one without rows); facts of all files."""
        if self._writer is None and not self._parts:
            self._open()
        self._finish()
        return self._parts

    def abandon(self) -> None:
        """Let go of the open file after an error; what was written stays in the folder."""
        for resource in (self._writer, self._sink):
            if resource is not None:
                with contextlib.suppress(pa.ArrowException, OSError):
                    resource.close()
        self._writer = self._sink = None

    def _write_group(self, group: pa.Table) -> None:
        if self._writer is None:
            self._open()
        self._writer.write_table(group, row_group_size=ROW_GROUP)
        self._rows += group.num_rows
        for name in sort_columns(self.schema):
            low, high = _extremes(group.column(name))
            known = self._bounds.setdefault(name, [low, high])
            known[0] = min((v for v in (known[0], low) if v is not None), default=None)
            known[1] = max((v for v in (known[1], high) if v is not None), default=None)
        if self._sink.tell() >= self._file_bytes:
            self._finish()

    def _open(self) -> None:
        self._sink = pa.OSFile(str(self._path()), "wb")
        self._writer = pq.ParquetWriter(self._sink, self.schema, **self._options)

    def _finish(self) -> None:
        if self._writer is None:
            return
        self._writer.close()
        self._sink.close()
        path = self._path()
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            os.fsync(file.fileno())
        bounds = {name: SortBounds(low, high) for name, (low, high) in self._bounds.items()}
        self._parts.append(PartFacts(path.name, self._rows, path.stat().st_size, sha256, bounds))
        self._writer = self._sink = None
        self._rows, self._bounds = 0, {}

    def _path(self) -> Path:
        return self._folder / f"part-{len(self._parts):05d}.parquet"


def _extremes(values: Any) -> tuple[Any, Any]:
    found = pc.min_max(values).as_py()
    low, high = found["min"], found["max"]
    if isinstance(low, bytes):
        return low.hex(), high.hex()
    return low, high
