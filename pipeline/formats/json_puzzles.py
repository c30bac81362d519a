"""Puzzles in JSON: a text, a grid of numbers, an object with a puzzle, or a list of these.

    "..3.2.6.."                    a text, as in a list of puzzles
    [[0, 0, 3, ...], ...]          nine rows of nine numbers, or 81 numbers; 0 or null is empty
    {"puzzle": ...}                an object with one of the above, whatever else it holds
    {"puzzles": [...]}             or with a list of them
    [..., ...]                     a list of any of these

One document, or one a line (JSON lines).
"""

import json
from typing import Any

from pipeline.formats.lines import PUZZLE_COLUMNS
from workers.errors import UsageError

ROWS = 9
CELLS = ROWS * ROWS
STARTS = ("[", "{", '"')


def looks_like_json(text: str) -> bool:
    """True when no list of puzzles could begin like this text."""
    return text.lstrip("\ufeff \t\r\n").startswith(STARTS)


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
