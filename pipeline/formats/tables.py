"""Puzzles in CSV: any table with a header that names the puzzle's column, and three known ones.

csv          puzzle, then whatever the entries say of themselves; `,`, `;` or a tab
kaggle-1m    quizzes,solutions                       81 digits each, 0 for empty
kaggle-3m    id,puzzle,solution,clues,difficulty     `.` for empty
extreme      source,question,answer,rating           sudoku-extreme; `.` for empty
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from pipeline.formats.entry import Entry, Found, Reject, grid
from pipeline.formats.lines import QUOTES, counts, line_entry
from workers.errors import ParseError

PUZZLE_COLUMNS: Final = ("puzzle", "puzzles", "quiz", "quizzes", "question", "equation", "board",
                         "grid")  # fmt: skip
"""Names a header gives to the column of the puzzle, the surest first."""
FACT_NAMES: Final = {"solutions": "solution", "answer": "solution", "difficulty": "rating"}
"""Columns of known tables -> what the fact is called here."""
KAGGLE_1M: Final = ("quizzes", "solutions")
KAGGLE_3M: Final = ("id", "puzzle", "solution", "clues", "difficulty")
EXTREME: Final = ("source", "question", "answer", "rating")
_SEPARATOR: Final = re.compile(r"[,;\t]")


def header(line: str) -> list[str]:
    """The names in a header, or an empty list when the line is none."""
    names = [field.strip(QUOTES).lower() for field in _SEPARATOR.split(line)]
    return names if any(name in names for name in PUZZLE_COLUMNS) else []


def read(lines: Iterable[tuple[int, str]], name: str) -> Iterator[Found]:
    """An entry for every row, its other columns as facts."""
    names: list[str] = []
    column, separator = 0, ","
    for number, line in lines:
        if not counts(line):
            continue
        if names:
            yield _entry(number, line, names, column, separator)
            continue
        names = header(line)
        if not names:
            what = f"no header with a column of puzzles ({', '.join(PUZZLE_COLUMNS[:3])} ...)"
            yield Reject(number, 1, line, what)
            return
        column = next(names.index(known) for known in PUZZLE_COLUMNS if known in names)
        found = _SEPARATOR.search(line)
        separator = found[0] if found else ","


def _entry(number: int, line: str, names: Sequence[str], column: int, separator: str) -> Found:
    entry = line_entry(number, line, column)
    fields = next(csv.reader([line], delimiter=separator, skipinitialspace=True))
    if len(fields) == len(names) + 1 and not fields[-1].strip():
        fields.pop()  # qqwing ends its rows with a comma
    if len(fields) > len(names) > 1:
        what = f"{len(fields)} fields, but the header names {len(names)}"
        return Reject(number, None, line, what)
    if len(fields) <= column:
        return Reject(number, None, line, f"{len(fields)} fields: the puzzle's is missing")
    facts = {
        FACT_NAMES.get(name, name): _value(name, field)
        for place, (name, field) in enumerate(zip(names, fields, strict=False))
        if place != column and name and field.strip()
    }
    return entry._replace(facts=facts) if facts else entry


def _value(name: str, field: str) -> Any:
    if name != "candidates":
        return field
    try:
        return tuple(json.loads(field))
    except (json.JSONDecodeError, TypeError):
        return field


def head(first: Entry | None) -> str:
    """The header of a `csv` file: the facts of the first entry are the columns of all."""
    return _row(["puzzle", *(first.facts if first else ())])


def columns(first: Entry | None) -> tuple[str, ...]:
    """The columns after the puzzle's."""
    return tuple(first.facts) if first else ()


def write(entry: Entry, names: Sequence[str]) -> str:
    """A row with the facts of these names; ParseError for a fact that has no column."""
    extra = next((name for name in entry.facts if name not in names), None)
    if extra is not None:
        raise ParseError(f"has {extra!r}, for which the first puzzle had no column")
    return _row([entry.text, *(_field(entry.facts.get(name)) for name in names)])


def head_of(names: Sequence[str]) -> str:
    """The header of a table with fixed columns."""
    return f"{','.join(names)}\n"


def write_kaggle_1m(entry: Entry) -> str:
    """A row; the entry has its solution."""
    return f"{grid(entry).replace('.', '0')},{entry.facts['solution']}\n"


def write_kaggle_3m(entry: Entry) -> str:
    """A row; the difficulty is empty where no rating is known."""
    facts, clues = entry.facts, grid(entry)
    name, rating = facts.get("id", entry.line), facts.get("rating", facts.get("er"))
    given = sum(sign != "." for sign in clues)
    return _row([name, clues, facts["solution"], given, _field(rating)])


def write_extreme(entry: Entry) -> str:
    """A row; source and rating are empty where they are not known."""
    facts = entry.facts
    source, rating = facts.get("source"), facts.get("rating")
    return _row([_field(source), grid(entry), facts["solution"], _field(rating)])


def _field(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, bool | list | tuple | dict):
        return msgspec.json.encode(value).decode()
    return value


def _row(fields: Sequence[Any]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(fields)
    return line.getvalue()
