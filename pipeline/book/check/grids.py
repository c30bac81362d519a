"""Grids from ruled lines, ten equally spaced ones each way, and the digits in their cells."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from pipeline.book.check.reading import Char, PageRead, Stroke

LINES: Final = 10
TOUCH: Final = 3.0
ASLANT, PIECES = 0.3, 1.2
"""Points: a line aslant by more is none; pieces with a wider gap are two lines."""
SPACING: Final = 0.5
"""Points by which a line may be off its place."""
CENTRE: Final = 0.15
"""Of a cell: how far the centre of a digit may be off the cell's."""
MARK: Final = 0.36
"""Of a cell: a smaller digit is a pencilmark."""
LEAST_SIDE: Final = 40.0


class Grid(NamedTuple):
    """One grid: its box in points, 81 digits, bold ones apart, its lines, what is wrong."""

    page: int
    left: float
    top: float
    side: float
    digits: str
    bold: str
    marks: tuple[str, ...]
    digit_size: float  # smallest digit that is no pencilmark; 0 when there is none
    heavy: float  # thinnest of the lines that part boxes
    light: float  # thinnest of the others
    thickest_light: float
    faults: tuple[str, ...]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        return self.left, self.top, self.left + self.side, self.top + self.side


class PageGrids(NamedTuple):
    """The grids of a page from top to bottom, and the characters in none of them."""

    grids: list[Grid]
    outside: list[Char]
    faults: list[str]


def page_grids(page: PageRead) -> PageGrids:
    """Find all grids of a page; ruled lines that look like one and are none are faults."""
    grids: list[Grid] = []
    faults: list[str] = []
    left = list(page.chars)
    for part in _connected(_merged(page.strokes)):
        flat = [one for one in part if one.flat]
        upright = [one for one in part if not one.flat]
        if len(flat) < 4 or len(upright) < 4:
            continue
        found = _ruled(flat, upright)
        if isinstance(found, str):
            faults.append(found)
            continue
        grid, left = _filled(page, found, flat, upright, left)
        grids.append(grid)
    grids.sort(key=lambda one: (round(one.top), one.left))
    faults += _overlaps(grids)
    return PageGrids(grids, left, faults)


def _merged(strokes: Sequence[Stroke]) -> list[Stroke]:
    """Level and upright lines; pieces of one width that follow each other on a line are one."""
    rows: dict[tuple[bool, float, float], list[tuple[float, float]]] = {}
    for one in strokes:
        across, along = (one.y2 - one.y1, one.x1) if one.flat else (one.x2 - one.x1, one.y1)
        if abs(across) < ASLANT:
            place = round(one.y1 if one.flat else one.x1, 1)
            end = one.x2 if one.flat else one.y2
            key = (one.flat, place, round(one.width, 2))
            rows.setdefault(key, []).append((min(along, end), max(along, end)))
    made: list[Stroke] = []
    for (flat, place, width), spans in rows.items():
        start, end = min(spans)
        for first, last in [*sorted(spans), (float("inf"), 0.0)]:
            if first <= end + PIECES:
                end = max(end, last)
                continue
            ends = (start, place, end, place) if flat else (place, start, place, end)
            made.append(Stroke(*ends, width))
            start, end = first, last
    return made


def _connected(strokes: Sequence[Stroke]) -> list[list[Stroke]]:
    """Strokes in groups that touch each other."""
    groups: list[list[Stroke]] = []
    boxes: list[tuple[float, float, float, float]] = []
    for stroke in strokes:
        box = (stroke.x1 - TOUCH, min(stroke.y1, stroke.y2) - TOUCH,
               stroke.x2 + TOUCH, max(stroke.y1, stroke.y2) + TOUCH)  # fmt: skip
        joined, group = [stroke], box
        kept: list[int] = []
        for place, other in enumerate(boxes):
            if (
                box[0] <= other[2]
                and other[0] <= box[2]
                and box[1] <= other[3]
                and other[1] <= box[3]
            ):
                joined += groups[place]
                group = (min(group[0], other[0]), min(group[1], other[1]),
                         max(group[2], other[2]), max(group[3], other[3]))  # fmt: skip
            else:
                kept.append(place)
        groups = [groups[place] for place in kept] + [joined]
        boxes = [boxes[place] for place in kept] + [group]
    return groups


