"""The record of a technique, the levels of the scale, and a step that uses one.

Names, order, scores and level limits are those of HoDoKu 2.2.0 in its default configuration;
they are facts of that program, see README.md beside this file.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

LEVEL_NAMES: Final = ("easy", "medium", "hard", "unfair", "extreme")
EASY, MEDIUM, HARD, UNFAIR, EXTREME = range(5)

LEVEL_LIMITS: Final = (800, 1000, 1600, 1800, 2**31 - 1)
"""Highest score of each level: a puzzle that scores more goes up, level by level."""


class Form(NamedTuple):
    """A pattern with a name of its own among those that one search looks for."""

    title: str
    code: str


@dataclass(frozen=True, kw_only=True)
class Technique:
    """One technique; everything that is known of it, and the only place where it is written."""

    name: str  # column suffix: hodoku_t_<name>
    title: str  # the name people use, as HoDoKu writes it
    code: str  # HoDoKu's library code
    order: int  # HoDoKu's index: lower is tried first
    level: int  # index into LEVEL_NAMES
    score: int  # added once per step
    finder: int  # which kernel branch of the tier finds it; ids of tier n are 100 n .. 100 n + 99
    size: int = 0  # cells of a subset, lines of a fish; 0 where it means nothing
    enabled: bool = True
    forms: tuple[Form, ...] = ()  # what one search returns, counted as one technique
    sentence: str  # how a step reads, see explain.py for the fields

    @property
    def tier(self) -> int:
        """The tier whose module knows the finder."""
        return self.finder // 100


class Candidate(NamedTuple):
    """A digit 1-9 in a cell 0-80."""

    cell: int
    digit: int


class Node(NamedTuple):
    """A link of a chain: a digit 1-9 is in one of `cells` (`on`), or in none of them."""

    cells: tuple[int, ...]
    digit: int
    on: bool


@dataclass(frozen=True)
class Step:
    """One found use of a technique: what it is seen in, and what it does to the board."""

    technique: Technique
    placements: tuple[Candidate, ...]
    eliminations: tuple[Candidate, ...]
    cells: tuple[int, ...]  # the pattern
    digits: tuple[int, ...]  # 1-9
    units: tuple[int, ...]  # where the pattern lies; the base of a fish
    covers: tuple[int, ...] = ()  # the cover units of a fish
    fins: tuple[int, ...] = ()  # cells of the base that no cover unit holds
    endo_fins: tuple[int, ...] = ()  # cells in more than one base unit
    chain: tuple[Node, ...] = ()  # each follows from the one before
    parts: tuple[tuple[int, ...], ...] = ()  # `cells` as several sets, almost locked sets for one
    form: int = 0  # index into technique.forms

    @property
    def title(self) -> str:
        """The name of the pattern: that of its form where the technique has several."""
        forms = self.technique.forms
        return forms[self.form].title if forms else self.technique.title

    @property
    def code(self) -> str:
        """HoDoKu's library code of the pattern."""
        forms = self.technique.forms
        return forms[self.form].code if forms else self.technique.code
