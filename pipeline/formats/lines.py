"""Puzzle lists as people keep them: one puzzle a line, with whatever else stands there.

Read are UTF-8 texts (with or without a byte order mark) with any line end. Blank lines and `#`
comments do not count. The puzzle of a line is its first word of 81 grid characters, wherever it
stands (an id before it, a rating or a solution behind it); a line without one gives the column
that the CSV header names, or else its first column. A file that is nothing but nine rows of
nine cells, framed or not, is one puzzle. Which texts are puzzles is for a kind to say.
"""

import io
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from workers.errors import ParseError, UsageError

Parse = Callable[[str], str]
"""Normalises one text or raises ParseError: the `parse` of a kind."""

LONGEST_LINE = 100_000
PUZZLE_COLUMNS = ("puzzle", "puzzles", "quiz", "quizzes", "question", "equation", "board", "grid")
"""Names a CSV header gives to the column of the puzzle, the surest first."""

_GRID = re.compile(r"(?<![^\s,;|\"'])[0-9.\-_*xX]{81}(?![^\s,;|\"'])")
_GRID_LIKE = re.compile(r"[^\s=+]{40,}(?=\s)")
_QUOTES = " \"'"
_ROW = re.compile(r"[0-9.\-_*xX]{9}")
_FRAME = re.compile(r"[-+*=.:'|\s]+")
_MARKS = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"), (b"PAR1", "Parquet"),
          (b"\x1f\x8b", "gzip"), (b"PK\x03\x04", "zip"), (b"%PDF", "PDF"))  # fmt: skip


class Entry(NamedTuple):
    """One puzzle text in a list; line and column count from 1."""

    line: int
    column: int
    text: str


class Reject(NamedTuple):
    """A text that is no puzzle, and why; column is None when the whole text is meant."""

    line: int
    column: int | None
    text: str
    reason: str

    def at(self, name: str) -> str:
        """One line for a person: `name:line:column: reason`."""
        place = (
            f"{name}:{self.line}" if self.column is None else f"{name}:{self.line}:{self.column}"
        )
        return f"{place}: {self.reason}"


def source_name(source: str | Path) -> str:
    """What messages call a source."""
    return "<stdin>" if str(source) == "-" else str(source)


def read_lines(source: str | Path) -> Iterator[tuple[int, str]]:
    """(line number, puzzle text) for every puzzle of a file, or of stdin when source is `-`."""
    for entry in read_entries(source):
        yield entry.line, entry.text


def parse_lines(source: str | Path, parse: Parse) -> Iterator[tuple[Entry, str] | Reject]:
    """(entry, normalised text) for every puzzle that `parse` accepts, a Reject for the others."""
    return parse_entries(read_entries(source), parse)


def parse_entries(entries: Iterable[Entry], parse: Parse) -> Iterator[tuple[Entry, str] | Reject]:
    """The same for entries already read."""
    for entry in entries:
        try:
            yield entry, parse(entry.text)
        except ParseError as error:
            column = None if error.position is None else entry.column + error.position
            yield Reject(entry.line, column, entry.text, error.what)


def text_entries(text: str) -> Iterator[Entry]:
    """Every puzzle text in a text that is no file: a line, or a block of nine."""
    lines = enumerate(text.splitlines(), start=1)
    return _entries((number, line) for number, line in lines if _counts(line))


def read_entries(source: str | Path) -> Iterator[Entry]:
    """Every puzzle text of a file (`-`: stdin), in order, unparsed.

    Raises UsageError, in one line, for a file that is missing, a folder, unreadable, empty, not
    text, or has a line of more than 100,000 characters.
    """
    found = False
    with _opened(source) as stream:
        for entry in _entries(_content(source, stream)):
            found = True
            yield entry
    if not found:
        raise UsageError(source_name(source), "holds no puzzle")


def read_text(source: str | Path) -> str:
    """The whole text of a file (`-`: stdin); UsageError as of `read_entries`, but may be empty."""
    with _opened(source) as stream:
        content = stream.read()
    _refuse_binary(source, content[:4096])
    return content.decode("utf-8-sig", errors="replace")


