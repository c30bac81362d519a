"""solve, grade, canonical, explain: what one text is, or every text of a list."""

import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

import click

from pipeline import api
from pipeline.commands.kernels import announced, prepare
from pipeline.commands.output import Output, Row, View, output_options, write, write_facts
from pipeline.commands.source import Source, TextCommand, open_source
from workers.errors import PuzzleStateError

MOST_SOLUTIONS = 10_000
TEXT_ARGUMENT = click.argument("text", metavar="[TEXT | FILE | -]", required=False)
KIND_OPTION = click.option("--kind", metavar="KIND", help="Kind of the puzzles; told from the "
                           "texts where it can be.")  # fmt: skip

SOLVE_VIEW = View(("puzzle", "n_solutions", "solution", "level", "nodes"), "solution")
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


@click.command(cls=TextCommand)
@TEXT_ARGUMENT
@KIND_OPTION
@click.option("--method", metavar="M", help="How to solve; without it the fastest way there is.")
@click.option("--all", "find_all", is_flag=True,
              help=f"Give every solution, at most {MOST_SOLUTIONS:,}.")  # fmt: skip
@click.option("--first", is_flag=True, help="Stop at the first solution.")
@output_options
def solve(
    text: str | None,
    kind: str | None,
    method: str | None,
    find_all: bool,
    first: bool,
    output: Output,
) -> int:
    """Solve one puzzle or a list: its solution, and whether it is the only one.

    n_solutions 2 means more than one, unless --all counts them. A list may hold other columns
    beside the puzzles; malformed lines are reported, the rest is solved, and the exit code is 2.
    """
    if find_all and first:
        raise click.UsageError("--all and --first exclude each other")
    source = open_source(text, kind)
    limit = MOST_SOLUTIONS if find_all else 1 if first else 2
    _give(_solved(source, method, limit), output, SOLVE_VIEW)
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
    _give(batches, output, GRADE_VIEW)
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
    _give(api.canonicals(source.kind, source), output, CANONICAL_VIEW)
    return source.exit_code()


@click.command(cls=TextCommand)
@TEXT_ARGUMENT
@KIND_OPTION
@click.option("--scheme", metavar="S", help="The scheme whose steps are told (hodoku).")
@output_options
def explain(text: str | None, kind: str | None, scheme: str | None, output: Output) -> int:
    """Tell the steps by which a person can solve one puzzle."""
    source = open_source(text, kind)
    for puzzle in islice(source, 1):
        with announced(source.kind):
            steps = source.kind.explain(puzzle, scheme)
        if output.style == "table":
            _print_steps(steps)
        else:
            write([steps], output, View((), "text"))
    return source.exit_code()


def _solved(source: Source, method: str | None, limit: int) -> Iterator[list[Row]]:
    for puzzle in source:
        if source.accepted > 1:
            yield [source.kind.solve(puzzle, method, limit)]
            continue
        with announced(source.kind):
            first = source.kind.solve(puzzle, method, limit)
        yield [first]


def _give(batches: Iterator[Any], output: Output, view: View) -> None:
    """Write the batches; a single row for a person as facts, one a line."""
    if output.style != "table":
        write(batches, output, view)
        return
    first = next(batches, None)
    second = next(batches, None) if first is not None and len(first) == 1 else None
    if first is not None and len(first) == 1 and second is None:
        row = first[0] if isinstance(first, list) else first.to_pylist()[0]
        write_facts(row, sys.stdout)
        for solution in row.get("solutions") or []:
            click.echo(solution)
        _print_steps(row.get("steps") or [])
    else:
        write(_before((first, second), batches), output, view)


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
