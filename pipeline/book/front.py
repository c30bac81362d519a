"""The first pages: title, imprint, contents, how to play, levels.

Each function gives the items of its pages; their numbers are known before they are drawn.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.book.entries import BookPuzzle
from pipeline.book.items import BOLD, Item, Weights, dots, grid, line, text
from pipeline.book.measure import Style, text_width, wrapped
from pipeline.book.setting import LIGHT, Setting
from pipeline.book.strings import Strings

EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
EXAMPLE_SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


class ContentsLine(NamedTuple):
    """A line of the contents; a page of 0 is not known yet."""

    title: str
    detail: str
    page: int


class LevelFacts(NamedTuple):
    """What the table of levels says of one."""

    word: str
    needs: str
    dots: int
    numbers: list[tuple[int, int]]  # ranges of puzzles
    minutes: tuple[int, int] | None

    @property
    def puzzles(self) -> int:
        """Puzzles of the level."""
        return sum(last - first + 1 for first, last in self.numbers)


def heading_items(made: Setting, page: int, title: str) -> list[Item]:
    """The heading of a page, a line below it, and the page number."""
    left = made.sheet.left(page)
    y = made.top + made.heading.size
    rule = y + 0.45 * made.heading.size
    return [
        text(left, y, made.heading.size, title, weight=BOLD, heading=1),
        line(left, rule, left + made.sheet.text_width, rule, 1.5),
        made.footer(page),
    ]


def title_page(made: Setting, words: Sequence[str]) -> list[Item]:
    """Title, subtitle, volume; count and levels (`words`); who made it."""
    book, sheet = made.order.book, made.sheet
    centre = sheet.left(1) + sheet.text_width / 2
    big = Style(made.heading.families, sheet.width / 11, BOLD, 1.15)
    y = sheet.height * 0.24
    items: list[Item] = []
    for part in wrapped(book.title, sheet.text_width * 0.94, big):
        items.append(text(centre, y, big.size, part, weight=BOLD, align="center"))
        y += big.line_height
    lines = [book.subtitle] if book.subtitle else []
    if book.volume is not None:
        lines.append(made.strings.volume.format(n=book.volume))
    second = Style(made.heading.families, made.heading.size * 0.9, leading=1.5)
    for part in lines:
        items.append(text(centre, y, second.size, part, align="center"))
        y += second.line_height
    half = sheet.text_width * 0.14
    items.append(line(centre - half, y, centre + half, y, 2.4))
    y += second.line_height * 1.2
    for part in words:
        for row in wrapped(part, sheet.text_width * 0.9, made.body):
            items.append(text(centre, y, made.body.size, row, align="center"))
            y += made.body.line_height * 1.1
    end = made.bottom
    for name in reversed([name for name in (book.author, book.publisher) if name]):
        items.append(text(centre, end, made.label.size, name, align="center"))
        end -= made.label.line_height
    return items


def imprint_page(made: Setting, page: int, paragraphs: Sequence[str]) -> list[Item]:
    """Paragraphs at the foot of the page behind the title."""
    left, width = made.sheet.left(page), made.sheet.text_width
    lines: list[str] = []
    for paragraph in paragraphs:
        lines += [*wrapped(paragraph, width, made.small), ""]
    y = made.bottom - (len(lines) - 2) * made.small.line_height
    items = []
    for row in lines:
        if row:
            items.append(text(left, y, made.small.size, row))
        y += made.small.line_height
    return items


def contents_rows(made: Setting) -> int:
    """Lines of contents that fit one page."""
    return int(made.room // (made.body.line_height * 1.35))


def contents_page(made: Setting, page: int, lines: Sequence[ContentsLine]) -> list[Item]:
    """One page of contents, with dots up to the page numbers."""
    left, right = made.sheet.left(page), made.sheet.left(page) + made.sheet.text_width
    items = heading_items(made, page, made.strings.contents)
    y = made.top + made.heading_drop + made.body.size
    dot = text_width(" .", made.body)
    end = right - text_width("000", made.body) - 10
    for one in lines:
        number = str(one.page)
        shown = f"{one.title}  {one.detail}" if one.detail else one.title
        room = end - left - text_width(shown, made.body) - 10
        leader = " ." * max(0, int(room / dot))
        items.append(text(left, y, made.body.size, shown))
        items.append(text(end, y, made.body.size, leader, align="right"))
        items.append(text(right, y, made.body.size, number, align="right"))
        y += made.body.line_height * 1.35
    return items


def how_to_play_page(made: Setting, page: int) -> list[Item]:
    """The rules, and an example whose solution shows what is given."""
    left, width = made.sheet.left(page), made.sheet.text_width
    items = heading_items(made, page, made.strings.how_to_play)
    y = made.top + made.heading_drop + made.body.size
    paragraphs = [*made.strings.rules]
    if any(section.hints != "none" for section in made.order.section):
        paragraphs.append(made.strings.cells_named)
    for paragraph in paragraphs:
        for row in wrapped(paragraph, width, made.body):
            items.append(text(left, y, made.body.size, row))
            y += made.body.line_height
        y += made.body.line_height * 0.35
    side = min(width * 0.42, made.bottom - y - 4)
    if side > 110:
        both = side * 2 + 24 <= width
        x = left + (width - (side * 2 + 24 if both else side)) / 2
        weights = Weights(1.9, LIGHT)
        digit = side / 9 * 0.62
        items.append(grid(x, y, side, EXAMPLE, None, weights, digit))
        if both:
            solved = grid(x + side + 24, y, side, EXAMPLE, EXAMPLE_SOLVED, weights, digit)
            items.append(solved)
    return items


def level_blocks(made: Setting, facts: Sequence[LevelFacts]) -> list[list[Item]]:
    """A block of items for every level, each from (0, 0); the height is that of its lines."""
    return [_level_block(made, one) for one in facts]


def block_height(made: Setting, block: Sequence[Item]) -> float:
    """How much of a page a block takes, with the space below it."""
    return float(max(item["y"] for item in block)) + made.body.line_height * 0.95


def _level_block(made: Setting, one: LevelFacts) -> list[Item]:
    strings, width = made.strings, made.sheet.text_width
    radius = made.label.size * 0.24
    y = made.label.size
    items = [text(0, y, made.label.size, one.word, weight=BOLD)]
    if one.dots:
        x = text_width(one.word, made.label) + 12
        items.append(dots(x, y - made.label.size * 0.33, radius, one.dots))
    shown = ", ".join(strings.range.format(first=first, last=last) for first, last in one.numbers)
    paragraphs = [strings.level_count.format(n=one.puzzles, range=shown)]
    if one.needs:
        paragraphs.append(strings.level_needs.format(techniques=one.needs))
    if one.minutes:
        paragraphs.append(strings.level_time.format(low=one.minutes[0], high=one.minutes[1]))
    for paragraph in paragraphs:
        for row in wrapped(paragraph, width, made.body):
            y += made.body.line_height
            items.append(text(0, y, made.body.size, row))
    return items


def level_pages(made: Setting, facts: Sequence[LevelFacts]) -> list[list[list[Item]]]:
    """Blocks by page: an introduction, then a block for every level."""
    intro: list[Item] = []
    y = 0.0
    for row in wrapped(made.strings.level_intro, made.sheet.text_width, made.body):
        y += made.body.line_height
        intro.append(text(0, y, made.body.size, row))
    pages: list[list[list[Item]]] = [[]]
    used = 0.0
    for block in [intro, *level_blocks(made, facts)]:
        tall = block_height(made, block)
        if used + tall > made.room and pages[-1]:
            pages.append([])
            used = 0.0
        pages[-1].append(block)
        used += tall
    return pages


def level_page(made: Setting, page: int, blocks: Sequence[Sequence[Item]]) -> list[Item]:
    """One page of the table of levels."""
    items = heading_items(made, page, made.strings.levels)
    left, y = made.sheet.left(page), made.top + made.heading_drop
    for block in blocks:
        items += [{**item, "x": item["x"] + left, "y": item["y"] + y} for item in block]
        y += block_height(made, block)
    return items


def level_facts(puzzles: Sequence[BookPuzzle], made: Setting, strings: Strings) -> list[LevelFacts]:
    """What the table of levels says, in the order of the book."""
    facts: dict[str, LevelFacts] = {}
    for index, section in enumerate(made.order.section):
        own = [one for one in puzzles if one.section == index]
        if not own:
            continue
        span = (own[0].number, own[-1].number)
        known = facts.get(section.level)
        facts[section.level] = LevelFacts(
            own[0].word,
            strings.needs.get(section.level, ""),
            own[0].dots,
            [*(known.numbers if known else []), span],
            section.minutes or (known.minutes if known else None),
        )
    return list(facts.values())
