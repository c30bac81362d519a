"""solve, grade, canonical, explain: what one text is, or every text of a list."""

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import click

from pipeline import api, explanation
from pipeline.commands.kernels import announced, prepare
from pipeline.commands.methods import Options, given, method_options
from pipeline.commands.output import (
    Output,
    Row,
    View,
    checked_place,
    output_options,
    whole_file,
    write,
    write_facts,
)
from pipeline.commands.source import Source, TextCommand, open_source
from workers.errors import PuzzleStateError

MOST_SOLUTIONS = 10_000
PAGES = (".html", ".htm")
TEXT_ARGUMENT = click.argument("text", metavar="[TEXT | FILE | -]", required=False)
KIND_OPTION = click.option("--kind", metavar="KIND", help="Kind of the puzzles; told from the "
                           "texts where it can be.")  # fmt: skip

SOLVE_VIEW = View(("puzzle", "n_solutions", "solution", "status", "filled", "level", "score",
                   "iterations", "nodes"), "solution")  # fmt: skip
GRADE_VIEW = View(
    (
        "puzzle",
        "n_solutions",
        "reason",
        "clues",
        "level",
        "hodoku_score",
        "er",
        "hardest_technique",
    ),
    "puzzle",
)
CANONICAL_VIEW = View(("canonical", "automorphisms", "key"), "canonical")


class Solving(NamedTuple):
    """How to solve: the arguments of a kind's `solve` after the text."""

    method: str | None
    limit: int
    options: Options


@click.command(cls=TextCommand)
@TEXT_ARGUMENT
@KIND_OPTION
@click.option("--method", metavar="M", help="How to solve: search (the fastest, default), brute, "
              "backtrack, analytic, models or human-path; of a formula task: best or "
              "seed.")  # fmt: skip
@click.option("--all", "find_all", is_flag=True,
              help=f"Give every solution, at most {MOST_SOLUTIONS:,}.")  # fmt: skip
@click.option("--first", is_flag=True, help="Stop at the first solution.")
@method_options
@output_options
def solve(
    text: str | None,
    kind: str | None,
    method: str | None,
    find_all: bool,
    first: bool,
    output: Output,
    **options: Any,
) -> int:
    """Solve one puzzle or a list: its solution, and whether it is the only one.

    n_solutions 2 means more than one, unless --all counts them. A list may hold other columns
    beside the puzzles; malformed lines are reported, the rest is solved, and the exit code is 2.
    A method that stops before the solution says how far it came (grid, filled).
    """
    if find_all and first:
        raise click.UsageError("--all and --first exclude each other")
    source = open_source(text, kind)
    limit = MOST_SOLUTIONS if find_all else 1 if first else 2
    give(_solved(source, Solving(method, limit, given(options))), output, SOLVE_VIEW)
    return source.exit_code()


@click.command(cls=TextCommand)
@TEXT_ARGUMENT
@KIND_OPTION
@click.option("--scheme", metavar="S", help="Rate by one scheme beside the basic columns: a "
              "rater's name (hodoku), or all.")  # fmt: skip
@click.option("--raters", metavar="R,R", help="Rate by these raters and no others, as in a plan.")
@click.option("--steps", is_flag=True, help="Add the steps of a human solution.")
@output_options
def grade(
    text: str | None,
    kind: str | None,
    scheme: str | None,
    raters: str | None,
    steps: bool,
    output: Output,
) -> int:
    """Grade one puzzle or a list: the columns of a corpus, one row for every puzzle.

    A puzzle without a single solution keeps its row, with the reason. Malformed lines are
    reported, the rest is graded, and the exit code is 2.
    """
    source = open_source(text, kind)
    chosen = api.checked_raters(source.kind, _raters(source, scheme, raters))
    prepare(source.kind, "grade", chosen)
    tables = api.graded(source.kind, source, chosen)
    batches = (_with_steps(source, table, scheme) for table in tables) if steps else tables
    give(batches, output, GRADE_VIEW.of(source.kind.schema(chosen)), steps)
    return source.exit_code()


@click.command(cls=TextCommand)
@TEXT_ARGUMENT
@KIND_OPTION
@output_options
def canonical(text: str | None, kind: str | None, output: Output) -> int:
    """Give the canonical form: the same text for all puzzles that are the same but for symmetry.

    For a Sudoku it is the smallest of its 81-character forms over all symmetries and
    relabelings; automorphisms counts the symmetries that leave it as it is.
    """
    source = open_source(text, kind)
    prepare(source.kind, "grade", source.kind.default_raters)
    give(api.canonicals(source.kind, source), output, CANONICAL_VIEW)
    return source.exit_code()


