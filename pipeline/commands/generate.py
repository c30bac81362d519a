"""generate: new puzzles on stdout or in a file, without a run folder."""

from typing import Any

import click

from pipeline import api
from pipeline.commands.kernels import prepare
from pipeline.commands.output import Output, View, output_options, write
from pipeline.plan import apply_override

MOST = 1_000_000
VIEW = View(("puzzle", "clues", "level", "hodoku_score", "er", "hardest_technique"), "puzzle")


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
@output_options
def generate(
    kind: str,
    count: int,
    seed: int | None,
    raters: str | None,
    params: tuple[str, ...],
    output: Output,
) -> None:
    """Make new puzzles and rate them: the columns of a corpus, one row for every puzzle.

    The rows are those of a plan with this seed and 250 rows a job, before deduplication.
    """
    of_kind = api.find_kind(kind, [])
    if seed is None:
        seed = api.random_seed()
        click.echo(f"seed {seed}", err=True)
    values: dict[str, Any] = {}
    for text in params:
        apply_override(values, text)
    checked = api.checked_params(of_kind, values)
    named = None if raters is None else [word.strip() for word in raters.split(",")]
    chosen = api.checked_raters(of_kind, named)
    prepare(of_kind, "generate", chosen)
    write(api.generated(of_kind, count, seed, checked, chosen), output, VIEW)
