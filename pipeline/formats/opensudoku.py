"""OpenSudoku's XML: a named folder of games.

A game is 81 digits, `0` for an empty cell, or a board in play: `version: 2`, then for every cell
value, note and whether it can be edited, with bars between. Notes are digits with commas, in
version 3 a number whose bit d-1 is digit d.
"""

import re
from collections.abc import Iterator
from typing import Any, Final
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from pipeline.formats.entry import Entry, Found, Reject, board_facts, dotted, grid
from workers.errors import ParseError, UsageError

HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n'
FOOT: Final = "</opensudoku>\n"
FOLDER_FACTS: Final = {"name": "collection", "author": "author", "description": "description",
                       "comment": "comment", "created": "created", "source": "source",
                       "level": "level", "sourceURL": "url"}  # fmt: skip
CELLS: Final = 81
_PLAIN: Final = re.compile(r"[0-9.]+")
_VERSION: Final = re.compile(r"version:\s*(\d+)\s*")


def read(text: str, name: str) -> Iterator[Found]:
    """An entry for every game; UsageError names line and column of what is no XML."""
    parser = _Parser(name)
    parser.parse(text)
    if parser.root != "opensudoku":
        raise UsageError(name, f"is XML of another kind (<{parser.root}>, not <opensudoku>)")
    for line, data in parser.games:
        try:
            yield _entry(line, data, parser.facts)
        except ParseError as error:
            yield Reject(line, None, data[:200], error.what)


class _Parser:
    """Collects games with their lines, and what the folder says of itself."""

    def __init__(self, name: str) -> None:
        self.games: list[tuple[int, str]] = []
        self.facts: dict[str, str] = {}
        self.root = ""
        self._name = name
        self._inside = ""
        self._expat = expat.ParserCreate()
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._text
        self._expat.EntityDeclHandler = self._entity

    def parse(self, text: str) -> None:
        try:
            self._expat.Parse(re.sub(r"^\s*<\?xml[^>]*\?>", "", text.lstrip("\ufeff")), True)
        except expat.ExpatError as error:
            place = f"{self._name}:{error.lineno}:{error.offset + 1}"
            raise UsageError(place, f"no XML: {expat.ErrorString(error.code)}") from None

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.root = self.root or tag
        self._inside = tag
        if tag == "game":
            self.games.append((self._expat.CurrentLineNumber, attributes.get("data", "")))

    def _end(self, _: str) -> None:
        self._inside = ""

    def _text(self, text: str) -> None:
        if self._inside in FOLDER_FACTS and text.strip():
            fact = FOLDER_FACTS[self._inside]
            self.facts[fact] = self.facts.get(fact, "") + text.strip()

    def _entity(self, *_: Any) -> None:
        raise UsageError(self._name, "declares entities, which no list of puzzles needs")


def _entry(line: int, data: str, facts: dict[str, str]) -> Entry:
    version = _VERSION.match(data)
    if version is None:
        if not _PLAIN.fullmatch(data.strip()) or len(data.strip()) != CELLS:
            raise ParseError(f"a game of {len(data.strip())} signs, 81 digits wanted")
        return Entry(line, 1, dotted(data.strip()), facts)
    if int(version[1]) > 3:
        raise ParseError(f"a game of version {version[1]}: known are 1 to 3")
    fields = data[version.end() :].strip().rstrip("|").split("|")
    if len(fields) != 3 * CELLS:
        raise ParseError(f"a game of {len(fields)} fields, 243 wanted")
    filled = dotted("".join(fields[0::3]))
    if len(filled) != CELLS:
        raise ParseError("a game with a value of more than one digit")
    fixed = [field == "0" for field in fields[2::3]]
    clues = "".join(sign if kept else "." for sign, kept in zip(filled, fixed, strict=True))
    marks = [
        "" if sign != "." else _noted(note) for sign, note in zip(filled, fields[1::3], strict=True)
    ]
    return Entry(line, 1, clues, facts | board_facts(clues, filled, marks if any(marks) else None))


def _noted(note: str) -> str:
    if "," in note:
        return "".join(sorted(set(note) & set("123456789")))
    if not note.strip("-").isdigit():
        raise ParseError(f"{note[:20]!r} is no note")
    return "".join(str(bit + 1) for bit in range(9) if int(note) >> bit & 1)


def head(first: Entry | None) -> str:
    """The start of a file, with what the first entry says of its folder."""
    facts = first.facts if first else {}
    named = [
        f"<{tag}>{escape(str(facts[fact]))}</{tag}>\n"
        for tag, fact in FOLDER_FACTS.items()
        if facts.get(fact)
    ]
    return HEAD + "".join(named)


def write(entry: Entry) -> str:
    """One game: 81 digits, or a board in play where cells are filled in or noted."""
    clues = grid(entry)
    filled, noted = entry.facts.get("values"), entry.facts.get("candidates")
    if not filled and not noted:
        return f"<game data={quoteattr(clues.replace('.', '0'))}/>\n"
    rows = zip(clues, filled or clues, noted or [""] * CELLS, strict=True)
    cells = "".join(
        f"{value.replace('.', '0')}|{''.join(f'{mark},' for mark in marks) or '0'}|"
        f"{0 if clue != '.' else 1}|"
        for clue, value, marks in rows
    )
    return f'<game data="version: 2&#10;{cells}"/>\n'
