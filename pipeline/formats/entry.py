"""What a format reads and writes: the text of a puzzle, and what else its file says of it.

Facts have the names of corpus columns where there is one (solution, level, clues ...), else:

    values       81 characters: the clues and what was filled in so far, `.` for empty
    candidates   81 texts: the pencilmarks of the empty cells, "" where nothing is noted
    title, author, description, comment, created, source, url, rating, id
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from workers.engines.sudoku.geometry import CELLS, PEERS
from workers.errors import ParseError

Facts: TypeAlias = Mapping[str, Any]
NO_FACTS: Final[Facts] = MappingProxyType({})
DIGITS: Final = "123456789"
CELL_CHARACTERS: Final = frozenset("0123456789.-_*xX")
_EMPTY: Final = str.maketrans("0-_*xX", "......")


class Entry(NamedTuple):
    """One puzzle of a list; line and column of its text count from 1."""

    line: int
    column: int
    text: str
    facts: Facts = NO_FACTS


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


Found: TypeAlias = Entry | Reject


def dotted(text: str) -> str:
    """A grid of cell characters with `.` for every empty cell."""
    return text.translate(_EMPTY)


def grid(entry: Entry) -> str:
    """The clues as 81 characters with dots; ParseError when the entry is no Sudoku of 81 cells."""
    text = entry.text
    if len(text) != CELLS or not set(text) <= CELL_CHARACTERS:
        raise ParseError("is no Sudoku of 81 cells, which this format is for")
    return dotted(text)


def values(entry: Entry) -> str:
    """The clues and what was filled in, as 81 characters."""
    filled: str = entry.facts.get("values") or grid(entry)
    return filled


def candidates(entry: Entry) -> Sequence[str]:
    """The candidates of the empty cells: those noted, or all that no filled cell excludes."""
    noted: Sequence[str] | None = entry.facts.get("candidates")
    return noted if noted is not None else open_candidates(values(entry))


def open_candidates(filled: str) -> list[str]:
    """For every cell the digits that no filled peer has; "" for a filled cell."""
    return [
        "".join(sorted(set(DIGITS).difference(filled[peer] for peer in PEERS[cell])))
        if sign == "."
        else ""
        for cell, sign in enumerate(filled)
    ]


def board_facts(clues: str, filled: str, marks: Sequence[str] | None) -> dict[str, Any]:
    """Facts of a board in play, without those that only repeat its clues."""
    facts: dict[str, Any] = {}
    if filled != clues:
        facts["values"] = filled
    if marks is not None and list(marks) != open_candidates(filled):
        facts["candidates"] = tuple(marks)
    return facts
