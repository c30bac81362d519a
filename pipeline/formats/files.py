"""Files and stdin as text: opened, told from what is no text, read by line or as a whole."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

from workers.errors import UsageError

LONGEST_LINE: Final = 100_000
LONGEST_DOCUMENT: Final = 256 << 20
"""Characters; what is read by line may be of any length."""
PARQUET: Final = b"PAR1"
_MARKS: Final = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"), (b"\x1f\x8b", "gzip"),
          (b"PK\x03\x04", "zip"), (b"%PDF", "PDF"))  # fmt: skip
_ADVICE: Final = {
    "UTF-16": "save it as UTF-8",
    "PDF": "`puzzlemill book check` reads books",
}
_HEAD: Final = 4096


class TextSource:
    """An opened text: its first lines can be looked at before all are read."""

    def __init__(self, name: str, stream: io.TextIOBase) -> None:
        self.name = name
        self._stream = stream
        self._ahead: list[str] = []

    def ahead(self) -> Iterator[str]:
        """Lines from the start, without their ends; reading goes on from the start all the same."""
        yield from self._ahead
        while line := self._stream.readline(LONGEST_LINE + 1):
            self._ahead.append(line)
            yield line.rstrip("\n")

    def lines(self) -> Iterator[tuple[int, str]]:
        """Number and text of every line; UsageError for one of more than 100,000 characters."""
        number = 0
        while line := self._next():
            number += 1
            if len(line) > LONGEST_LINE:
                raise UsageError(f"{self.name}:{number}", "line of over 100,000 characters: "
                                 "this is not a list of puzzles")  # fmt: skip
            if "\0" in line:
                raise UsageError(f"{self.name}:{number}", "binary content, not text")
            yield number, line.rstrip("\n")

    def document(self) -> str:
        """The whole text; UsageError when it is too long to be one document."""
        text = "".join(self._ahead) + self._stream.read(LONGEST_DOCUMENT)
        self._ahead.clear()
        if len(text) >= LONGEST_DOCUMENT:
            raise UsageError(self.name, "is too long for one document: use one puzzle a line")
        return text

    def _next(self) -> str:
        return self._ahead.pop(0) if self._ahead else self._stream.readline(LONGEST_LINE + 1)


def source_name(source: str | Path) -> str:
    """What messages call a source."""
    return "<stdin>" if str(source) == "-" else str(source)


@contextmanager
def opened(source: str | Path) -> Iterator[tuple[bytes, io.BufferedReader]]:
    """The first bytes of a file (`-`: stdin) and the stream, still at its start.

    Raises UsageError for a file that is missing, a folder or unreadable.
    """
    if str(source) == "-":
        if sys.stdin is None:
            raise UsageError("<stdin>", "is closed")
        buffered = _buffered(sys.stdin.buffer)
        try:
            yield buffered.peek(_HEAD), buffered
        except OSError as error:  # a folder, or a file open for writing only
            raise UsageError("<stdin>", f"cannot be read ({error.strerror})") from None
        return
    with _buffered(_readable(Path(source))) as buffered:
        try:
            head = buffered.peek(_HEAD)
        except OSError as error:
            raise UsageError(source, f"cannot be read ({error.strerror})") from None
        yield head, buffered


@contextmanager
def opened_text(name: str, head: bytes, stream: io.BufferedReader) -> Iterator[TextSource]:
    """The stream as UTF-8 text with any line ends; UsageError when it is no text.

    A foreign byte may stand in a comment or a name: only one inside a puzzle is an error.
    """
    refuse_binary(name, head)
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline=None)
    try:
        yield TextSource(name, text)
    finally:
        text.detach()


def read_text(source: str | Path) -> str:
    """The whole text of a file (`-`: stdin), maybe empty; UsageError when it is none."""
    with opened(source) as (head, stream), opened_text(source_name(source), head, stream) as text:
        return text.document()


def refuse_binary(name: str, head: bytes) -> None:
    """Raise UsageError when these first bytes are not those of a text."""
    if head.startswith(PARQUET):
        raise UsageError(name, "is a Parquet file: a text file is wanted")
    for mark, what in _MARKS:
        if head.startswith(mark):
            raise UsageError(name, f"is a {what} file: {_ADVICE.get(what, 'unpack it first')}")
    if b"\0" in head:
        raise UsageError(name, "is a binary file: a text file is wanted")


def _buffered(stream: BinaryIO) -> io.BufferedReader:
    if isinstance(stream, io.BufferedReader):
        return stream
    raw: Any = stream  # of a test or a notebook, or a file without a buffer of its own
    return io.BufferedReader(raw)


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
