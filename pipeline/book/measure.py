"""Lines of text that fit a width, in the fonts of the book.

Widths are sums of advances: kerning may only make a line a little shorter, so that what fits
here fits on the page.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from pipeline.render.fonts import REGULAR, width

WIDE: Final = re.compile(r"[\u3000-\u30ff\u4e00-\u9fff\uff00-\uff60]")
"""Characters between which a line may break."""
NOT_FIRST: Final = "、。，．・：；？！）」』】〕ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.;:!?)"


class Style(NamedTuple):
    """How a text is set: families in order, size in points, weight, line height in sizes."""

    families: tuple[str, ...]
    size: float
    weight: int = REGULAR
    leading: float = 1.4

    @property
    def line_height(self) -> float:
        """Points from one baseline to the next."""
        return self.size * self.leading


def text_width(text: str, style: Style) -> float:
    """The length of a text in points."""
    return width(text, style.size, style.weight, style.families)


def wrapped(text: str, room: float, style: Style) -> list[str]:
    """The lines of a paragraph that are no longer than `room` points."""
    lines: list[str] = []
    current = ""
    for piece in _pieces(text):
        longer = current + piece
        if current and text_width(longer.rstrip(), style) > room:
            lines.append(current.rstrip())
            current = piece.lstrip()
        else:
            current = longer
    return [*lines, current.rstrip()] if current.strip() or not lines else lines


def _pieces(text: str) -> Iterator[str]:
    """Words with the blank behind them, and single wide characters with what may not follow."""
    piece = ""
    for place, sign in enumerate(text):
        piece += sign
        after = text[place + 1 : place + 2]
        wide = WIDE.match(sign) or (after and WIDE.match(after))
        if sign == " " or (wide and after not in NOT_FIRST):
            yield piece
            piece = ""
    if piece:
        yield piece
