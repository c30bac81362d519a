"""generate: new puzzles on stdout or in a file, without a run folder."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from pipeline import api
from pipeline.commands.kernels import announced, prepare
from pipeline.commands.output import Output, View, output_options, write
from pipeline.toml import apply_override, with_files

if TYPE_CHECKING:
    from pipeline.target_search import TargetSearch

MOST = 1_000_000
MOST_TRIES = 10**9
MOST_CALLS = 10**15
SPAN = re.compile(r"(?P<only>\d+)|(?P<least>\d*)\.\.(?P<most>\d*)")
PARAMS = {"level": ("analytic_level", "level")}
"""Options whose parameter has another name: the first of these that the kind has."""
VIEW = View(("puzzle", "clues", "level", "hodoku_score", "er", "hardest_technique"), "puzzle")
PATH_VIEW = View(
    ("number", "removal", "cell", "clues", "iterations", "analytic_level", "suppositions"), "puzzle"
)


def _as_span(_: click.Context, __: click.Parameter, text: str | None) -> tuple[int, int] | None:
    """`A..B`, `A..`, `..B` or one number for both ends."""
    if text is None:
        return None
    found = SPAN.fullmatch(text)
    if found is None:
        raise click.BadParameter(f"{text!r} is neither A..B nor a number")
    if found["only"] is not None:
        return int(found["only"]), int(found["only"])
    return int(found["least"] or 0), int(found["most"] or MOST_CALLS)


@click.command()
@click.option("--kind", metavar="KIND", default=api.DEFAULT_KIND, show_default=True,
              help="Kind of the puzzles.")  # fmt: skip
@click.option("--count", metavar="N", type=click.IntRange(1, MOST), default=1, show_default=True,
              help=f"How many, at most {MOST:,}; a plan makes more (puzzlemill run).")  # fmt: skip
@click.option("--seed", metavar="S", type=click.IntRange(0, api.SEEDS - 1),
              help="Equal seeds, equal puzzles; 0 to 2**63-1. Without it a random one, which is "
              "printed.")  # fmt: skip
@click.option("--raters", metavar="R,R", help="Rate by these raters, as in a plan.")
@click.option("--set", "params", metavar="KEY=VALUE", multiple=True,
              help="A generation parameter of the kind, as under [params] in a plan; may be "
              "repeated.")  # fmt: skip
@click.option("--method", metavar="M",
              help="How a full grid becomes a puzzle: removal (default), opening or cut; or "
              "vicinity, walks from puzzle to puzzle towards the target.")  # fmt: skip
@click.option("--clues", metavar="A..B", callback=_as_span,
              help="Fewest and most clues, or one number for both (opening: to begin "
              "with).")  # fmt: skip
@click.option("--level", metavar="N", type=click.IntRange(0),
              help="opening, cut: the analytic level wanted, 0 to 3.")  # fmt: skip
@click.option("--iterations", metavar="A..B", callback=_as_span,
              help="opening, cut: fewest and most recursive calls of brute force (A.., "
              "..B).")  # fmt: skip
@click.option("--target", metavar="FILTER",
              help="Only puzzles for which this holds: a filter on any column, level included, as "
              "\"hodoku_score in 900..1100 and hodoku_t_x_wing >= 1\"; it is never "
              "relaxed.")  # fmt: skip
@click.option("--tries", metavar="N", type=click.IntRange(1, MOST_TRIES),
              help="With --target: puzzles tried at most. Default: 1,000 for each one "
              "wanted.")  # fmt: skip
@click.option("--path", "with_path", is_flag=True,
              help="cut: write the difficulty after each removal, a row each, "
              "instead.")  # fmt: skip
@output_options
def generate(
    kind: str,
    count: int,
    seed: int | None,
    raters: str | None,
    params: tuple[str, ...],
    target: str | None,
    tries: int | None,
    with_path: bool,
    output: Output,
    **wanted: Any,
) -> int:
    """Make new puzzles and rate them: the columns of a corpus, one row for every puzzle.

    The rows are those of a plan with this seed and 250 rows a job, before deduplication. Every
    puzzle has one solution, proven, whatever the method. Exit code 3 when the tries did not give
    enough puzzles that pass the target; those found are written all the same.
    """
    of_kind = api.find_kind(kind, [])
    if with_path and (raters is not None or target is not None):
        raise click.UsageError("--path excludes --raters and --target")
    if tries is not None and target is None:
        raise click.UsageError("--tries goes with --target")
    named = None if raters is None else [word.strip() for word in raters.split(",")]
    chosen = api.checked_raters(of_kind, named)
    values = _values(of_kind, params, wanted)
    search = None if target is None else api.target_search(target, of_kind, chosen)
    checked = api.checked_params(of_kind, values if search is None else api.steered(values, search))
    if seed is None:
        seed = api.random_seed()
        click.echo(f"seed {seed}", err=True)
    if with_path:
        with announced(of_kind, by_method=True):
            write(api.cut_paths(of_kind, count, seed, checked), output, PATH_VIEW)
        return 0
    prepare(of_kind, "generate", chosen)
    view = VIEW.of(of_kind.schema(chosen))
    if search is None:
        write(api.generated(of_kind, count, seed, checked, chosen), output, view)
        return 0
    write(api.aimed(search, of_kind, count, seed, checked, chosen, tries), output, view)
    return _told(search, count)


def _told(search: "TargetSearch", count: int) -> int:
    """Say how many puzzles passed; the exit code."""
    if search.found == count:
        click.echo(search.told, err=True)
        return 0
    click.echo(f"puzzlemill: target not filled: {search.told}, {count:,} wanted", err=True)
    return 3


def _values(kind: api.Kind, params: tuple[str, ...], wanted: dict[str, Any]) -> dict[str, Any]:
    """Generation parameters from --set and from the options with names of their own."""
    values: dict[str, Any] = {}
    for text in params:
        apply_override(values, text)
    values = with_files(values, Path())
    given = {name: value for name, value in wanted.items() if value is not None}
    named = {_param(kind, name): value for name, value in given.items()}
    for name in named.keys() & values.keys():
        raise click.UsageError(f"{name} is given twice")
    return values | named


def _param(kind: api.Kind, option: str) -> str:
    """The kind's parameter that an option is about."""
    known = [field.name for field in msgspec.structs.fields(kind.params_type)]
    names = PARAMS.get(option, (option,))
    return next((name for name in names if name in known), names[0])
