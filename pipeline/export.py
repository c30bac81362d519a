"""A corpus, or some of its rows, as files for other programs: whole, or one file a level.

CSV, JSON Lines, SQLite, Parquet, or texts alone; the names of the columns are the same in all.
All files appear together when all are whole; none is replaced unless that is asked for.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute

from pipeline.corpus.identity import TEXT_COLUMN
from pipeline.corpus.reading import Corpus
from pipeline.export_formats import FORMATS, FileWriter
from workers.errors import UsageError

NO_LEVEL = "no-level"
pc: Any = pyarrow.compute  # the stubs refuse plain values


class Exported(NamedTuple):
    """A file that was written."""

    path: Path
    rows: int


def export(
    corpus: Corpus,
    out: Path,
    *,
    where: str | None = None,
    columns: Sequence[str] | None = None,
    by_level: bool = False,
    limit: int | None = None,
    overwrite: bool = False,
) -> list[Exported]:
    """Write rows of a corpus, in its order, to `out`; its suffix says the format.

    `where` is a filter expression, `limit` the most rows in all. With `by_level`, `bank.csv`
    becomes bank-easy.csv, bank-hard.csv ..., bank-no-level.csv for rows without one; levels
    without rows have no file. Raises UsageError when the suffix is unknown or a file exists
    (unless `overwrite`), ParseError when the filter is wrong.
    """
    chosen = _columns(corpus, out, columns)
    if not overwrite:
        _refuse_existing(corpus, out, by_level)
    read = chosen if not by_level or "level" in chosen else [*chosen, "level"]
    exporting = _Exporting(corpus, out, chosen)
    try:
        for table in corpus.batches(read, where, limit):
            for level, part in _by_level(table) if by_level else [(None, table)]:
                exporting.write(level, part.select(chosen))
        if not by_level:
            exporting.writer(None)  # a file without rows is a file
        return exporting.publish()
    finally:
        exporting.clean()


class _Exporting:
    """The files in the making, by level."""

    def __init__(self, corpus: Corpus, out: Path, columns: list[str]) -> None:
        self._corpus, self._out = corpus, out
        self._schema = corpus.select(columns)
        self._writers: dict[str | None, FileWriter] = {}
        self._rows: dict[str | None, int] = {}

    def writer(self, level: str | None) -> FileWriter:
        if level not in self._writers:
            made = FORMATS[self._out.suffix.lower()]
            draft = _draft(_name(self._out, level))
            self._writers[level] = made(draft, self._schema, self._corpus.manifest)
            self._rows[level] = 0
        return self._writers[level]

    def write(self, level: str | None, table: pa.Table) -> None:
        self.writer(level).write(table)
        self._rows[level] += table.num_rows

    def publish(self) -> list[Exported]:
        for writer in self._writers.values():
            writer.close()
        written = []
        for level, writer in self._writers.items():
            path = _name(self._out, level)
            os.replace(writer.path, path)
            written.append(Exported(path, self._rows[level]))
        return written

    def clean(self) -> None:
        """Close and remove what did not get its name."""
        for writer in self._writers.values():
            if writer.path.exists():
                writer.abandon()
                writer.path.unlink(missing_ok=True)


def _columns(corpus: Corpus, out: Path, columns: Sequence[str] | None) -> list[str]:
    suffix = out.suffix.lower()
    if suffix not in FORMATS:
        raise UsageError(out, f"unknown format {suffix!r}; known are {', '.join(FORMATS)}")
    if not out.parent.is_dir():
        raise UsageError(out.parent, "no such folder")
    if suffix == ".txt":
        columns = columns or [TEXT_COLUMN]
        if len(columns) != 1:
            raise UsageError(out, "a text file has one column")
    names: list[str] = corpus.select(columns).names
    return names


def _refuse_existing(corpus: Corpus, out: Path, by_level: bool) -> None:
    levels: list[str | None] = [*corpus.manifest.level_rows, NO_LEVEL] if by_level else [None]
    for level in levels:
        if _name(out, level).exists():
            raise UsageError(_name(out, level), "exists already (--overwrite replaces it)")


def _by_level(table: pa.Table) -> Iterator[tuple[str, pa.Table]]:
    levels = table.column("level")
    for level in pc.unique(levels).to_pylist():
        chosen = pc.is_null(levels) if level is None else pc.equal(levels, level)
        yield level or NO_LEVEL, table.filter(chosen)


def _name(out: Path, level: str | None) -> Path:
    return out if level is None else out.with_name(f"{out.stem}-{level}{out.suffix}")


def _draft(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.part")