def _checked_page(_: click.Context, __: click.Parameter, path: Path | None) -> Path | None:
    return path if path is None else checked_place(path, PAGES)


@click.command(cls=TextCommand)
@TEXT_ARGUMENT
@KIND_OPTION
@click.option("--scheme", metavar="S", help="The scheme whose steps are told (hodoku, default).")
@click.option("--method", metavar="M", help="The method whose steps are told: models, analytic or "
              "human-path.")  # fmt: skip
@method_options
@click.option("--html", "html", metavar="FILE", callback=_checked_page,
              type=click.Path(path_type=Path, allow_dash=False),
              help="Write a page that shows the grid and pencilmarks step by step.")  # fmt: skip
@output_options
def explain(
    text: str | None,
    kind: str | None,
    scheme: str | None,
    method: str | None,
    html: Path | None,
    output: Output,
    **options: Any,
) -> int:
    """Tell the steps by which a person can solve one puzzle, up to where a scheme ends.

    The page of --html is one file without links: any browser shows it, stepping with the arrow
    keys, and prints it.
    """
    if scheme is not None and method is not None:
        raise click.UsageError("--scheme and --method exclude each other")
    source = open_source(text, kind)
    for puzzle in islice(source, 1):
        with announced(source.kind, method is not None):
            found = explanation.explain(source.kind, puzzle, scheme or method, given(options))
        if html is not None:
            with whole_file(html) as path:
                path.write_text("".join(explanation.page(found)), encoding="utf-8")
        if output.style != "table":
            write([found.steps], output, View((), "text"))
        elif html is None:
            for line in explanation.text_lines(found):
                click.echo(line)
    return source.exit_code()


def _solved(source: Source, how: Solving) -> Iterator[list[Row]]:
    for puzzle in source:
        if source.accepted > 1:
            yield [source.kind.solve(puzzle, *how)]
            continue
        with announced(source.kind, how.method is not None):
            first = source.kind.solve(puzzle, *how)
        yield [first]


def give(batches: Iterator[Any], output: Output, view: View, steps: bool = False) -> None:
    """Write the batches; a single row for a person as facts, one a line, then its steps."""
    if output.style != "table":
        write(batches, output, view)
        return
    first = next(batches, None)
    second = next(batches, None) if first is not None and len(first) == 1 else None
    if first is not None and len(first) == 1 and second is None:
        row = first[0] if isinstance(first, list) else first.to_pylist()[0]
        write_facts(_with_counts(row), sys.stdout)
        for solution in row.get("solutions") or []:
            click.echo(solution)
        _print_steps(row.get("steps") or [] if steps else [])
    else:
        write(_before((first, second), batches), output, view)


def _with_counts(row: Row) -> Row:
    """The row with its counts by name as one text each: `hidden_single 52, supposition 7`."""
    return {
        name: ", ".join(f"{key} {count}" for key, count in value.items() if count)
        if isinstance(value, dict)
        else value
        for name, value in row.items()
    }


def _before(firsts: tuple[Any, ...], batches: Iterator[Any]) -> Iterator[Any]:
    yield from (batch for batch in firsts if batch is not None)
    yield from batches


def _raters(source: Source, scheme: str | None, raters: str | None) -> tuple[str, ...] | None:
    if scheme is not None and raters is not None:
        raise click.UsageError("--scheme and --raters exclude each other")
    if raters is not None:
        return tuple(rater.strip() for rater in raters.split(",") if rater.strip())
    if scheme == "all":
        return tuple(source.kind.rater_versions)
    return None if scheme is None else ("basic", scheme)


def _with_steps(source: Source, table: Any, scheme: str | None) -> list[Row]:
    rows: list[Row] = table.to_pylist()
    for row in rows:
        try:
            row["steps"] = source.kind.explain(row["puzzle"], None if scheme == "all" else scheme)
        except PuzzleStateError:
            row["steps"] = None  # no single solution: nothing to explain
    return rows


def _print_steps(steps: list[dict[str, Any]]) -> None:
    width = len(str(len(steps)))
    for number, step in enumerate(steps, start=1):
        click.echo(f"{number:>{width}}. {step.get('text') or step.get('technique')}")
