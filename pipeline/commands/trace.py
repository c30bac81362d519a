"""trace: how a brute-force search goes up and down, as a plot or a table."""

from itertools import islice
from pathlib import Path

import click
import msgspec

from pipeline import trace as tracing
from pipeline.commands.kernels import announced
from pipeline.commands.output import Output, View, checked_place, write
from pipeline.commands.puzzles import KIND_OPTION, TEXT_ARGUMENT
from pipeline.commands.source import TextCommand, open_source
from workers.errors import UsageError

PLOTS = (".png", ".svg")
MOST_POINTS = 1 << 22


@click.command(cls=TextCommand)
@TEXT_ARGUMENT
@KIND_OPTION
@click.option("-o", "--output", "path", metavar="FILE",
              type=click.Path(path_type=Path, allow_dash=False),
              help="Draw to FILE.png or FILE.svg, or write the table to FILE.csv; an old FILE is "
              "replaced when the new one is whole.")  # fmt: skip
@click.option("--histogram", is_flag=True,
              help="The table of calls by filled cells instead of the curve, as CSV.")  # fmt: skip
@click.option("--points", metavar="N", type=click.IntRange(2, MOST_POINTS),
              help=f"Most points of the curve ({tracing.TABLE_POINTS:,}; in a plot "
              f"{tracing.PLOT_POINTS:,}); a longer search is thinned as it runs.")  # fmt: skip
@click.option("--budget", metavar="N", type=click.IntRange(1, 10**12),
              default=tracing.MOST_CALLS, show_default=True,
              help="Recursive calls after which the search is cut off.")  # fmt: skip
@click.option("--max-depth", metavar="N", type=click.IntRange(0, 81),
              help="Fill in at most N cells.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object with all there is.")
@click.option("--csv", "as_csv", is_flag=True, help="The table on stdout.")
def trace(
    text: str | None,
    kind: str | None,
    path: Path | None,
    histogram: bool,
    points: int | None,
    budget: int,
    max_depth: int | None,
    as_json: bool,
    as_csv: bool,
) -> int:
    """Trace the brute-force search of one puzzle: its filled cells at each recursive call.

    Without -o it prints the counts and a histogram by filled cells. The plot shows the stripes:
    numbers of filled cells where the search stays long, between others that it only passes.
    """
    suffix = _checked_suffix(path, as_json, as_csv, histogram)
    source = open_source(text, kind)
    for puzzle in islice(source, 1):
        most = points or (tracing.PLOT_POINTS if suffix in PLOTS else tracing.TABLE_POINTS)
        with announced(source.kind, by_method=True):
            found = tracing.trace(source.kind, puzzle, budget, most, max_depth)
        if path is not None and suffix in PLOTS:
            from pipeline.trace_plot import plot_trace

            plot_trace(found, path)
        elif as_json:
            click.echo(msgspec.json.encode(found).decode())
        elif as_csv or histogram or path is not None:
            rows = tracing.level_rows(found) if histogram else tracing.curve_rows(found)
            write([rows], Output(False, path is None, path), View((), "call"))
        else:
            for line in tracing.text_lines(found):
                click.echo(line)
    return source.exit_code()


def _checked_suffix(path: Path | None, as_json: bool, as_csv: bool, histogram: bool) -> str:
    """The format asked for, before anything is computed; UsageError where it cannot be."""
    if as_json and (as_csv or histogram or path is not None):
        raise click.UsageError("--json excludes --csv, --histogram and -o")
    if path is None:
        return ""
    suffix = checked_place(path, (*PLOTS, ".csv")).suffix.lower()
    if suffix in PLOTS:
        if as_csv or histogram:
            raise UsageError("-o", f"{path}: is no table, as --csv and --histogram ask for")
        from pipeline.plots import require_matplotlib

        require_matplotlib()
    return suffix
