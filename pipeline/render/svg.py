"""A puzzle as SVG: black on white, clues bold, a solution's digits regular, candidates small."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final, NamedTuple

from pipeline.render.fonts import SANS

SIDE: Final = 9
CELL: Final = 100
"""Length of a cell in the units of the picture."""
MARGIN: Final = 6
WIDTH: Final = SIDE * CELL + 2 * MARGIN
DIGIT_SIZE, MARK_SIZE = 62, 26
CAP_HEIGHT: Final = 0.668
"""Of a digit of size 1: digits are centred by it, not by their line."""
THIN, THICK = 2, 7
FAMILY: Final = f"'{SANS}', 'Atkinson Hyperlegible', Helvetica, Arial, sans-serif"


class Grid(NamedTuple):
    """What a picture shows: 81 cells each, "." or "" where there is nothing."""

    clues: str
    filled: str | None = None  # clues and further digits, such as a solution
    marks: Sequence[str] | None = None  # candidates of the cells that are empty


def grid_svg(grid: Grid, pixels: int = 480, title: str = "Sudoku") -> str:
    """The picture as a whole SVG document, `pixels` wide and high.

    `title` is what a screen reader says, with the number of clues.
    """
    return "".join(_parts(grid, pixels, title))


def _parts(grid: Grid, pixels: int, title: str) -> Iterator[str]:
    clues = sum(sign != "." for sign in grid.clues)
    yield f'<svg xmlns="http://www.w3.org/2000/svg" width="{pixels}" height="{pixels}" '
    yield f'viewBox="0 0 {WIDTH} {WIDTH}" role="img">'
    yield f"<title>{escape(title)}, {clues} clues</title>"
    yield f'<rect width="{WIDTH}" height="{WIDTH}" fill="#fff"/>'
    yield _lines(THIN, [place for place in range(1, SIDE) if place % 3])
    yield _lines(THICK, [0, 3, 6, 9])
    yield f'<g font-family="{escape(FAMILY)}" text-anchor="middle" fill="#000">'
    yield f'<g font-size="{DIGIT_SIZE}" font-weight="700">'
    yield from _digits(grid.clues)
    yield "</g>"
    if grid.filled is not None:
        late = "".join(
            "." if clue != "." else sign for clue, sign in zip(grid.clues, grid.filled, strict=True)
        )
        yield f'<g font-size="{DIGIT_SIZE}">'
        yield from _digits(late)
        yield "</g>"
    if grid.marks is not None:
        yield f'<g font-size="{MARK_SIZE}">'
        yield from _marks(grid)
        yield "</g>"
    yield "</g></svg>\n"


def _lines(width: int, places: Sequence[int]) -> str:
    """Lines both ways; thick ones reach half their width further, so that corners are square."""
    near, far = MARGIN - width / 2, MARGIN + SIDE * CELL + width / 2
    path = "".join(
        f"M{near:g} {MARGIN + place * CELL}H{far:g}M{MARGIN + place * CELL} {near:g}V{far:g}"
        for place in places
    )
    return f'<path d="{path}" fill="none" stroke="#000" stroke-width="{width}"/>'


def _digits(text: str) -> Iterator[str]:
    drop = DIGIT_SIZE * CAP_HEIGHT / 2
    for cell, sign in enumerate(text):
        if sign not in ".0":
            x, y = _centre(cell)
            yield f'<text x="{x:g}" y="{y + drop:g}">{sign}</text>'


def _marks(grid: Grid) -> Iterator[str]:
    shown = grid.filled or grid.clues
    drop = MARK_SIZE * CAP_HEIGHT / 2
    for cell, marks in enumerate(grid.marks or ()):
        if shown[cell] not in ".0":
            continue
        x, y = _centre(cell)
        for mark in marks:
            right, down = (int(mark) - 1) % 3 - 1, (int(mark) - 1) // 3 - 1
            yield f'<text x="{x + right * 31:g}" y="{y + down * 31 + drop:g}">{mark}</text>'


def _centre(cell: int) -> tuple[float, float]:
    return MARGIN + (cell % SIDE + 0.5) * CELL, MARGIN + (cell // SIDE + 0.5) * CELL
