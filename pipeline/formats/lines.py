"""Puzzle lists as people keep them: one puzzle a line, with whatever else stands there.

Blank lines and `#` comments do not count. The puzzle of a line is its first word of 81 grid
characters, wherever it stands (an id before it, a rating or a solution behind it); a line without
one gives its first column. Which texts are puzzles is for a kind to say. An .sdm file is such a
list with `0` for an empty cell.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from pipeline.formats.entry import Entry, grid

QUOTES = " \"'"
_GRID = re.compile(r"(?<![^\s,;|\"'])[0-9.\-_*xX]{81}(?![^\s,;|\"'])")
_GRID_LIKE = re.compile(r"[^\s=+]{40,}(?=\s)")


def read(lines: Iterable[tuple[int, str]], name: str) -> Iterator[Entry]:
    """An entry for every line that is neither blank nor a comment."""
    for number, line in lines:
        if counts(line):
            yield line_entry(number, line)


def write(entry: Entry) -> str:
    """The text of the puzzle alone."""
    return f"{entry.text}\n"


def write_sdm(entry: Entry) -> str:
    """The clues with `0` for an empty cell."""
    return grid(entry).replace(".", "0") + "\n"


def counts(line: str) -> bool:
    """Neither blank nor a comment."""
    return bool(line.strip()) and not line.lstrip().startswith("#")


def line_entry(number: int, line: str, column: int = 0) -> Entry:
    """The puzzle text of a line, looked for from field `column` on."""
    start, end = _span(line, column)
    return Entry(number, start + 1, line[start:end])


def _span(line: str, column: int) -> tuple[int, int]:
    """Where the puzzle text of a line starts and ends."""
    start = _field_start(line, column)
    found = _GRID.search(line, start)
    if found:
        return found.span()
    field = re.split(r"[,;\t]|\s#", line[start:], maxsplit=1)[0]
    start += len(field) - len(field.lstrip(QUOTES))
    field = field.strip(QUOTES)
    word = _GRID_LIKE.match(field)  # a grid of wrong length, with a rating behind it
    return start, start + len(word.group() if word else field)


def _field_start(line: str, column: int) -> int:
    """Where field `column` starts, or the last field when there are fewer."""
    start = 0
    for mark in islice(re.finditer(r"[,;\t]", line), column):
        start = mark.end()
    return start
