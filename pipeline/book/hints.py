"""Pages of hints and of walkthroughs: texts that flow over as many pages as they need."""

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.book.entries import Hint
from pipeline.book.front import heading_items
from pipeline.book.items import BOLD, Item, text
from pipeline.book.measure import text_width, wrapped
from pipeline.book.setting import Setting


class Block(NamedTuple):
    """Lines that stay together; the first of a puzzle has its number."""

    number: int
    first: bool
    lines: list[str]


def flowed(made: Setting, hints: Sequence[Hint], whole: bool) -> list[list[Block]]:
    """Blocks by page; with `whole` a hint is not divided between pages."""
    pages: list[list[Block]] = []
    used = made.room + 1
    for block in _blocks(made, hints, whole):
        for part in _parts(block, int(made.room // made.small.line_height) - 1):
            tall = _height(made, part)
            if used + tall > made.room:
                pages.append([])
                used = 0.0
            pages[-1].append(part)
            used += tall
    return pages


def _blocks(made: Setting, hints: Sequence[Hint], whole: bool) -> list[Block]:
    width = made.sheet.text_width - indent(made)
    blocks = []
    for hint in hints:
        rows = [wrapped(paragraph, width, made.small) for paragraph in hint.paragraphs]
        if whole:
            rows = [[row for paragraph in rows for row in paragraph]]
        blocks += [Block(hint.number, place == 0, lines) for place, lines in enumerate(rows)]
    return blocks


def _parts(block: Block, most: int) -> list[Block]:
    """A block of more lines than a page has, divided."""
    return [
        Block(block.number, block.first and start == 0, block.lines[start : start + most])
        for start in range(0, len(block.lines), most)
    ]


def _height(made: Setting, block: Block) -> float:
    space = 0.55 if block.first else 0.2
    return (len(block.lines) + space) * made.small.line_height


def indent(made: Setting) -> float:
    """Room for the numbers at the left."""
    return text_width(f"{made.order.count}", made.small._replace(weight=BOLD)) + 12


def hint_page(made: Setting, page: int, title: str, blocks: Sequence[Block]) -> list[Item]:
    """One page of hints; `title` is its heading."""
    items = heading_items(made, page, title)
    left = made.sheet.left(page)
    y = made.top + made.heading_drop
    for block in blocks:
        row = y + _height(made, block) - (len(block.lines) - 1) * made.small.line_height
        if block.first:
            items.append(text(left, row, made.small.size, str(block.number), weight=BOLD))
        for shown in block.lines:
            items.append(text(left + indent(made), row, made.small.size, shown))
            row += made.small.line_height
        y += _height(made, block)
    return items


def pages_of(pages: Sequence[Sequence[Block]], start: int) -> dict[int, int]:
    """Puzzle number -> page where its text begins, the first page being `start`."""
    return {
        block.number: start + place
        for place, blocks in enumerate(pages)
        for block in blocks
        if block.first
    }
