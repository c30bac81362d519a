"""corpus stats, query, export, merge, audit, codebook: what is in a corpus, and out of it."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeline.commands.output import Output, View, output_options, write

if TYPE_CHECKING:
    from pipeline.corpus.reading import Corpus

DIR = click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
FILTER = "hodoku_score in 900..1100 and level == 'hard'"
VIEW = View(
    ("puzzle", "clues", "level", "hodoku_score", "er", "hardest_technique", "reason"), "puzzle"
)
INCOMPLETE = click.option("--incomplete", is_flag=True,
                          help="Read a corpus that lacks quotas or jobs, too.")  # fmt: skip
COLUMNS = click.option("--columns", metavar="C,C", help="These columns, in this order.")
LIMIT = click.option("--limit", metavar="N", type=click.IntRange(0), help="At most so many rows.")


def _where(text: str) -> Callable[[Any], Any]:
    return click.option("--where", metavar="FILTER", help=f"{text} for which this holds, as "
                        f'"{FILTER}".')  # fmt: skip


@click.group()
def corpus() -> None:
    """Look into a corpus. DIR is a corpus folder or the folder of a run that has one."""


@corpus.command()
@DIR
@_where("Count only rows")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--plots", is_flag=True, help="Also draw plots, into plots/ beside the corpus.")
@click.option("--plots-to", metavar="FOLDER", type=click.Path(path_type=Path, file_okay=False),
              help="Draw plots into this folder.")  # fmt: skip
@INCOMPLETE
def stats(
    folder: Path,
    where: str | None,
    as_json: bool,
    plots: bool,
    plots_to: Path | None,
    incomplete: bool,
) -> None:
    """Count levels, clues, techniques, ratings, doubles and reasons."""
    from pipeline.stats import corpus_stats, stats_json

    opened = _opened(folder, incomplete)
    found = corpus_stats(opened, where)
    if as_json:
        click.echo(stats_json(found))
    else:
        _print_tables(found)
    if plots or plots_to is not None:
        from pipeline.stats_plots import plot_stats

        for path in plot_stats(found, plots_to or opened.folder.absolute().parent / "plots"):
            click.echo(f"plot: {path}", err=True)


@corpus.command()
@DIR
@click.argument("where", metavar="FILTER")
@COLUMNS
@LIMIT
@click.option("--count", is_flag=True, help="Only tell how many rows there are.")
@INCOMPLETE
@output_options
def query(
    folder: Path,
    where: str,
    columns: str | None,
    limit: int | None,
    count: bool,
    incomplete: bool,
    output: Output,
) -> None:
    """Show the rows for which FILTER holds, in the order of the corpus.

    FILTER compares columns: "hodoku_score in 900..1100 and level == 'hard'", "hodoku_t_x_wing >=
    1 or not minimal", "level in ['easy', 'medium'] and reason is null". With --json, --csv or -o
    rows have all columns unless --columns names some.
    """
    opened = _opened(folder, incomplete)
    if count:
        click.echo(str(opened.count(where)))
        return
    chosen = _names(columns)
    view = View(tuple(chosen), chosen[0]) if chosen else VIEW.of(opened.schema)
    write(_tables(opened, chosen, where, limit), output, view)


@corpus.command()
@DIR
@click.argument("out", metavar="FILE", type=click.Path(path_type=Path))
@_where("Only rows")
@COLUMNS
@LIMIT
@click.option("--by-level", is_flag=True,
              help="A file for each level: bank.csv becomes bank-easy.csv, ...")  # fmt: skip
@click.option("--overwrite", is_flag=True, help="Replace files that exist.")
@INCOMPLETE
def export(
    folder: Path,
    out: Path,
    where: str | None,
    columns: str | None,
    limit: int | None,
    by_level: bool,
    overwrite: bool,
    incomplete: bool,
) -> None:
    """Write rows to FILE for other programs: .csv, .jsonl, .parquet, .sqlite, or .txt.

    A .txt file has the puzzles alone, one a line. All files appear when all are whole.
    """
    from pipeline.export import export as export_rows

    written = export_rows(
        _opened(folder, incomplete),
        out,
        where=where,
        columns=_names(columns) or None,
        by_level=by_level,
        limit=limit,
        overwrite=overwrite,
    )
    for one in written:
        click.echo(str(one.path))
        click.echo(f"{one.path}: {one.rows:,} rows", err=True)


@corpus.command()
@click.argument("folders", metavar="DIR...", nargs=-1, required=True,
                type=click.Path(path_type=Path))  # fmt: skip
@click.option("-o", "--output", "out", metavar="FOLDER", required=True,
              type=click.Path(path_type=Path), help="Folder of the new corpus.")  # fmt: skip
@click.option("--dedupe", type=click.Choice(["canonical", "string", "none"]), default="canonical",
              show_default=True, help="What are doubles: puzzles that a symmetry turns into each "
              "other, equal texts, or none.")  # fmt: skip
@click.option("--levels", metavar="FILE",
              help="Levels file for all rows. Default: the one that all have.")  # fmt: skip
@click.option("--overwrite", is_flag=True, help="Replace a corpus in FOLDER.")
@INCOMPLETE
def merge(
    folders: tuple[Path, ...],
    out: Path,
    dedupe: Any,
    levels: str | None,
    overwrite: bool,
    incomplete: bool,
) -> None:
    """Merge corpora into one; of doubles the row of the corpus named first stays.

    A column `run` says where a row came from. Corpora whose raters have different versions do
    not mix. The last line printed is the new folder.
    """
    from pipeline.corpus.merge import merge_corpora
    from pipeline.corpus.reading import corpus_folder
    from pipeline.levels import load_levels

    made = merge_corpora(
        [corpus_folder(folder) for folder in folders],
        out,
        dedupe=dedupe,
        levels=None if levels is None else load_levels(levels),
        incomplete=incomplete,
        overwrite=overwrite,
    )
    click.echo(f"{out}: {made.rows.unique:,} rows, {made.rows.double:,} doubles", err=True)
    click.echo(str(out))


@corpus.command()
@click.argument("folders", metavar="DIR...", nargs=-1, required=True,
                type=click.Path(path_type=Path))  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def audit(folders: tuple[Path, ...], as_json: bool) -> int:
    """Read every row of corpora: order, levels, ranges, doubles, and puzzles they share.

    Exit code 5 when a corpus is not what its manifest says. Needs 24 bytes of memory a row.
    """
    import msgspec

    from pipeline.audit import audit as audit_corpora
    from pipeline.audit import audit_text

    found = audit_corpora(folders)
    click.echo(msgspec.json.encode(found).decode() if as_json else audit_text(found).rstrip())
    return 0 if found.sound else 5


@corpus.command("codebook")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option("--kind", metavar="KIND", help="Without DIR: what corpora of this kind have, by all "
              "its raters. Default: sudoku.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object a column.")
@click.option("--markdown", is_flag=True, help="A table in Markdown.")
def print_codebook(folder: Path | None, kind: str | None, as_json: bool, markdown: bool) -> None:
    """Tell what the columns of a corpus mean: type, unit, what null means, rater and version."""
    from pipeline import codebook
    from pipeline.schemas import kind_schema

    for one, other, words in (
        (folder, kind, "DIR and --kind"), (as_json, markdown, "--json and --markdown"),
    ):  # fmt: skip
        if one and other:
            raise click.UsageError(f"{words} exclude each other")
    schema = kind_schema(kind or "sudoku") if folder is None else _opened(folder, True).schema
    entries = codebook.codebook(schema)
    shown = codebook.codebook_markdown if markdown else codebook.codebook_text
    click.echo((codebook.codebook_json if as_json else shown)(entries), nl=False)


def _opened(folder: Path, incomplete: bool) -> "Corpus":
    from pipeline.corpus.reading import open_corpus

    return open_corpus(folder, incomplete)


def _tables(opened: "Corpus", columns: list[str], where: str, limit: int | None) -> Iterator[Any]:
    """Tables of rows; one at least, so that a file has its columns."""
    empty = True
    for table in opened.batches(columns or None, where, limit):
        empty = False
        yield table
    if empty:
        yield opened.select(columns or None).empty_table()


def _names(columns: str | None) -> list[str]:
    return [name.strip() for name in (columns or "").split(",") if name.strip()]


def _print_tables(found: Any) -> None:
    from rich.console import Console

    from pipeline.stats_text import stats_tables

    wide = None if sys.stdout.isatty() else 120  # a pipe has no width of its own
    console = Console(width=wide)
    for table in stats_tables(found):
        console.print(table)
