"""bench: the benchmark table."""

from collections.abc import Iterator
from pathlib import Path

import click

from pipeline import bench as measures
from pipeline.commands.output import Output, Row, View, output_options, write
from workers.errors import UsageError

COLUMNS = ("bench", "list", "n", "per_cpu_second", "compile_s", "peer", "ratio")


@click.command()
@click.option("--list", "lists", metavar="FILE", multiple=True, type=click.Path(path_type=Path),
              help="A list of Sudokus to solve, grade and make canonical; may be repeated. "
              f"Without it {measures.GENERATED_LIST:,} generated puzzles.")  # fmt: skip
@click.option("--peer", "peers", metavar="NAME=COMMAND", multiple=True,
              help="Another solver to compare with: COMMAND is run with the path of the list as "
              "its last argument and must exit with 0. May be repeated.")  # fmt: skip
@click.option("--generator", "generators", metavar="NAME=COMMAND", multiple=True,
              help="Another generator to compare with: COMMAND is run with the number of puzzles "
              "as its last argument. May be repeated.")  # fmt: skip
@click.option("--only", metavar="B,B", help=f"Only these of {', '.join(measures.BENCHES)}.")
@click.option("--rounds", metavar="N", type=click.IntRange(1, 1000), default=5, show_default=True,
              help="Timings of each figure; the median counts.")  # fmt: skip
@output_options
def bench(
    lists: tuple[Path, ...],
    peers: tuple[str, ...],
    generators: tuple[str, ...],
    only: str | None,
    rounds: int,
    output: Output,
) -> None:
    """Measure puzzles per CPU-second: generator, solver, canonical form, grader and more.

    The generator makes independent minimal puzzles. The solver finds the solution and proves it
    the only one (limit 2), one thread. compile_s is what preceded the first answer, told apart. A
    peer's CPU time is that of its whole process, less what it needs for an empty list (or for one
    puzzle), which is its compile_s; it runs in turns with our own, over copies of a short list,
    and ratio is ours over the peer's: above 1 this program is faster. The rest works on the first
    1,000 puzzles of a list: canonical form, symmetry, and of those with one solution minimality,
    smallest backdoors, neighbours (drop 3 and complete) and grades.
    """
    chosen = measures.BENCHES if only is None else tuple(part.strip() for part in only.split(","))
    for name in chosen:
        if name not in measures.BENCHES:
            raise UsageError("--only", f"unknown {name!r} ({', '.join(measures.BENCHES)})")
    programs = [dict(_named(one, option) for one in given) for option, given in
                (("--peer", peers), ("--generator", generators))]  # fmt: skip
    found = measures.figures(lists, programs[0], chosen, rounds, programs[1])
    write(_batches(found), output, View(COLUMNS, "per_cpu_second", least_width=14))


def _batches(figures: Iterator[measures.Figure]) -> Iterator[list[Row]]:
    for figure in figures:
        yield [figure._asdict()]


def _named(program: str, option: str) -> tuple[str, str]:
    name, equals, command = program.partition("=")
    if not (name and equals and command.strip()):
        raise UsageError(option, f"{program!r} is not NAME=COMMAND")
    return name, command
