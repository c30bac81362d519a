"""How the pages of one book are set: its sheet, fonts and sizes, and the places of its grids.

Sizes follow from the order; what an order must keep to (large print, least grids) is checked here,
before anything is drawn.
"""

from typing import Final, NamedTuple

from pipeline.book.items import (
    BOLD,
    DIGIT_OF_CELL,
    SOLUTION_DIGIT_OF_CELL,
    Item,
    Weights,
    text,
)
from pipeline.book.measure import Style, text_width
from pipeline.book.order import Order
from pipeline.book.profiles import INCH, Sheet, load_profiles
from pipeline.book.strings import Strings
from pipeline.render.fonts import FAMILIES
from workers.errors import ConfigError

SHAPES: Final = {1: (1, 1), 2: (1, 2), 4: (2, 2), 6: (2, 3), 9: (3, 3), 12: (3, 4), 16: (4, 4),
                 20: (4, 5)}  # fmt: skip
"""Grids a page -> columns and rows."""
WIDEST_GRID: Final = 6.6 * INCH
LARGEST_DIGIT_OF_CELL: Final = 0.66
GAP: Final = 16.0
LARGE_SIZES: Final = (18.0, 20.0, 16.0, 28.0)
PLAIN_SIZES: Final = (12.5, 14.0, 10.5, 22.0)
COMPACT_SIZES: Final = (10.5, 12.0, 9.5, 18.0)
"""Points of body, labels, references and headings."""
HEAVY: Final = {1: 2.6, 2: 2.2, 4: 2.0, 6: 2.0}
SOLUTION_HEAVY: Final = 1.4
LIGHT: Final = 0.75


class Setting(NamedTuple):
    """What every page of a book is set by; widths and heights in points."""

    order: Order
    strings: Strings
    sheet: Sheet
    body: Style
    label: Style
    small: Style
    heading: Style

    @property
    def top(self) -> float:
        """Where the text area starts."""
        return self.sheet.vertical

    @property
    def bottom(self) -> float:
        """Where it ends above the page number."""
        return self.sheet.height - self.sheet.vertical - 1.7 * self.small.size

    @property
    def room(self) -> float:
        """Height of a text area that starts below a heading."""
        return self.bottom - self.top - self.heading_drop

    @property
    def heading_drop(self) -> float:
        """From the top to the first line below a heading."""
        return 2.2 * self.heading.size

    def footer(self, page: int) -> Item:
        """The page number, at the outer margin."""
        y = self.sheet.height - self.sheet.vertical - 0.3 * self.small.size
        left = self.sheet.left(page)
        odd = page % 2 == 1
        x = left + self.sheet.text_width if odd else left
        return text(x, y, self.small.size, str(page), align="right" if odd else "left")


def setting_of(order: Order, strings: Strings, sheet: Sheet) -> Setting:
    """The setting of an order on a sheet; ConfigError when its rules cannot be kept."""
    families = FAMILIES[order.print.font]
    large = order.print.large_print
    compact = sheet.width < 6.5 * INCH
    plain = COMPACT_SIZES if compact else PLAIN_SIZES
    body, label, small, heading = LARGE_SIZES if large else plain
    made = Setting(
        order,
        strings,
        sheet,
        Style(families, body),
        Style(families, label, BOLD, 1.3),
        Style(families, small, leading=1.35),
        Style(families, heading, BOLD, 1.2),
    )
    faults = _faults(made)
    if faults:
        raise ConfigError("print", "; ".join(faults))
    return made


class Slots(NamedTuple):
    """Where the grids of a page are: side of a grid, its digits, and (x, y) from the text area."""

    side: float
    digit: float
    places: list[tuple[float, float]]
    weights: Weights