@contextmanager
def _opened(source: str | Path) -> Iterator[BinaryIO]:
    if str(source) == "-":
        if sys.stdin is None:
            raise UsageError("<stdin>", "is closed")
        try:
            yield sys.stdin.buffer
        except OSError as error:  # a folder, or a file open for writing only
            raise UsageError("<stdin>", f"cannot be read ({error.strerror})") from None
        return
    with _readable(Path(source)) as stream:
        yield stream


def _readable(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise UsageError(path, "no such file") from None
    except IsADirectoryError:
        raise UsageError(path, "is a folder, not a file") from None
    except OSError as error:
        raise UsageError(str(path)[:200], f"cannot be read ({error.strerror})") from None
    except ValueError:
        raise UsageError(repr(path)[:200], "is no file name") from None


def _content(source: str | Path, stream: BinaryIO) -> Iterator[tuple[int, str]]:
    """Number and text of every line that is neither blank nor a comment."""
    buffered = (
        stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(stream)  # type: ignore[type-var]
    )
    _refuse_binary(source, buffered.peek(4096))
    # A foreign byte may stand in a comment or a name: only one inside a puzzle is an error.
    text = io.TextIOWrapper(buffered, encoding="utf-8-sig", errors="replace", newline=None)
    try:
        number = 0
        while line := text.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise UsageError(f"{source_name(source)}:{number}", "line of over 100,000 "
                                 "characters: this is not a list of puzzles")  # fmt: skip
            if "\0" in line:
                raise UsageError(f"{source_name(source)}:{number}", "binary content, not text")
            if _counts(line):
                yield number, line.rstrip("\n")
    finally:
        text.detach()


def _counts(line: str) -> bool:
    """Neither blank nor a comment."""
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _refuse_binary(source: str | Path, head: bytes) -> None:
    for mark, name in _MARKS:
        if head.startswith(mark):
            advice = "save it as UTF-8" if name == "UTF-16" else "a text file is wanted"
            raise UsageError(source_name(source), f"is a {name} file: {advice}")
    if b"\0" in head:
        raise UsageError(source_name(source), "is a binary file: a text file is wanted")


def _entries(lines: Iterator[tuple[int, str]]) -> Iterator[Entry]:
    waiting: list[tuple[int, str]] = []  # a block, as long as all lines belong to one
    for number, line in lines:
        waiting.append((number, line))
        if not (_row(line) or _FRAME.fullmatch(line)) or len(waiting) > 24:
            break
    else:
        rows = [(number, _row(line)) for number, line in waiting if _row(line)]
        if len(rows) == 9:
            yield Entry(rows[0][0], 1, "".join(row for _, row in rows))
            return
    column = _header_column(waiting[0][1]) if waiting else None
    for number, line in waiting if column is None else waiting[1:]:
        yield _entry(number, line, column or 0)
    for number, line in lines:
        yield _entry(number, line, column or 0)


def _row(line: str) -> str:
    """The nine cells of a row of a block, or an empty text; `+` never stands in a row."""
    cells = re.sub(r"[\s,;|]", "", line)
    return cells if _ROW.fullmatch(cells) else ""


def _header_column(line: str) -> int | None:
    """Index of the puzzle's column when the line is a header."""
    names = [field.strip(_QUOTES).lower() for field in re.split(r"[,;\t]", line)]
    return next((names.index(name) for name in PUZZLE_COLUMNS if name in names), None)


def _entry(number: int, line: str, column: int) -> Entry:
    start, end = _span(line, column)
    return Entry(number, start + 1, line[start:end])


def _span(line: str, column: int) -> tuple[int, int]:
    """Where the puzzle text of a line starts and ends."""
    start = _field_start(line, column)
    grid = _GRID.search(line, start)
    if grid:
        return grid.span()
    field = re.split(r"[,;\t]|\s#", line[start:], maxsplit=1)[0]
    start += len(field) - len(field.lstrip(_QUOTES))
    field = field.strip(_QUOTES)
    word = _GRID_LIKE.match(field)  # a grid of wrong length, with a rating behind it
    return start, start + len(word.group() if word else field)


def _field_start(line: str, column: int) -> int:
    """Where field `column` starts, or the last field when there are fewer."""
    start = 0
    for mark in islice(re.finditer(r"[,;\t]", line), column):
        start = mark.end()
    return start
