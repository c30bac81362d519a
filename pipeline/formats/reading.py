"""Puzzles from any file: told by its content, read in its format, checked by a kind's parser.

What is wrong with one puzzle is a Reject with its line, and reading goes on; what is wrong with
the file itself (missing, binary, no XML) raises UsageError in one line.
"""

import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

from pipeline.formats import parquet
from pipeline.formats.catalogue import FORMATS, find_format, sniffed
from pipeline.formats.entry import Entry, Found, Reject
from pipeline.formats.files import PARQUET, TextSource, opened, opened_text, source_name
from workers.errors import ParseError, UsageError

Parse: TypeAlias = Callable[[str], str]
"""Normalises one text or raises ParseError: the `parse` of a kind."""


def read_found(source: str | Path, form: str | None = None) -> Iterator[Found]:
    """Every puzzle text of a file (`-`: stdin), in order, unparsed; what is none as a Reject.

    `form` names the format where the content is not to tell it. Raises UsageError for a file that
    is missing, a folder, unreadable, empty, binary, or not in its format.
    """
    if form is not None:
        find_format(form)
    name = source_name(source)
    with opened(source) as (head, stream):
        if form == "parquet" or (form is None and head.startswith(PARQUET)):
            yield from _some(parquet.read(stream, name), name)
            return
        with opened_text(name, head, stream) as text:
            yield from _some(_text_found(text, form), name)


def read_entries(source: str | Path, form: str | None = None) -> Iterator[Entry]:
    """The same; UsageError at the first text that its format refuses."""
    for found in read_found(source, form):
        if isinstance(found, Reject):
            raise UsageError(*found.at(source_name(source)).split(": ", 1))
        yield found


def read_lines(source: str | Path) -> Iterator[tuple[int, str]]:
    """(line number, puzzle text) for every puzzle of a file, or of stdin when source is `-`."""
    for entry in read_entries(source):
        yield entry.line, entry.text


def text_found(text: str, name: str = "TEXT") -> Iterator[Found]:
    """Every puzzle of a text that is no file."""
    return _text_found(TextSource(name, io.StringIO(text)), None)


def parse_lines(source: str | Path, parse: Parse) -> Iterator[tuple[Entry, str] | Reject]:
    """(entry, normalised text) for every puzzle that `parse` accepts, a Reject for the others."""
    return parse_entries(read_found(source), parse)


def parse_entries(found: Iterable[Found], parse: Parse) -> Iterator[tuple[Entry, str] | Reject]:
    """The same for entries already read."""
    for entry in found:
        if isinstance(entry, Reject):
            yield entry
            continue
        try:
            yield entry, parse(entry.text)
        except ParseError as error:
            column = None if error.position is None else entry.column + error.position
            yield Reject(entry.line, column, entry.text, error.what)


def _text_found(text: TextSource, form: str | None) -> Iterator[Found]:
    chosen = FORMATS[form or sniffed(text.ahead())]
    if chosen.lines is not None:
        return chosen.lines(text.lines(), text.name)
    if chosen.document is not None:
        return chosen.document(text.document(), text.name)
    raise UsageError(text.name, f"is a text, not {form}")


def _some(found: Iterator[Found], name: str) -> Iterator[Found]:
    """The same; UsageError when there is nothing."""
    empty = True
    for one in found:
        empty = False
        yield one
    if empty:
        raise UsageError(name, "holds no puzzle")
