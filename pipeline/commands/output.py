"""Rows on their way out: a table for a person, JSON lines or CSV for a program, or a file.

A file is written beside its place under another name and takes its place when it is whole.
"""

import contextlib
import csv
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeAlias

import click
import msgspec

from workers.errors import UsageError
from workers.kinds.columns import columns_with

Row: TypeAlias = dict[str, Any]
SUFFIXES = (".parquet", ".csv", ".jsonl", ".txt")


class Output(NamedTuple):
    """What the user asked for."""

    json: bool
    csv: bool
    path: Path | None

    @property
    def style(self) -> str:
        """`table`, or one of the suffixes of a file without its dot."""
        if self.path is not None:
            return self.path.suffix[1:].lower()
        return "jsonl" if self.json else "csv" if self.csv else "table"


class View(NamedTuple):
    """What a command shows of its rows where not all of a row is shown."""

    table: tuple[str, ...]  # columns of the table for a person, those that exist
    text: str  # the column that makes a .txt file
    least_width: int = 0  # of a column, where the first batch is no measure of the others

    def of(self, schema: Any) -> "View":
        """The view with the columns too that a schema marks as worth showing."""
        marked = [name for name in columns_with(schema, b"shown", b"yes") if name not in self.table]
        return self._replace(table=(*self.table, *marked))


def output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options --json, --csv and -o; the command gets an Output as `output`."""

    def collect(ctx: click.Context, _: click.Parameter, path: Path | None) -> Output:
        return checked(Output(ctx.params.pop("as_json"), ctx.params.pop("as_csv"), path))

    options = (
        click.option("--json", "as_json", is_flag=True, is_eager=True,
                     help="One JSON object a line."),
        click.option("--csv", "as_csv", is_flag=True, is_eager=True,
                     help="CSV with a header."),
        click.option("-o", "--output", metavar="FILE", callback=collect,
                     type=click.Path(path_type=Path, allow_dash=False),
                     help="Write to FILE (.parquet, .csv, .jsonl or .txt: one puzzle a line); "
                          "an old FILE is replaced when the new one is whole."),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def checked(output: Output) -> Output:
    """The output asked for, or a UsageError where it cannot be."""
    if output.json and output.csv:
        raise click.UsageError("--json and --csv exclude each other")
    path = output.path
    if path is None:
        return output
    checked_place(path, SUFFIXES)
    if (output.json and output.style != "jsonl") or (output.csv and output.style != "csv"):
        raise UsageError("-o", f"{path}: is neither JSON lines nor CSV as asked for")
    return output


def checked_place(path: Path, suffixes: Sequence[str]) -> Path:
    """A place where a file of one of these formats can be written; UsageError says why not."""
    if path.suffix.lower() not in suffixes:
        raise UsageError("-o", f"{path}: the name must end in {', '.join(suffixes)}")
    if path.is_dir():
        raise UsageError("-o", f"{path} is a folder")
    if not path.parent.is_dir():
        raise UsageError("-o", f"{path.parent}: no such folder")
    return path


def write(batches: Iterable[Any], output: Output, view: View) -> None:
    """Write batches (Arrow tables of one schema, or lists of rows) as they come.

    Without a batch there are not even columns: then no file is written, and UsageError says so.
    """
    if output.path is None:
        _STREAMS[output.style](batches, sys.stdout, view)
        return
    rows = iter(batches)
    first = next(rows, None)
    if first is None:
        raise UsageError(output.path, "not written, for there is no row")
    batches = chain([first], rows)
    with whole_file(output.path) as path:
        if output.style == "parquet":
            _write_parquet(batches, path)
        else:
            with path.open("w", encoding="utf-8", newline="") as stream:
                _STREAMS[output.style](batches, stream, view)


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A name to write to; the file takes the place of `path` when the block ends well."""
    path = path.resolve()
    if path.exists() and not path.is_file():  # a device or a pipe is written as it is
        yield path
        return
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield aside
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def rows_of(batch: Any) -> list[Row]:
    """A batch as rows of plain values; bytes become hex digits."""
    rows: list[Row] = batch if isinstance(batch, list) else batch.to_pylist()
    return [{name: _plain(value) for name, value in row.items()} for row in rows]


def _plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value


def _write_json(batches: Iterable[Any], stream: IO[str], _: View) -> None:
    for batch in batches:
        for row in rows_of(batch):
            stream.write(msgspec.json.encode(row).decode() + "\n")


def _write_csv(batches: Iterable[Any], stream: IO[str], _: View) -> None:
    writer: Any = None
    for batch in batches:
        if writer is None:
            writer = csv.DictWriter(stream, _names(batch), lineterminator="\n")
            writer.writeheader()
        for row in rows_of(batch):
            writer.writerow({name: _field(value) for name, value in row.items()})


def _names(batch: Any) -> list[str]:
    names: list[str] = list(batch[0]) if isinstance(batch, list) else batch.column_names
    return names


def _field(value: Any) -> Any:
    """A CSV field: as JSON writes it, without quotes; nothing for null."""
    if isinstance(value, bool | list | dict):
        return msgspec.json.encode(value).decode()
    return value


def _write_text(batches: Iterable[Any], stream: IO[str], view: View) -> None:
    for batch in batches:
        for row in rows_of(batch):
            text = row.get(view.text, row.get("solution")) or ""
            lines = text if isinstance(text, list) else [text]
            stream.writelines(f"{line}\n" for line in lines)


def _write_table(batches: Iterable[Any], stream: IO[str], view: View) -> None:
    """Aligned columns; the first batch sets their widths, so that a list shows as it is made."""
    widths: list[int] = []
    names: list[str] = []
    for batch in batches:
        head = not names
        if head:
            names = [name for name in view.table if name in _names(batch)]
        shown = [[_shown(row[name]) for name in names] for row in rows_of(batch)]
        if head:
            columns = zip(names, *shown, strict=True)
            widths = [max(view.least_width, *map(len, column)) for column in columns]
            _print_row(names, widths, stream)
        for line in shown:
            _print_row(line, widths, stream)


def _print_row(cells: Sequence[str], widths: Sequence[int], stream: IO[str]) -> None:
    line = "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    stream.write(line.rstrip() + "\n")


def _shown(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def write_facts(row: Row, stream: IO[str]) -> None:
    """One row as `name  value` lines, without what is null, empty or a technique not used."""
    facts = {name: value for name, value in rows_of([row])[0].items() if _tells(name, value)}
    width = max(map(len, facts), default=0)
    for name, value in facts.items():
        stream.write(f"{name.ljust(width)}  {_shown(value)}\n")


def _tells(name: str, value: Any) -> bool:
    unused = "_t_" in name and value == 0
    return not (value is None or unused or isinstance(value, list | dict))


def _write_parquet(batches: Iterable[Any], path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    writer: Any = None
    try:
        for batch in batches:
            table = pa.Table.from_pylist(batch) if isinstance(batch, list) else batch
            if writer is None:
                writer = pq.ParquetWriter(path, table.schema, compression="zstd")
            writer.write_table(table)
    finally:
        if writer is not None:
            writer.close()


_STREAMS: dict[str, Callable[[Iterable[Any], IO[str], View], None]] = {
    "table": _write_table,
    "jsonl": _write_json,
    "csv": _write_csv,
    "txt": _write_text,
}
