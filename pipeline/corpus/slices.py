"""Rows on their way from reading order to their places, in bounded memory.

The places of a corpus are cut into slices. Rows are put into the slice of their place; when more
than a given amount has gathered, all slices are written to disk and go on there. At the end each
slice is read back whole, put in order and given out. A small corpus never touches the disk.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.ipc as ipc
from numpy.typing import NDArray

PLACE = "place in the corpus"
GATHER_ROWS = 65_536
MOST_SLICES = 500


class Slices:
    """Gives rows back in the order of their places; `close` (or the `with` block) cleans up."""

    def __init__(self, folder: Path, schema: pa.Schema, rows: int, slice_rows: int, memory: int):
        """`rows` places in all, `slice_rows` of them in a slice, `memory` bytes held at most.

        More than MOST_SLICES slices make each larger, in whole multiples of `slice_rows`.
        """
        self.schema = schema.append(pa.field(PLACE, pa.int64()))
        self.slice_rows = slice_rows * max(1, -(-rows // (slice_rows * MOST_SLICES)))
        self.count = -(-rows // self.slice_rows)
        self.memory = memory
        self._folder = folder
        self._waiting: list[pa.Table] = []
        self._waiting_rows = 0
        self._held: list[list[pa.Table]] = [[] for _ in range(self.count)]
        self._held_bytes = 0
        self._files: dict[int, tuple[Any, Any]] = {}

    def __enter__(self) -> "Slices":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, table: pa.Table, places: NDArray[np.int64]) -> None:
        """Take rows with their places, each in [0, rows)."""
        self._waiting.append(table.append_column(self.schema.field(PLACE), pa.array(places)))
        self._waiting_rows += table.num_rows
        if self._waiting_rows >= GATHER_ROWS:
            self._distribute()

    def in_order(self) -> Iterator[pa.Table]:
        """The rows of slice after slice, each a table sorted by place, without the place."""
        self._distribute()
        for number in range(self.count):
            parts = self._held[number]
            if number in self._files:
                self._spill()
                parts = self._read_back(number)
            table = pa.concat_tables(parts)
            self._held[number] = []
            yield table.take(_order(table)).drop_columns([PLACE])

    def close(self) -> None:
        """Remove the files."""
        for number, (writer, sink) in self._files.items():
            writer.close()
            sink.close()
            self._path(number).unlink(missing_ok=True)
        self._files = {}

    def _distribute(self) -> None:
        if not self._waiting:
            return
        table = pa.concat_tables(self._waiting)
        self._waiting, self._waiting_rows = [], 0
        numbers = table.column(PLACE).to_numpy() // self.slice_rows
        if self.count > 1:
            gathered: Any = pa.array(np.argsort(numbers, kind="stable"))
            table = table.take(gathered)
        stops = np.cumsum(np.bincount(numbers, minlength=self.count))
        start = 0
        for number, stop in enumerate(stops.tolist()):
            if stop > start:
                self._held[number].append(table.slice(start, stop - start))
            start = stop
        self._held_bytes += table.nbytes
        if self._held_bytes > self.memory:
            self._spill()

    def _spill(self) -> None:
        for number, parts in enumerate(self._held):
            if parts:
                if number not in self._files:
                    self._files[number] = self._create(number)
                self._files[number][0].write_table(pa.concat_tables(parts).combine_chunks())
            self._held[number] = []
        self._held_bytes = 0

    def _create(self, number: int) -> tuple[Any, Any]:
        sink = pa.OSFile(str(self._path(number)), "wb")
        return ipc.new_stream(
            sink, self.schema, options=ipc.IpcWriteOptions(compression="lz4")
        ), sink

    def _read_back(self, number: int) -> list[pa.Table]:
        writer, sink = self._files.pop(number)
        writer.close()
        sink.close()
        with pa.OSFile(str(self._path(number)), "rb") as file:
            table = ipc.open_stream(file).read_all()
        self._path(number).unlink()
        return [table]

    def _path(self, number: int) -> Path:
        return self._folder / f"slice-{number:05d}.arrows"


def _order(table: pa.Table) -> Any:
    return pa.array(np.argsort(table.column(PLACE).to_numpy()))
