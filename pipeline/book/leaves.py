"""Pages of grids: level openers, puzzles, solutions, blank grids."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from pipeline.book.entries import BookPuzzle
from pipeline.book.front import heading_items
from pipeline.book.items import BOLD, Item, dots, dots_width, grid, line, text
from pipeline.book.measure import Style, text_width, wrapped
from pipeline.book.setting import GAP, Setting, Slots, puzzle_slots, solution_slots
from pipeline.formats.entry import open_candidates

EMPTY: Final = "." * 81


class References(NamedTuple):
    """Puzzle number -> page of its solution, hint and walkthrough."""

    solution: Mapping[int, int]
    hint: Mapping[int, int]
    walkthrough: Mapping[int, int]

    def lines(self, number: int, made: Setting) -> list[str]:
        """What a puzzle page says of where to look."""
        strings = made.strings
        told = [strings.solution_at.format(page=self.solution[number])]
        if number in self.hint:
            told.append(strings.hint_at.format(page=self.hint[number]))
        if number in self.walkthrough:
            told.append(strings.walkthrough_at.format(page=self.walkthrough[number]))
        return told


def opener_page(
    made: Setting, page: int, title: str, level: BookPuzzle, numbers: str
) -> list[Item]:
    """The first page of a level: its name, dots and range."""
    sheet = made.sheet
    centre, y = sheet.left(page) + sheet.text_width / 2, sheet.height * 0.38
    big = Style(made.heading.families, sheet.width / 10, BOLD, 1.15)
    items: list[Item] = []
    for place, part in enumerate(wrapped(title, sheet.text_width, big)):
        heading = 1 if place == 0 else 0
        shown = text(centre, y, big.size, part, weight=BOLD, align="center", heading=heading)
        items.append(shown)
        y += big.line_height
    radius = big.size * 0.16
    items.append(dots(centre - dots_width(radius) / 2, y - big.size * 0.45, radius, level.dots))
    y += made.heading.size * 1.2
    items.append(text(centre, y, made.label.size, numbers, align="center"))
    return [*items, made.footer(page)]


def puzzle_page(
    made: Setting, page: int, puzzles: Sequence[BookPuzzle], references: References
) -> list[Item]:
    """One page of puzzles: level at the top, grids with their numbers and references."""
    slots = puzzle_slots(made)
    left, width = made.sheet.left(page), made.sheet.text_width
    single = made.order.print.puzzles_per_page == 1
    x0 = left + slots.places[0][0] if single else left
    x1 = x0 + slots.side if single else left + width
    beside = made.order.print.puzzles_per_page == 2
    items = [] if beside else _level_line(made, puzzles[0], x1)
    for one, (x, y) in zip(puzzles, slots.places, strict=False):
        items += _puzzle_items(made, one, (left + x, made.top + y), slots, references)
    return [*items, made.footer(page)]


def _level_line(made: Setting, one: BookPuzzle, right: float) -> list[Item]:
    y = made.top + made.label.size
    radius = made.label.size * 0.24
    start = right - text_width(one.word, made.label) - 12 - dots_width(radius)
    return [
        dots(start, y - made.label.size * 0.33, radius, one.dots),
        text(right, y, made.label.size, one.word, weight=BOLD, align="right"),
    ]


def _puzzle_items(made: Setting, one: BookPuzzle, corner: tuple[float, float], slots: Slots,
                  references: References) -> list[Item]:  # fmt: skip
    x, y = corner
    per_page = made.order.print.puzzles_per_page
    name = made.strings.puzzle.format(n=one.number)
    told = references.lines(one.number, made)
    drawn = grid(x, y, slots.side, one.chosen.puzzle, None, slots.weights, slots.digit,
                 _marks(made, one))  # fmt: skip
    label = made.label.size
    if per_page == 1:
        head = text(x, made.top + label, label, name, weight=BOLD)
        return [head, drawn, *_below(made, x, y + slots.side, slots.side, told)]
    if per_page == 2:
        beside = x + slots.side + GAP
        down = y + label * 0.8
        items = [text(beside, down, label, name, weight=BOLD), drawn]
        down += made.label.line_height * 1.15
        items.append(text(beside, down, label, one.word, weight=BOLD))
        down += label * 0.7
        items.append(dots(beside, down, label * 0.24, one.dots))
        down += made.label.line_height * 1.3
        wide = made.sheet.text_width - slots.side - GAP - 1
        for ref in told:
            for row in wrapped(ref, wide, made.small):
                items.append(text(beside, down, made.small.size, row))
                down += made.small.line_height
            down += made.small.line_height * 0.25
        return items
    head = text(x, y - label * 0.45, label, name, weight=BOLD)
    foot = y + slots.side + made.small.size * 1.25
    items = [head, drawn, text(x, foot, made.small.size, told[0])]
    if len(told) > 1:
        items.append(text(x + slots.side, foot, made.small.size, told[1], align="right"))
    return items


def _below(made: Setting, x: float, y: float, side: float, told: Sequence[str]) -> list[Item]:
    """References below a grid, and where the time can be noted."""
    size = made.small.size
    first = y + size * 1.7
    items = [text(x, first, size, told[0])]
    if len(told) > 1:
        items.append(text(x + side, first, size, told[1], align="right"))
    second = first + size * 2.1
    if second < made.bottom:
        for start, word in ((x, made.strings.started), (x + side / 2 + 6, made.strings.finished)):
            items.append(text(start, second, size, word))
            rule = start + text_width(word, made.small) + 8
            items.append(line(rule, second + 2, start + side / 2 - 10, second + 2))
    return items


def _marks(made: Setting, one: BookPuzzle) -> list[str] | None:
    if made.order.section[one.section].candidates != "full":
        return None
    return open_candidates(one.chosen.puzzle)


def solution_page(made: Setting, page: int, puzzles: Sequence[BookPuzzle]) -> list[Item]:
    """One page of solutions: clues bold, the rest regular; the range at the top."""
    slots = solution_slots(made)
    left = made.sheet.left(page)
    span = made.strings.solutions_range.format(first=puzzles[0].number, last=puzzles[-1].number)
    items = [text(left, made.top + made.label.size, made.label.size, span, weight=BOLD, heading=1)]
    for one, (x, y) in zip(puzzles, slots.places, strict=False):
        at = left + x
        label = text(at, made.top + y - made.small.size * 0.4, made.small.size, str(one.number),
                     weight=BOLD)  # fmt: skip
        drawn = grid(at, made.top + y, slots.side, one.chosen.puzzle, one.chosen.solution,
                     slots.weights, slots.digit)  # fmt: skip
        items += [label, drawn]
    return [*items, made.footer(page)]


def blank_page(made: Setting, page: int) -> list[Item]:
    """A page of empty grids, as many as a page has puzzles."""
    slots = puzzle_slots(made)
    left = made.sheet.left(page)
    beside = slots.side + GAP if made.order.print.puzzles_per_page == 2 else 0
    title = made.strings.blank_grids
    head = text(left + beside, made.top + made.label.size, made.label.size, title,
                weight=BOLD, heading=1)  # fmt: skip
    grids = [
        grid(left + x, made.top + y, slots.side, EMPTY, None, slots.weights, slots.digit)
        for x, y in slots.places
    ]
    return [head, *grids, made.footer(page)]


def also_by_page(made: Setting, page: int) -> list[Item]:
    """Other books of the publisher."""
    items = heading_items(made, page, made.strings.also_by)
    left, y = made.sheet.left(page), made.top + made.heading_drop + made.body.size
    for title in made.order.book.also_by:
        for row in wrapped(title, made.sheet.text_width, made.body):
            items.append(text(left, y, made.body.size, row))
            y += made.body.line_height
        y += made.body.line_height * 0.4
    return items
