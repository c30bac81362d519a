"""The figures of a corpus as plots: levels, clues, techniques, ratings (needs matplotlib).

Equal figures give equal files: no date, no random identifiers.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Literal

from pipeline.plots import BAR, INK, MUTED, faint_grid, plain_axes, saved_figure
from pipeline.stats import NO_LEVEL, CorpusStats

Suffix = Literal["svg", "png"]
LEVEL_SHADES = ("#8cc5e3", "#5fa8d3", "#3a86b7", "#2a6291", "#1f456e", "#142b4a")
ROW = 0.26


def plot_stats(stats: CorpusStats, folder: Path, suffix: Suffix = "svg") -> list[Path]:
    """Write levels, sizes, techniques and ratings plots to `folder`; returns their paths.

    A plot without data is left out. Raises UsageError when matplotlib is not installed.
    """
    plots: dict[str, tuple[Any, Callable[[CorpusStats, Any], None]]] = {
        "levels": (stats.levels, _levels),
        **_size_plots(stats),
        "techniques": ([use for use in stats.techniques if use.rows], _techniques),
        "ratings": (next(iter(stats.ratings.values()), None), _ratings),
    }
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, (has_data, draw) in plots.items():
        if has_data:
            path = folder / f"{name}.{suffix}"
            with _figure(path, _height(name, has_data)) as axes:
                draw(stats, axes)
            written.append(path)
    return written


@contextmanager
def _figure(path: Path, height: float) -> Iterator[Any]:
    """Axes in the house's style; the file is whole when it appears."""
    with saved_figure(path, height) as figure:
        axes = figure.add_subplot()
        plain_axes(axes)
        yield axes


def _height(name: str, rows: Any) -> float:
    """Inches: horizontal bars need a line each."""
    return max(2.2, 1.0 + ROW * len(rows)) if name == "techniques" else 3.2


def _levels(stats: CorpusStats, axes: Any) -> None:
    names, counts = list(stats.levels), list(stats.levels.values())
    ranked = [name for name in names if name != NO_LEVEL]
    shades = dict(zip(ranked, _shades(len(ranked)), strict=True))
    bars = axes.bar(names, counts, color=[shades.get(name, MUTED) for name in names], width=0.7)
    axes.bar_label(bars, [f"{count:,}\n{count / stats.rows:.1%}" for count in counts], padding=2,
                   fontsize=8)  # fmt: skip
    axes.margins(y=0.18)
    axes.set_ylabel("puzzles")
    faint_grid(axes, "y")
    axes.set_title(f"Levels of {stats.rows:,} puzzles", loc="left")


def _size_plots(stats: CorpusStats) -> dict[str, tuple[Any, Callable[[CorpusStats, Any], None]]]:
    """One plot for clues and for every column with the role "size"."""
    counted = {"clues": stats.clues, **stats.sizes}
    return {
        name: (counts, partial(_sizes, name=name, counts=counts))
        for name, counts in counted.items()
    }


def _sizes(stats: CorpusStats, axes: Any, name: str, counts: dict[int, int]) -> None:
    axes.bar(list(counts), list(counts.values()), color=BAR, width=0.85)
    mean = sum(size * rows for size, rows in counts.items()) / sum(counts.values())
    axes.set_xlabel(_words(name))
    axes.set_ylabel("puzzles")
    axes.xaxis.get_major_locator().set_params(integer=True)
    faint_grid(axes, "y")
    axes.set_title(f"{_words(name).capitalize()} (mean {mean:.1f})", loc="left")


def _techniques(stats: CorpusStats, axes: Any) -> None:
    used = [use for use in stats.techniques if use.rows]
    raters = {use.rater for use in used}
    names = [_words(use.technique) + (f" ({use.rater})" if len(raters) > 1 else "") for use in used]
    shares = [use.rows / stats.rows for use in used]
    bars = axes.barh(range(len(used)), shares, color=BAR, height=0.72)
    labels = [f"{share:.1%}, {use.mean:.1f} times" for share, use in zip(shares, used, strict=True)]
    axes.bar_label(bars, labels, padding=3, fontsize=7.5)
    axes.set_yticks(range(len(used)), names)
    axes.set_ylim(len(used) - 0.4, -0.6)
    axes.set_xlim(0, max(shares) * 1.22)
    axes.set_xlabel("share of puzzles that use it, and how often these do")
    faint_grid(axes, "x", "{x:.0%}")
    axes.set_title("Techniques", loc="left")


def _ratings(stats: CorpusStats, axes: Any) -> None:
    """Per level: a thin line from min to max, a thick one from 10 to 90 %, a dot at the median."""
    name, spreads = next(iter(stats.ratings.items()))
    levels = [level for level in spreads if level != "all"] or ["all"]
    for place, (level, shade) in enumerate(zip(levels, _shades(len(levels)), strict=True)):
        one = spreads[level]
        axes.hlines(place, one.min, one.max, color=MUTED, linewidth=1.5)
        axes.hlines(place, one.p10, one.p90, color=shade, linewidth=9)
        axes.plot(one.median, place, "o", color="white", markeredgecolor=INK, markersize=6)
        axes.annotate(f"{one.median:,g}", (one.median, place), xytext=(0, 9), fontsize=8,
                      textcoords="offset points", ha="center")  # fmt: skip
    axes.set_yticks(range(len(levels)), levels)
    axes.set_ylim(len(levels) - 0.4, -0.6)
    axes.set_xlabel(f"{_words(name)}: min to max, 10 to 90 %, median")
    faint_grid(axes, "x", "{x:,g}")
    axes.set_title("Ratings by level", loc="left")


def _shades(count: int) -> list[str]:
    """`count` shades from light to dark."""
    last = len(LEVEL_SHADES) - 1
    return [LEVEL_SHADES[round(place * last / max(count - 1, 1))] for place in range(count)]


def _words(name: str) -> str:
    return name.replace("_", " ")
