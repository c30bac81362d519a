"""Puzzles in JSON: a text, a grid of numbers, an object with a puzzle, or a list of these.

    "..3.2.6.."                    a text, as in a list of puzzles
    [[0, 0, 3, ...], ...]          nine rows of nine numbers, or 81 numbers; 0 or null is empty
    {"puzzle": ...}                an object with one of the above, whatever else it holds
    {"puzzles": [...]}             or with a list of them
    [..., ...]                     a list of any of these

One document, or one a line (JSON lines). Documents of f-puzzles, SudokuPad and ipuz are told by
what they hold. Where a document is not one a line, the number of a puzzle counts as its line.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from pipeline.formats import board_json
from pipeline.formats.entry import Entry, Found, Reject
from pipeline.formats.lines import counts
from pipeline.formats.tables import FACT_NAMES, PUZZLE_COLUMNS
from workers.errors import ParseError, UsageError

ROWS = 9
CELLS = ROWS * ROWS
STARTS = ("[", "{", '"')


def looks_like_json(text: str) -> bool:
    """True when no list of puzzles could begin like this text."""
    return text.lstrip("\ufeff \t\r\n").startswith(STARTS)


def read(text: str, name: str) -> Iterator[Found]:
    """An entry for every puzzle of a document; UsageError when it is no JSON."""
    document = decoded(text, name)
    if isinstance(document, dict) and isinstance(document.get("puzzles"), list):
        document = document["puzzles"]
    if not isinstance(document, list) or _grid_text(document) is not None:
        document = [document]
    for number, item in enumerate(document, start=1):
        yield _found(number, item)


def read_lines(lines: Iterable[tuple[int, str]], name: str) -> Iterator[Found]:
    """An entry for every line that holds a document of its own."""
    for number, line in lines:
        if not counts(line):
            continue
        try:
            item = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            said = _said(error) if isinstance(error, json.JSONDecodeError) else "nested too deep"
            yield Reject(number, getattr(error, "colno", None), line, said)
        else:
            yield _found(number, item)


def write_line(entry: Entry) -> str:
    """One object: the puzzle, and what else is known."""
    row = {"puzzle": entry.text, **entry.facts}
    return msgspec.json.encode(row, enc_hook=_plain).decode() + "\n"


def write_ipuz(entry: Entry) -> str:
    """One ipuz document."""
    return json.dumps(board_json.to_ipuz(entry), indent=1) + "\n"


def _plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else str(value)


def _found(number: int, item: Any) -> Found:
    try:
        return _entry(number, item)
    except ParseError as error:
        return Reject(number, None, json.dumps(item)[:200], error.what)


def _entry(number: int, item: Any) -> Entry:
    if isinstance(item, dict):
        if str(item.get("version", "")).startswith("http://ipuz.org"):
            return board_json.ipuz(item, number)
        grid = item.get("grid")
        if isinstance(grid, list) and grid and isinstance(grid[0], list) and _has_objects(grid[0]):
            return board_json.f_puzzles(item, number)
        if isinstance(item.get("cells"), list) and "cellSize" in item:
            return board_json.sudoku_pad(item, number)
        key = next((key for key in PUZZLE_COLUMNS if key in item), None)
        if key is None:
            raise ParseError(f"has no puzzle (wanted: {', '.join(PUZZLE_COLUMNS[:3])} ...)")
        facts: dict[str, Any] = {
            str(FACT_NAMES.get(name, name)): tuple(value)
            if name == "candidates" and value
            else value
            for name, value in item.items()
            if name != key and value is not None
        }
        return Entry(number, 1, _plain_text(item[key]), facts)
    return Entry(number, 1, _plain_text(item))


def _has_objects(row: list[Any]) -> bool:
    return any(isinstance(cell, dict) for cell in row)


def _plain_text(item: Any) -> str:
    text = item if isinstance(item, str) else _grid_text(item)
    if text is None:
        raise ParseError("is neither a text nor nine rows of nine numbers from 0 to 9")
    return text


def decoded(text: str, name: str) -> Any:
    """The document, or a list of the documents of its lines; UsageError names line and column."""
    text = text.lstrip("\ufeff")
    try:
        return json.loads(text)
    except RecursionError:
        raise UsageError(name, "no JSON that holds puzzles: nested too deep") from None
    except json.JSONDecodeError as whole:
        lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        if len(lines) < 2 or not _is_document(lines[0][1]):
            raise UsageError(f"{name}:{whole.lineno}:{whole.colno}", _said(whole)) from None
    return [_line(number, line, name) for number, line in lines]


def puzzle_texts(document: Any, name: str) -> list[str]:
    """The texts of all puzzles in a document, unparsed; UsageError says what is no puzzle."""
    if isinstance(document, dict) and isinstance(document.get("puzzles"), list):
        document = document["puzzles"]
    grid = _grid_text(document)
    if isinstance(document, list) and grid is None:
        items = [(f"{name}: puzzle {number}", item) for number, item in enumerate(document, 1)]
    else:
        items = [(name, document)]
    if not items:
        raise UsageError(name, "holds no puzzle")
    return [_text(item, where) for where, item in items]


def _text(item: Any, where: str) -> str:
    if isinstance(item, dict):
        key = next((key for key in PUZZLE_COLUMNS if key in item), None)
        if key is None:
            raise UsageError(where, f"has no puzzle (wanted: {', '.join(PUZZLE_COLUMNS[:3])} ...)")
        item = item[key]
    if isinstance(item, str):
        return item
    grid = _grid_text(item)
    if grid is None:
        raise UsageError(where, "is neither a text nor nine rows of nine numbers from 0 to 9")
    return grid


def _grid_text(item: Any) -> str | None:
    """Nine rows of nine numbers, or 81 numbers, as 81 characters; None when it is neither."""
    if not isinstance(item, list):
        return None
    if len(item) == ROWS and all(isinstance(row, list) and len(row) == ROWS for row in item):
        item = [cell for row in item for cell in row]
    if len(item) != CELLS or not all(map(_is_cell, item)):
        return None
    return "".join(str(cell or ".") for cell in item)


def _is_cell(cell: Any) -> bool:
    return cell is None or (type(cell) is int and 0 <= cell <= 9)


def _is_document(line: str) -> bool:
    try:
        json.loads(line)
    except json.JSONDecodeError:
        return False
    return True


def _line(number: int, line: str, name: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise UsageError(f"{name}:{number}:{error.colno}", _said(error)) from None


def _said(error: json.JSONDecodeError) -> str:
    return f"no JSON: {error.msg[:1].lower()}{error.msg[1:]}"
