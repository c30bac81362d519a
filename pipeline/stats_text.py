"""The figures of a corpus as tables for a person, with bars."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich import box
from rich.table import Table

from pipeline.stats import CorpusStats, Use

BAR = 24


def stats_tables(stats: CorpusStats) -> list[Table]:
    """The figures as rich tables: summary, levels, clues, techniques, ratings, reasons."""
    tables = [_summary(stats)]
    counted: list[tuple[str, Mapping[Any, int]]] = [("Levels", stats.levels)]
    counted += [("Clues", stats.clues)]
    counted += [(_title(name), counts) for name, counts in stats.sizes.items()]
    for title, counts in counted:
        if counts:
            tables.append(_histogram(title, counts.items(), stats.rows))
    used = [use for use in stats.techniques if use.rows]
    if used:
        tables.append(_techniques(used, stats.rows))
    if any(stats.ratings.values()):
        tables.append(_ratings(stats))
    for title, named in (("Symmetry", stats.symmetries), ("Reasons", stats.reasons)):
        if named:
            tables.append(_histogram(title, named.items(), stats.rows))
    return tables


def _summary(stats: CorpusStats) -> Table:
    table = _table("Corpus", ("", "left"), ("", "left"))
    merged = stats.merged
    table.add_row("folder", stats.corpus)
    table.add_row("content", stats.content)
    if stats.where:
        table.add_row("filter", stats.where)
    table.add_row("rows", f"{stats.rows:,}")
    table.add_row("read", f"{merged.read:,}")
    table.add_row("doubles", f"{merged.double:,} ({_share(merged.double, merged.read)})")
    if merged.surplus:
        table.add_row("surplus", f"{merged.surplus:,}")
    if merged.rejected:
        table.add_row("rejected lines", f"{merged.rejected:,}")
    for credit in stats.credits:
        table.add_row("credit", credit)
    if not stats.complete:
        table.add_row("complete", "no")
    return table


def _histogram(title: str, counts: Iterable[tuple[Any, int]], rows: int) -> Table:
    table = _table(title, ("", "left"), ("rows", "right"), ("share", "right"), ("", "left"))
    pairs = list(counts)
    most = max(count for _, count in pairs)
    for name, count in pairs:
        table.add_row(str(name), f"{count:,}", _share(count, rows), _bar(count, most))
    return table


def _techniques(used: list[Use], rows: int) -> Table:
    heads = (("rater", "left"), ("technique", "left"), ("rows", "right"), ("share", "right"),
             ("uses a row", "right"), ("", "left"))  # fmt: skip
    table = _table("Techniques", *heads)
    most = max(use.rows for use in used)
    for use in used:
        share = _share(use.rows, rows)
        cells = (use.rater, use.technique, f"{use.rows:,}", share, f"{use.mean:.2f}")
        table.add_row(*cells, _bar(use.rows, most))
    return table


def _ratings(stats: CorpusStats) -> Table:
    heads = [(name, "right") for name in ("rows", "min", "10 %", "median", "90 %", "max")]
    table = _table("Ratings", ("rating", "left"), ("level", "left"), *heads)
    for name, spreads in stats.ratings.items():
        for level, one in spreads.items():
            values = (one.min, one.p10, one.median, one.p90, one.max)
            table.add_row(name, level, f"{one.rows:,}", *(f"{value:,}" for value in values))
    return table


def _title(column: str) -> str:
    return column.replace("_", " ").capitalize()


def _table(title: str, *heads: tuple[str, Any]) -> Table:
    shown = any(name for name, _ in heads)
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, show_header=shown)
    for name, justify in heads:
        table.add_column(name, justify=justify, no_wrap=True)
    return table


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _bar(count: int, most: int) -> str:
    return "█" * max(1, round(BAR * count / most)) if count else ""
