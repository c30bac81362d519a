"""One puzzle to be drawn: a notebook shows it by itself, and it can be written to a file."""

from pathlib import Path
from typing import Final, NamedTuple

from pipeline.formats.entry import open_candidates
from pipeline.render.png import png
from pipeline.render.svg import Grid, grid_svg
from workers.errors import UsageError

SUFFIXES: Final = (".svg", ".png")
CELLS: Final = 81


class Drawing(NamedTuple):
    """A picture of a puzzle of 81 cells, square and `pixels` wide."""

    grid: Grid
    pixels: int = 480
    title: str = "Sudoku"

    @property
    def svg(self) -> str:
        """The picture as an SVG document."""
        return grid_svg(self.grid, self.pixels, self.title)

    def png(self) -> bytes:
        """The picture as PNG; needs the extra `books`."""
        return png(self.svg, self.pixels)

    def content(self, suffix: str) -> bytes:
        """The file with this suffix; UsageError when it is no picture."""
        if suffix.lower() not in SUFFIXES:
            raise UsageError(suffix or "-o", f"is no picture: {' or '.join(SUFFIXES)}")
        return self.png() if suffix.lower() == ".png" else self.svg.encode()

    def save(self, path: str | Path) -> None:
        """Write the picture to a .svg or .png file."""
        Path(path).write_bytes(self.content(Path(path).suffix))

    def _repr_svg_(self) -> str:
        return self.svg


def draw(
    clues: str, solution: str | None = None, candidates: bool = False, pixels: int = 480
) -> Drawing:
    """A drawing of 81 clues, with the digits of a solution or with all open candidates.

    Raises UsageError for a puzzle without a grid of 81 cells.
    """
    if len(clues) != CELLS:
        raise UsageError(clues[:40], f"only grids of {CELLS} cells are drawn")
    marks = open_candidates(solution or clues) if candidates else None
    return Drawing(Grid(clues, solution, marks), pixels)
