"""render: a puzzle as a picture, or a list of puzzles as a folder of pictures."""

from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

import click

from pipeline.commands.output import checked_place, whole_file
from pipeline.commands.puzzles import KIND_OPTION, TEXT_ARGUMENT
from pipeline.commands.source import Source, TextCommand, open_source
from pipeline.render.drawing import SUFFIXES, Drawing, draw
from workers.errors import ManySolutions, NoSolution, UsageError


@click.command(cls=TextCommand)
@TEXT_ARGUMENT
@KIND_OPTION
@click.option("-o", "--output", "out", metavar="FILE", required=True,
              type=click.Path(path_type=Path, allow_dash=False),
              help="FILE.svg or FILE.png; of several puzzles FILE-0001.svg and so on.")  # fmt: skip
@click.option("--candidates", is_flag=True, help="Show the open candidates of empty cells.")
@click.option("--solution", is_flag=True, help="Show the solution, its digits lighter than clues.")
@click.option("--size", "pixels", metavar="N", type=click.IntRange(32, 8000), default=480,
              show_default=True, help="Pixels of a side.")  # fmt: skip
def render(
    text: str | None, kind: str | None, out: Path, candidates: bool, solution: bool, pixels: int
) -> int:
    """Draw puzzles as SVG or PNG.

    A PNG needs the extra `books`; an SVG names fonts that any browser has a substitute for.
    """
    checked_place(out, SUFFIXES)
    if candidates and solution:
        raise click.UsageError("--candidates and --solution exclude each other")
    source = open_source(text, kind)
    drawings = _drawings(source, candidates, solution, pixels)
    first = list(islice(drawings, 2))
    for number, drawing in enumerate(chain(first, drawings), start=1):
        several = len(first) > 1
        path = out.with_name(f"{out.stem}-{number:04}{out.suffix}") if several else out
        content = drawing.content(out.suffix)
        with whole_file(path) as aside:
            aside.write_bytes(content)
    if not first:
        raise UsageError(source.name, "no puzzle in it can be drawn")
    return source.exit_code()


def _drawings(source: Source, candidates: bool, solution: bool, pixels: int) -> Iterator[Drawing]:
    for puzzle in source:
        solved = _solution(source, puzzle) if solution else None
        yield draw(puzzle, solved, candidates, pixels)


def _solution(source: Source, puzzle: str) -> str:
    row = source.kind.solve(puzzle)
    if row["n_solutions"] == 0:
        raise NoSolution(puzzle, "no solution")
    if row["n_solutions"] != 1:
        raise ManySolutions(puzzle, "many solutions")
    found: str = row["solution"]
    return found
