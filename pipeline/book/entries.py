"""A puzzle of the book with what the book prints of it, and the hints from the grader's path."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from pipeline import api
from pipeline.book.order import Order, Section
from pipeline.book.selection import Chosen
from pipeline.book.strings import Strings
from workers.engines.sudoku.grade import CATALOGUE

FIRST_PLACEMENTS: Final = 3
SINGLES: Final = ("full_house", "naked_single", "hidden_single")
ORDER_OF: Final = {technique.name: technique.order for technique in CATALOGUE}


class BookPuzzle(NamedTuple):
    """Number from 1, section index from 0, the puzzle, and its level as dots 1 to 5."""

    number: int
    section: int
    chosen: Chosen
    word: str
    dots: int


class Hint(NamedTuple):
    """Paragraphs of a hint; for a walkthrough all steps."""

    number: int
    paragraphs: list[str]


def book_puzzles(
    order: Order, sections: Sequence[Sequence[Chosen]], strings: Strings
) -> list[BookPuzzle]:
    """All puzzles in order, numbered in one series."""
    made: list[BookPuzzle] = []
    for index, rows in enumerate(sections):
        word = strings.level_word(order.section[index].level)
        for row in rows:
            made.append(BookPuzzle(len(made) + 1, index, row, word, min(row.rank, 5)))
    return made


def hints_of(
    puzzles: Sequence[BookPuzzle], sections: Sequence[Section], sort: str, strings: Strings
) -> list[Hint]:
    """Hints for the puzzles of the sections that ordered this sort of them."""
    return [
        Hint(one.number, told_hint(api.explain(one.chosen.puzzle, "sudoku"), sort, strings))
        for one in puzzles
        if sections[one.section].hints == sort
    ]


def told_hint(steps: Sequence[dict[str, Any]], sort: str, strings: Strings) -> list[str]:
    """The paragraphs of a hint, first-steps or walkthrough, from the steps of the grader."""
    return _first_steps(steps, strings) if sort == "first-steps" else _walkthrough(steps, strings)


def key_step(steps: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """The first step of the hardest technique that is used; None when singles are enough."""
    harder = [step for step in steps if step["technique"] not in SINGLES]
    if not harder:
        return None
    hardest = max(ORDER_OF.get(step["technique"], 0) for step in harder)
    return next(step for step in harder if ORDER_OF.get(step["technique"], 0) == hardest)


def first_placements(steps: Sequence[dict[str, Any]]) -> list[tuple[str, int]]:
    """The first digits of the path: (cell, digit)."""
    placed = [(name, digit) for step in steps for name, digit in step["placements"]]
    return placed[:FIRST_PLACEMENTS]


def _first_steps(steps: Sequence[dict[str, Any]], strings: Strings) -> list[str]:
    placed = ", ".join(_placed(name, digit) for name, digit in first_placements(steps))
    key = key_step(steps)
    last = strings.key_step.format(step=_told(key, strings)) if key else strings.solved_by_singles
    return [strings.first_steps.format(placements=placed), last]


def _walkthrough(steps: Sequence[dict[str, Any]], strings: Strings) -> list[str]:
    """All steps: singles in a row, any other technique a paragraph of its own."""
    paragraphs: list[str] = []
    row: list[str] = []
    for step in steps:
        if step["technique"] in SINGLES:
            row += [_placed(name, digit) for name, digit in step["placements"]]
            continue
        if row:
            paragraphs.append(", ".join(row))
            row = []
        paragraphs.append(_told(step, strings))
    return [*paragraphs, ", ".join(row)] if row else paragraphs


def _placed(name: str, digit: int) -> str:
    """No blank inside, so that a line never breaks there."""
    return f"{name}={digit}"


def _told(step: dict[str, Any], strings: Strings) -> str:
    """A step in words; in other languages than English its name, cells and effect."""
    if strings.language == "English":
        return str(step["text"])
    effects = [_placed(name, digit) for name, digit in step["placements"]]
    effects += [f"{name}≠{digit}" for name, digit in step["eliminations"]]
    return f"{step['title']} {' '.join(step['cells'])}: {', '.join(effects)}"