def _ruled(flat: list[Stroke], upright: list[Stroke]) -> tuple[float, float, float] | str:
    """Left, top and side of a grid, or why the lines are none."""
    xs, ys = (
        sorted({round(one.x1, 1) for one in upright}),
        sorted({round(one.y1, 1) for one in flat}),
    )
    if len(xs) != LINES or len(ys) != LINES:
        return f"{len(ys)} by {len(xs)} ruled lines that are no grid of ten by ten"
    side, tall = xs[-1] - xs[0], ys[-1] - ys[0]
    if abs(side - tall) > SPACING:
        return f"a grid of {side:.1f} by {tall:.1f} points is not square"
    if side < LEAST_SIDE:
        return f"a grid of {side:.1f} points"
    for places in (xs, ys):
        for number, place in enumerate(places):
            if abs(place - places[0] - number * side / 9) > SPACING:
                return "a grid whose lines are not equally spaced"
    for stroke in (*flat, *upright):
        length = max(stroke.x2 - stroke.x1, abs(stroke.y2 - stroke.y1))
        if abs(length - side) > 2 * TOUCH:
            return "a grid with a line that does not reach from side to side"
    return xs[0], ys[0], side


def _filled(page: PageRead, place: tuple[float, float, float], flat: list[Stroke],
            upright: list[Stroke], chars: list[Char]) -> tuple[Grid, list[Char]]:  # fmt: skip
    """The grid with its digits, and the characters that are not in it."""
    left, top, side = place
    cell = side / 9
    digits, bold = ["."] * 81, ["."] * 81
    marks = [""] * 81
    faults: list[str] = []
    sizes: list[float] = []
    rest: list[Char] = []
    for char in chars:
        x, y = (char.left + char.right) / 2, (char.top + char.bottom) / 2
        if not (left < x < left + side and top < y < top + side):
            rest.append(char)
            continue
        column, row = int((x - left) / cell), int((y - top) / cell)
        at, name = row * 9 + column, f"r{row + 1}c{column + 1}"
        if char.sign not in "123456789":
            faults.append(f"{char.sign!r} in {name}")
        elif char.size < MARK * cell:
            marks[at] += char.sign
        else:
            off = max(abs(x - left - (column + 0.5) * cell), abs(y - top - (row + 0.5) * cell))
            if off > CENTRE * cell:
                faults.append(f"the {char.sign} in {name} is off its centre")
            if digits[at] != ".":
                faults.append(f"two digits in {name}")
            digits[at] = char.sign
            bold[at] = char.sign if char.bold else "."
            sizes.append(char.size)
    heavy, light = _weights(flat, upright, place)
    return Grid(page.number, left, top, side, "".join(digits), "".join(bold), tuple(marks),
                min(sizes, default=0.0), min(heavy), min(light), max(light),
                tuple(faults)), rest  # fmt: skip


def _weights(
    flat: list[Stroke], upright: list[Stroke], place: tuple[float, float, float]
) -> tuple[list[float], list[float]]:
    """Widths of the lines that part boxes, and of the others; of two on one place the thicker."""
    left, top, side = place
    widths: dict[tuple[bool, int], float] = {}
    for stroke in (*flat, *upright):
        at = stroke.y1 - top if stroke.flat else stroke.x1 - left
        key = (stroke.flat, round(at * 9 / side))
        widths[key] = max(widths.get(key, 0.0), stroke.width)
    heavy = [width for (_, number), width in widths.items() if number % 3 == 0]
    light = [width for (_, number), width in widths.items() if number % 3]
    return heavy, light


def _overlaps(grids: Sequence[Grid]) -> list[str]:
    return [
        "two grids overlap"
        for place, one in enumerate(grids)
        for other in grids[:place]
        if abs(one.left - other.left) < one.side and abs(one.top - other.top) < one.side
    ]
