"""What stands on a page: texts, grids, dots and lines at places in points from the upper left.

An item is a plain dictionary, as Typst reads it from JSON (book.typ). A text's `y` is its
baseline. A page is a list of items in reading order.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from pipeline.render.fonts import BOLD, REGULAR

Item: TypeAlias = dict[str, Any]
LEFT, CENTRE, RIGHT = "left", "center", "right"
DIGIT_OF_CELL: Final = 0.62
SOLUTION_DIGIT_OF_CELL: Final = 0.68
MARK_OF_CELL: Final = 0.24
SIDE: Final = 9


class Weights(NamedTuple):
    """Widths of lines in points: of boxes and the frame, and between cells."""

    heavy: float
    light: float


class Page(NamedTuple):
    """One page: what it is, its number from 1, and its items."""

    sort: str
    number: int
    items: list[Item]


def text(x: float, y: float, size: float, words: str, *, weight: int = REGULAR,
         align: str = LEFT, heading: int = 0) -> Item:  # fmt: skip
    """A line of text; `heading` makes it a bookmark of that depth in the screen file."""
    made: Item = {"t": "text", "x": round(x, 3), "y": round(y, 3), "size": size, "text": words,
                  "weight": weight, "align": align}  # fmt: skip
    return {**made, "heading": heading} if heading else made


def grid(x: float, y: float, side: float, clues: str, filled: str | None, weights: Weights,
         digit: float, marks: Sequence[str] | None = None) -> Item:  # fmt: skip
    """A grid of 81 cells; `filled` also has the digits that are not clues, set regular."""
    late = [
        value if clue == "." and value != "." else ""
        for clue, value in zip(clues, filled or clues, strict=True)
    ]
    made: Item = {
        "t": "grid",
        "x": round(x, 3),
        "y": round(y, 3),
        "side": round(side, 3),
        "clues": ["" if sign == "." else sign for sign in clues],
        "late": late if filled else [],
        "heavy": weights.heavy,
        "light": weights.light,
        "digit": round(digit, 2),
    }
    if marks is not None:
        made |= {"marks": list(marks), "mark": round(side / SIDE * MARK_OF_CELL, 2)}
    return made


def dots(x: float, y: float, radius: float, filled: int, of: int = 5) -> Item:
    """A row of dots, some filled: a level that can be read without colour; x is the left edge."""
    return {"t": "dots", "x": round(x, 3), "y": round(y, 3), "r": radius, "n": filled, "of": of}


def dots_width(radius: float, of: int = 5) -> float:
    """The length of a row of dots."""
    return radius * (3 * of - 1)


def line(x1: float, y1: float, x2: float, y2: float, weight: float = 0.75) -> Item:
    """A straight line."""
    return {"t": "line", "x1": round(x1, 3), "y1": round(y1, 3), "x2": round(x2, 3),
            "y2": round(y2, 3), "weight": weight}  # fmt: skip


def grid_box(item: Item) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a grid's outer line centre."""
    x, y, side = item["x"], item["y"], item["side"]
    return x, y, round(x + side, 3), round(y + side, 3)


__all__ = [
    "BOLD",
    "CENTRE",
    "LEFT",
    "REGULAR",
    "RIGHT",
    "Item",
    "Page",
    "Weights",
    "dots",
    "dots_width",
    "grid",
    "grid_box",
    "line",
    "text",
]
