"""Boards in JSON: f-puzzles, SudokuPad and ipuz documents, and what of them is a classic Sudoku.

A document that states a further rule (a cage, a line, another size) is refused, as its clues
alone would be another puzzle.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pipeline.formats.entry import Entry, board_facts, grid, values
from workers.errors import ParseError

SIDE: Final = 9
IPUZ: Final = "http://ipuz.org/v2"
IPUZ_KIND: Final = "http://ipuz.org/sudoku#1"
BOXES: Final = [
    [[box // 3 * 3 + cell // 3, box % 3 * 3 + cell % 3] for cell in range(SIDE)]
    for box in range(SIDE)
]
RULES: Final = "Normal sudoku rules apply."
_NO_RULE: Final = frozenset({"size", "title", "author", "ruleset", "grid", "solution", "highlight",
                             "successMessage", "disabledlogic", "truecandidatesoptions", "text",
                             "rectangle", "circle", "line", "messages"})  # fmt: skip
_DRAWN_RULES: Final = ("lines", "arrows", "overlays", "underlays")


def f_puzzles(document: Any, line: int) -> Entry:
    """The entry of an f-puzzles document; ParseError when it is no classic Sudoku."""
    if not isinstance(document, dict):
        raise ParseError("holds no puzzle")
    _same_size(document.get("size", SIDE))
    rule = next((key for key, value in document.items() if value and key not in _NO_RULE), None)
    if rule is not None:
        raise ParseError(f"has the rule {rule!r}: no classic Sudoku")
    cells = _cells(document.get("grid"))
    digits = [_digit(cell.get("value")) for cell in cells]
    clues = "".join(
        digit if cell.get("given") else "." for cell, digit in zip(cells, digits, strict=True)
    )
    if clues.strip(".") == "":
        clues = "".join(digits)  # an editor's draft: nothing was locked as given
    filled = "".join(digits)
    noted = [_marks(cell.get("centerPencilMarks")) for cell in cells]
    facts = board_facts(clues, filled, noted if any(noted) else None)
    return Entry(line, 1, clues, facts | _named(document, ("title", "author")) | _solved(document))


def _solved(document: Mapping[str, Any]) -> dict[str, str]:
    solution = document.get("solution")
    if isinstance(solution, list):
        solution = "".join(map(str, solution))
    right = isinstance(solution, str) and len(solution) == 81 and solution.isdigit()
    return {"solution": str(solution)} if right else {}


def to_f_puzzles(entry: Entry) -> dict[str, Any]:
    """The document for a classic Sudoku."""
    noted = entry.facts.get("candidates") or [""] * 81
    cells: list[dict[str, Any]] = []
    for clue, value, marks in zip(grid(entry), values(entry), noted, strict=True):
        cell: dict[str, Any] = {}
        if value != ".":
            cell = {"value": int(value), "given": True} if clue != "." else {"value": int(value)}
        elif marks:
            cell = {"centerPencilMarks": [int(mark) for mark in marks]}
        cells.append(cell)
    rows = [cells[row : row + SIDE] for row in range(0, 81, SIDE)]
    head = {name: entry.facts[name] for name in ("title", "author") if entry.facts.get(name)}
    tail: dict[str, Any] = {}
    if entry.facts.get("solution"):
        tail["solution"] = [int(digit) for digit in entry.facts["solution"]]
    return {"size": SIDE, **head, "grid": rows, **tail}


def sudoku_pad(document: Any, line: int) -> Entry:
    """The entry of a SudokuPad document; ParseError when it is no classic Sudoku."""
    if not isinstance(document, dict):
        raise ParseError("holds no puzzle")
    drawn = next((key for key in _DRAWN_RULES if document.get(key)), None)
    caged = any(cage.get("cells") for cage in document.get("cages") or [] if isinstance(cage, dict))
    if drawn or caged:
        raise ParseError(f"has {drawn or 'cages'}: no classic Sudoku")
    regions = document.get("regions")
    if regions and sorted(map(_sorted, regions)) != sorted(map(_sorted, BOXES)):
        raise ParseError("has regions that are not the nine boxes: no classic Sudoku")
    cells = _cells(document.get("cells"))
    clues = "".join(_digit(cell.get("value")) for cell in cells)
    notes = document.get("metadata")
    facts = _named(notes, ("title", "author")) if isinstance(notes, dict) else {}
    facts |= _solved(notes) if isinstance(notes, dict) else {}
    return Entry(line, 1, clues, facts)


def _sorted(region: Any) -> list[Any]:
    return sorted(region) if isinstance(region, list) else []


def to_sudoku_pad(entry: Entry) -> dict[str, Any]:
    """The document for a classic Sudoku."""
    notes = {name: entry.facts[name] for name in ("title", "author", "solution")
             if entry.facts.get(name)}  # fmt: skip
    cells = [{} if clue == "." else {"value": int(clue)} for clue in grid(entry)]
    return {
        "cellSize": 50,
        "metadata": {**notes, "rules": RULES},
        "cells": [cells[row : row + SIDE] for row in range(0, 81, SIDE)],
        "regions": BOXES,
    }


def ipuz(document: Mapping[str, Any], line: int) -> Entry:
    """The entry of an ipuz document; ParseError when it is no classic Sudoku."""
    kinds = document.get("kind") or [IPUZ_KIND]
    if not any("sudoku" in str(kind) for kind in kinds):
        raise ParseError(f"is an ipuz of kind {kinds[0]}, not a Sudoku")
    if any("/" in str(kind).partition("ipuz.org/sudoku")[2] for kind in kinds):
        raise ParseError(f"is a variant ({kinds[0]}): no classic Sudoku")
    empty = str(document.get("empty", 0))
    clues = "".join(_digit(_ipuz_cell(cell, empty)) for cell in _rows(document.get("puzzle")))
    names = ("title", "author", "copyright", "publisher", "url", "difficulty", "date", "notes")
    facts: dict[str, Any] = _named(document, names)
    if document.get("solution"):
        cells = (_ipuz_cell(cell, empty) for cell in _rows(document["solution"]))
        facts["solution"] = "".join(map(_digit, cells))
    if document.get("saved"):
        saved = [_digit(_ipuz_cell(cell, empty)) for cell in _rows(document["saved"])]
        filled = "".join(
            later if clue == "." else clue for clue, later in zip(clues, saved, strict=True)
        )
        facts |= board_facts(clues, filled, None)
    return Entry(line, 1, clues, facts)


def _ipuz_cell(cell: Any, empty: str) -> Any:
    if isinstance(cell, dict):
        cell = cell.get("cell", cell.get("value"))
    return None if cell is None or str(cell) == empty else cell


def to_ipuz(entry: Entry) -> dict[str, Any]:
    """The document, with its solution where that is known."""
    head = {name: entry.facts[name] for name in ("title", "author") if entry.facts.get(name)}
    made = {"version": IPUZ, "kind": [IPUZ_KIND], **head, "boxes": True}
    made["puzzle"] = _numbers(grid(entry))
    if entry.facts.get("solution"):
        made["solution"] = _numbers(entry.facts["solution"])
    if values(entry) != grid(entry):
        made["saved"] = _numbers(values(entry))
    return made


def _numbers(text: str) -> list[list[int]]:
    cells = [int(sign) if sign != "." else 0 for sign in text]
    return [cells[row : row + SIDE] for row in range(0, 81, SIDE)]


def _rows(rows: Any) -> list[Any]:
    right = isinstance(rows, list) and len(rows) == SIDE
    if not right or not all(isinstance(row, list) and len(row) == SIDE for row in rows):
        raise ParseError("has no grid of nine rows of nine cells")
    return [cell for row in rows for cell in row]


def _cells(rows: Any) -> list[dict[str, Any]]:
    return [cell if isinstance(cell, dict) else {} for cell in _rows(rows)]


def _digit(value: Any) -> str:
    text = "" if value is None else str(value).strip()
    if text in ("", "0", "."):
        return "."
    if len(text) == 1 and text in "123456789":
        return text
    raise ParseError(f"{text[:20]!r} is not a cell of a Sudoku")


def _marks(noted: Any) -> str:
    if not isinstance(noted, Sequence):
        return ""
    return "".join(sorted({str(mark) for mark in noted if str(mark) in "123456789"}))


def _named(document: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: str(document[name]) for name in names if document.get(name)}


def _same_size(size: Any) -> None:
    if size != SIDE:
        raise ParseError(f"is a grid of size {size}: only 9x9 is read")
