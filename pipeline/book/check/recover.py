"""Puzzles and solutions of a PDF with their numbers, levels and references, and its record.

A grid full of digits is a solution, one with some is a puzzle, one without is for the reader. Its
number is the text nearest to it that reads as one; a grid without a number is an example.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from pipeline.book.check.grids import Grid, PageGrids, page_grids
from pipeline.book.check.reading import PageRead, Reader, TextLine, read_file, text_lines
from pipeline.book.strings import LANGUAGES, Strings, load_strings, pattern
from workers.errors import UsageError

TOKEN: Final = re.compile(r"([a-z][a-z0-9-]*)=(\S+)")
RECORD_PAGES: Final = 8
NEAR: Final = 60.0
"""Points between a grid and its number at most."""


class BookPage(NamedTuple):
    """A page with its grids, and its texts outside of them."""

    read: PageRead
    grids: list[Grid]
    lines: list[TextLine]
    faults: list[str]

    @property
    def text(self) -> str:
        """All texts of the page."""
        return "\n".join(line.text for line in self.lines)


class Puzzle(NamedTuple):
    """A puzzle as printed; references are pages as printed, None where there is none."""

    number: int
    page: int
    clues: str
    grid: Grid
    word: str
    solution_page: int | None
    hint_page: int | None
    walkthrough_page: int | None


class Solution(NamedTuple):
    """A solution as printed; `bold` are the digits that are set as clues."""

    number: int
    page: int
    digits: str
    bold: str
    grid: Grid


class Recovered(NamedTuple):
    """All that was found in a PDF."""

    pages: list[BookPage]
    record: dict[str, str]
    strings: Strings
    puzzles: list[Puzzle]
    solutions: list[Solution]
    examples: list[Grid]


def read_puzzles(path: Path) -> list[Puzzle]:
    """The puzzles of a printed book; UsageError when the file has none."""
    found = recover(read_file(path), str(path)).puzzles
    if not found:
        raise UsageError(path, "no puzzle was found in it")
    return found


def recover(pdf: bytes, name: str) -> Recovered:
    """Read a PDF; UsageError when it is none."""
    pages = [_book_page(page) for page in Reader(pdf, name).pages()]
    record = _record(pages)
    strings = _language(pages, record)
    puzzles: list[Puzzle] = []
    solutions: list[Solution] = []
    examples: list[Grid] = []
    for page in pages:
        for grid in page.grids:
            _sort(page, grid, strings, (puzzles, solutions, examples))
    return Recovered(pages, record, strings, puzzles, solutions, examples)


def _book_page(read: PageRead) -> BookPage:
    found: PageGrids = page_grids(read)
    faults = [*found.faults, *(fault for grid in found.grids for fault in grid.faults)]
    return BookPage(read, found.grids, text_lines(found.outside), faults)


def _record(pages: Sequence[BookPage]) -> dict[str, str]:
    """The `name=value` pairs of the imprint."""
    for page in pages[:RECORD_PAGES]:
        found = dict(TOKEN.findall(page.text))
        if "puzzlemill" in found:
            return found
    return {}


def _language(pages: Sequence[BookPage], record: dict[str, str]) -> Strings:
    """The language named in the record, or the one most of whose puzzle numbers are found."""
    if record.get("language") in LANGUAGES:
        return load_strings(record["language"])
    texts = "\n".join(page.text for page in pages)
    known = [load_strings(language) for language in LANGUAGES]
    return max(known, key=lambda one: len(pattern(one.puzzle).findall(texts)))


def _sort(page: BookPage, grid: Grid, strings: Strings,
          into: tuple[list[Puzzle], list[Solution], list[Grid]]) -> None:  # fmt: skip
    puzzles, solutions, examples = into
    filled = sum(sign != "." for sign in grid.digits)
    if filled == 0:
        return
    label = _puzzle_label(page, grid, strings)
    plain = None if label is not None else _plain_label(page, grid)
    if label is not None:
        refs = [_reference(page, grid, text) for text in
                (strings.solution_at, strings.hint_at, strings.walkthrough_at)]  # fmt: skip
        word = _level_word(page, grid, strings)
        puzzles.append(Puzzle(label, page.read.number, grid.digits, grid, word, *refs))
    elif plain is not None:
        number, here = plain, page.read.number
        solutions.append(Solution(number, here, grid.digits, grid.bold, grid))
    else:
        examples.append(grid)


def _puzzle_label(page: BookPage, grid: Grid, strings: Strings) -> int | None:
    """The number in the text `Puzzle 12` that is nearest to the grid, and to no other grid."""
    wanted = pattern(strings.puzzle)
    labels = [
        (_distance(grid, line), int(found["n"]), line)
        for line in page.lines
        if (found := wanted.fullmatch(line.text))
    ]
    if not labels:
        return None
    distance, number, line = min(labels, key=lambda one: one[0])
    nearest = min(_distance(other, line) for other in page.grids)
    return number if distance <= nearest + 0.01 and distance < 2 * NEAR else None


def _plain_label(page: BookPage, grid: Grid) -> int | None:
    """A bare number right above the left corner of the grid."""
    for line in page.lines:
        over = 0 <= grid.top - line.y < NEAR / 2 and abs(line.x - grid.left) < 6
        if over and line.text.isdigit():
            return int(line.text)
    return None


def _reference(page: BookPage, grid: Grid, template: str) -> int | None:
    """The page in a text such as `Solution: page 12` nearest to the grid."""
    wanted = pattern(template)
    near = sorted(((_distance(grid, line), line) for line in page.lines), key=lambda one: one[0])
    beside = " ".join(
        line.text for _, line in sorted(near, key=lambda one: (one[1].y, one[1].x))
        if _belongs(page, grid, line)
    )  # fmt: skip
    found = wanted.search(beside)
    return int(found["page"]) if found else None


def _belongs(page: BookPage, grid: Grid, line: TextLine) -> bool:
    own = _distance(grid, line)
    return own < 2 * NEAR and all(own <= _distance(other, line) + 0.01 for other in page.grids)


def _level_word(page: BookPage, grid: Grid, strings: Strings) -> str:
    """The name of a level nearest to the grid, or the bold text that may be one."""
    label, known = pattern(strings.puzzle), set(strings.level.values())
    words = [line for line in page.lines if line.text in known] or [
        line
        for line in page.lines
        if line.bold and not label.fullmatch(line.text) and not line.text.isdigit()
    ]
    return min(words, key=lambda line: _distance(grid, line)).text if words else ""


def _distance(grid: Grid, line: TextLine) -> float:
    """Between the box of a grid and a text."""
    left, top, right, bottom = grid.box
    across = max(left - line.right, line.x - right, 0.0)
    down = max(top - line.y, line.y - line.size * 0.7 - bottom, 0.0)
    return float((across**2 + down**2) ** 0.5)
