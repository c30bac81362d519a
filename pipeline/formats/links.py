"""Links that hold a whole puzzle: f-puzzles, SudokuPad and sudokuwiki, one a line.

    https://f-puzzles.com/?load=N4Ig...          f-puzzles, also as `fpuzzlesN4Ig...`
    https://sudokupad.app/sclN4Ig...             SudokuPad, also as `sclN4Ig...` or `ctcN4Ig...`
    https://www.sudokuwiki.org/sudoku.htm?bd=... 81 characters, or packed as in `sudokuwiki`

Links are only taken apart, never followed: a short link is refused, as only its site knows more.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final
from urllib.parse import unquote

from pipeline.formats import board_json, lz, sudokuwiki
from pipeline.formats.entry import Entry, Found, Reject, dotted
from pipeline.formats.lines import counts
from workers.errors import ParseError

LINK: Final = re.compile(r"\"?(https?://|www\.)?\S*"
                         r"(f-puzzles\.com/|sudokupad\.app/|sudokuwiki\.org/|app\.crackingthecryptic"
                         r"|tinyurl\.com/)|(fpuzzles|fpuz|scl|ctc)[A-Za-z0-9+/%]{20}")  # fmt: skip
F_PUZZLES: Final = "https://f-puzzles.com/?load="
SUDOKU_PAD: Final = "https://sudokupad.app/scl"
_FORMS: Final = (
    (re.compile(r"f-puzzles\.com/\?(?:load|id)=(.+)"), "f-puzzles"),
    (re.compile(r"(?:^|[/=])(?:fpuzzles|fpuz)(.{20,})"), "f-puzzles"),
    (re.compile(r"(?:^|[/=])(?:scl|ctc)(.{20,})"), "SudokuPad"),
)
_WIKI: Final = re.compile(r"[?&]bd=([^&\s]+)")
# SudokuPad's short names, as far as they concern cells, and how it leaves out what can be guessed.
_SHORT: Final = {"ce": "cells", "v": "value", "t": "title", "re": "regions", "ca": "cages",
                 "l": "lines", "a": "arrows"}  # fmt: skip
_BARE: Final = (
    (re.compile(r"([,{\[])([A-Za-z0-9]+):"), r'\1"\2":'),
    (re.compile(r"([,\[])(?=[,\]])"), r"\1{}"),
    (re.compile(r":t(?=[,}\]])"), ":true"),
    (re.compile(r":f(?=[,}\]])"), ":false"),
    (re.compile(r":(#[0F]|[0-9a-fA-F]{6})(?=[,}\]])"), r':"\1"'),
)


def read(lines: Iterable[tuple[int, str]], name: str) -> Iterator[Found]:
    """An entry for every link."""
    for number, line in lines:
        if counts(line):
            link = line.strip().strip("\"'")
            try:
                yield _entry(number, link)
            except (ParseError, ValueError) as error:
                reason = error.what if isinstance(error, ParseError) else f"broken link: {error}"
                yield Reject(number, None, link, reason)


def _entry(number: int, link: str) -> Entry:
    wiki = _WIKI.search(link)
    if wiki:
        board = unquote(wiki[1])
        if sudokuwiki.PACKED.match(board):
            return sudokuwiki.entry(number, board)
        return Entry(number, 1, dotted(board))
    for form, site in _FORMS:
        found = form.search(link)
        if found:
            return _unfolded(number, site, unquote(found[1]).replace(" ", "+"))
    if re.search(r"sudokupad\.app/|tinyurl\.com/|f-puzzles\.com/|crackingthecryptic", link):
        what = "is a short link: only its site knows the puzzle; open it there and export it"
        raise ParseError(what)
    raise ParseError("is no link to a puzzle")


def _unfolded(number: int, site: str, coded: str) -> Entry:
    text = lz.decompress(coded.partition("&")[0].partition("?")[0])
    document = _document(text)
    if site == "f-puzzles":
        return board_json.f_puzzles(document, number)
    return board_json.sudoku_pad(document, number)


def _document(text: str) -> Any:
    """The JSON of a link; SudokuPad may have shortened it."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if not text.startswith("{"):
            raise ParseError("holds no puzzle") from error
    plain = text if '"' in text else _double_quotes(text)
    for pattern, replacement in _BARE:
        plain = pattern.sub(replacement, plain)
    try:
        return _renamed(json.loads(plain))
    except (json.JSONDecodeError, RecursionError):
        raise ParseError("holds no puzzle that can be read") from None


def _double_quotes(text: str) -> str:
    """SudokuPad swaps the quotes: 'it\\'s' is "it's"."""
    return re.sub(r"\\'|'", lambda found: "'" if len(found[0]) == 2 else '"', text)


def _renamed(item: Any) -> Any:
    if isinstance(item, dict):
        return {_SHORT.get(name, name): _renamed(value) for name, value in item.items()}
    return [_renamed(value) for value in item] if isinstance(item, list) else item


def write_f_puzzles(entry: Entry) -> str:
    """A link that opens the puzzle in f-puzzles, or in SudokuPad after `fpuzzles`."""
    return f"{F_PUZZLES}{_folded(board_json.to_f_puzzles(entry))}\n"


def write_sudoku_pad(entry: Entry) -> str:
    """A link that opens the puzzle in SudokuPad."""
    return f"{sudoku_pad_link(entry)}\n"


def sudoku_pad_link(entry: Entry) -> str:
    """The same without an end of line, as for a QR code."""
    return SUDOKU_PAD + _folded(board_json.to_sudoku_pad(entry)).replace("+", "%2B")


def _folded(document: dict[str, Any]) -> str:
    return lz.compress(json.dumps(document, separators=(",", ":")))
