"""convert: puzzles from a file of one format into a file of another."""

import sys
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

import click

from pipeline.commands.output import whole_file
from pipeline.commands.source import Source, open_file
from pipeline.formats.catalogue import FORMATS, find_format
from pipeline.formats.entry import Entry, Reject
from pipeline.formats.writing import target_format, write_parquet, write_text
from workers.errors import UsageError

LIST_HELP = "\n".join(
    f"  {name:<12} {one.title}" + (f" ({', '.join(one.suffixes)})" if one.suffixes else "")
    for name, one in FORMATS.items()
)
EPILOG = f"\b\nFormats:\n{LIST_HELP}"


@click.command(epilog=EPILOG)
@click.argument("source", metavar="IN")
@click.argument("out", metavar="OUT")
@click.option("--from", "read_as", metavar="F", help="Format of IN; told from its content where "
              "this is not given.")  # fmt: skip
@click.option("--to", "write_as", metavar="F", help="Format of OUT; by default that of its suffix.")
@click.option("--kind", metavar="KIND", help="Kind of the puzzles; told from the texts.")
def convert(
    source: str, out: str, read_as: str | None, write_as: str | None, kind: str | None
) -> int:
    """Convert puzzles from one format to another; `-` is stdin or stdout.

    What else a file says of a puzzle (solution, rating, level, title, candidates) goes along where
    the new format has a place for it. A malformed line is reported with its number and reason, the
    rest is converted, and the exit code is 2. Of formats with one puzzle a file several become
    OUT-0001, OUT-0002 and so on.
    """
    if read_as is not None:
        find_format(read_as)
    if write_as is not None:
        find_format(write_as)
    form = target_format(out, write_as)
    if source != "-" and not Path(source).exists():
        raise UsageError(source, "no such file")
    opened = open_file(source, kind, read_as)
    _write(opened, out, form)
    click.echo(f"{opened.accepted} puzzles", err=True)
    return opened.exit_code()


def _write(source: Source, out: str, form: str) -> None:
    entries = iter(source.entries())
    if out == "-":
        if form == "parquet":
            raise UsageError("-", "a Parquet file goes to a file, not to a terminal or a pipe")
        _report(source, write_text(entries, form, sys.stdout))
        return
    path = Path(out)
    if not path.parent.is_dir():
        raise UsageError(path.parent, "no such folder")
    if FORMATS[form].single:
        _write_each(source, entries, path, form)
        return
    first = next(entries, None)
    if first is None:
        raise UsageError(source.name, "no puzzle in it can be converted")
    _write_one(source, chain([first], entries), path, form)


def _write_one(source: Source, entries: Iterable[Entry], path: Path, form: str) -> None:
    with whole_file(path) as aside:
        if form == "parquet":
            _report(source, write_parquet(entries, aside))
            return
        with aside.open("w", encoding="utf-8", newline="") as stream:
            _report(source, write_text(entries, form, stream))


def _write_each(source: Source, entries: Iterator[Entry], path: Path, form: str) -> None:
    """One file, or a file for each of several puzzles."""
    first = list(islice(entries, 2))
    if len(first) < 2:
        _write_one(source, first, path, form)
        return
    for number, entry in enumerate(chain(first, entries), start=1):
        own = path.with_name(f"{path.stem}-{number:04}{path.suffix}")
        _write_one(source, [entry], own, form)


def _report(source: Source, rejects: Iterable[Reject]) -> None:
    for reject in rejects:
        source.refuse(reject)