def puzzle_slots(made: Setting) -> Slots:
    """The grids of a puzzle page; the text area starts at (0, 0)."""
    count = made.order.print.puzzles_per_page
    columns, rows = SHAPES[count]
    width, height = made.sheet.text_width, made.bottom - made.top
    header = 2.0 * made.label.size
    weights = Weights(HEAVY[count], LIGHT)
    if count == 1:
        side = min(WIDEST_GRID, width - 2, height - header - 5 * made.small.size)
        free = height - header - side - 5 * made.small.size
        places = [((width - side) / 2, header + max(0.0, free * 0.35))]
        return Slots(side, _digit(made, side), places, weights)
    if count == 2:  # texts stand beside the grids
        tall = height / rows
        side = min(width - side_column(made) - GAP, tall - GAP)
        edge = HEAVY[count] / 2  # of a frame is outside its line
        last = height - side - edge
        places = [(edge, edge + row * (last - edge)) for row in range(rows)]
        return Slots(side, _digit(made, side), places, weights)
    tall = (height - header) / rows
    label, below = 1.5 * made.label.size, 1.5 * made.small.size
    wide = (width - GAP * (columns - 1)) / columns
    side = min(wide - 2, tall - label - below - 4)
    places = [
        (column * (wide + GAP) + (wide - side) / 2, header + row * tall + label)
        for row in range(rows)
        for column in range(columns)
    ]
    return Slots(side, _digit(made, side), places, weights)


def side_column(made: Setting) -> float:
    """The width of the texts beside a grid, two grids a page."""
    strings, last = made.strings, made.order.count
    labels = [text_width(strings.puzzle.format(n=last), made.label)]
    refs = [strings.solution_at, strings.hint_at, strings.walkthrough_at]
    parts = [part for ref in refs for part in ref.format(page=999).split(" ")]
    words = [strings.level_word(section.level) for section in made.order.section]
    labels += [text_width(word, made.label) for word in words]
    return max([*labels, *(text_width(part, made.small) for part in parts), 60.0])


def solution_slots(made: Setting) -> Slots:
    """The grids of a solution page, below its heading."""
    columns, rows = SHAPES[made.order.print.solutions_per_page]
    width, height = made.sheet.text_width, made.bottom - made.top
    header = 1.9 * made.label.size
    label = 1.35 * made.small.size
    gap = 12.0
    wide, tall = (width - gap * (columns - 1)) / columns, (height - header) / rows
    side = min(wide - 2, tall - label - 8)
    places = [
        (column * (wide + gap) + (wide - side) / 2, header + row * tall + label)
        for row in range(rows)
        for column in range(columns)
    ]
    digit = round(side / 9 * SOLUTION_DIGIT_OF_CELL, 2)
    return Slots(side, digit, places, Weights(SOLUTION_HEAVY, LIGHT))


def _digit(made: Setting, side: float) -> float:
    """Digits of 62 % of a cell; up to 66 % where large print needs it."""
    cell = side / 9
    least = load_profiles().large_print.clue_pt if made.order.print.large_print else 0.0
    return round(min(max(cell * DIGIT_OF_CELL, least), cell * LARGEST_DIGIT_OF_CELL), 2)


def _faults(made: Setting) -> list[str]:
    """What of the order's rules the sheet cannot keep."""
    wanted, profiles = made.order.print, load_profiles()
    puzzles, solutions = puzzle_slots(made), solution_slots(made)
    house, large = profiles.house, profiles.large_print
    least = house.grid_inches[str(wanted.puzzles_per_page)] * INCH
    grids = f"{wanted.puzzles_per_page} puzzles a page of {wanted.trim}"
    solved = f"{wanted.solutions_per_page} solutions a page of {wanted.trim}"
    rules = [
        (f"{grids} are {puzzles.side / INCH:.2f} inches wide", puzzles.side, least, least / INCH),
        (f"{solved} have digits of {solutions.digit:.1f} points", solutions.digit,
         house.solution_digit_pt, house.solution_digit_pt),
    ]  # fmt: skip
    if wanted.large_print:
        rules += [
            (f"large print: {grids} have digits of {puzzles.digit:.1f} points", puzzles.digit,
             large.clue_pt, large.clue_pt),
            (f"large print: {solved} have digits of {solutions.digit:.1f} points",
             solutions.digit, large.solution_pt, large.solution_pt),
        ]  # fmt: skip
    return [
        f"{what}, {shown:g} wanted: set fewer a page"
        for what, size, wish, shown in rules
        if size < wish
    ]
