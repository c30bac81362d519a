"""The trace of a brute-force search as a plot: its stripes, and the calls by filled cells.

A short search is drawn call by call. Of a long one each column of the plot covers many calls;
its shades say how often they had so many filled cells, which is what makes the stripes: levels
where the search stays, between those it only passes.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.plots import BAR, FAINT, INK, MUTED, faint_grid, plain_axes, saved_figure
from pipeline.trace import Trace, last_calls

COLUMNS = 360
LINE_POINTS = 3000
"""Searches of at most so many calls are drawn as a line."""
HEIGHT, WIDTH = 4.0, 8.6
LOW, HIGH = "#7d8f9c", "#c8502d"
SHADES = ("#f2f7fa", "#cfe3ef", "#8cc0dc", "#3f8fc0", "#1c5f95", "#0c3259")


def plot_trace(found: Trace, path: Path) -> None:
    """Write the plot of a trace to `path` (.svg or .png).

    Raises UsageError when matplotlib is not installed.
    """
    with saved_figure(path, HEIGHT, WIDTH) as figure:
        draw_trace(found, figure)


def draw_trace(found: Trace, figure: Any) -> None:
    """Draw a trace and its histogram into a figure."""
    curve, levels = figure.subplots(1, 2, sharey=True, width_ratios=(4, 1))
    for axes in (curve, levels):
        plain_axes(axes)
    if found["calls_per_point"] == 1 and found["iterations"] <= LINE_POINTS:
        _line(found, curve)
    else:
        _stripes(found, curve)
    _histogram(found, levels)
    at_least = "at least " if found["censored"] else ""
    curve.set_title(f"{at_least}{found['iterations']:,} recursive calls, {found['outcome']}",
                    loc="left")  # fmt: skip
    curve.set_ylim(found["clues"] - 1.5, 82.5)
    curve.set_ylabel("filled cells")
    curve.set_xlabel("recursion step", loc="left")
    curve.yaxis.set_major_locator(_every_ninth())


def _every_ninth() -> Any:
    from matplotlib.ticker import MultipleLocator

    return MultipleLocator(9)


def _line(found: Trace, axes: Any) -> None:
    axes.plot(last_calls(found), found["last"], color=BAR, linewidth=0.7)
    faint_grid(axes, "y")
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlim(0, max(1, found["iterations"]) * 1.01)


def _stripes(found: Trace, axes: Any) -> None:
    """Shades for the levels, and lines for the fewest and the most filled cells."""
    from matplotlib.colors import LinearSegmentedColormap

    calls, shares = shares_by_column(found)
    shades = LinearSegmentedColormap.from_list("stripes", SHADES)
    shown = np.ma.masked_equal(shares, 0)
    edges = np.arange(found["clues"] - 0.5, 82)
    mesh = axes.pcolormesh(calls, edges, shown, cmap=shades, vmin=0, vmax=_darkest(shares),
                           rasterized=True)  # fmt: skip
    lowest, highest = _envelope(found, len(calls) - 1)
    middles = (calls[1:] + calls[:-1]) / 2
    axes.plot(middles, lowest, color=LOW, linewidth=0.6, label="fewest cells")
    axes.plot(middles, highest, color=HIGH, linewidth=0.6, label="most")
    axes.xaxis.set_major_formatter(_short_counts())
    axes.set_xlim(0, calls[-1])
    axes.tick_params(length=0)
    _explain_colours(axes, mesh)


def _explain_colours(axes: Any, mesh: Any) -> None:
    """The legend and the scale of the shades, beside the name of the x axis."""
    axes.legend(loc="upper left", bbox_to_anchor=(0.2, -0.085), ncols=2, fontsize=7.5,
                frameon=False)  # fmt: skip
    scale = axes.inset_axes((0.74, -0.135, 0.26, 0.022))
    bar = axes.figure.colorbar(mesh, cax=scale, orientation="horizontal")
    bar.ax.tick_params(labelsize=7, length=0, pad=1.5)
    bar.ax.xaxis.set_major_formatter("{x:.0%}")
    bar.ax.xaxis.set_major_locator(_few_ticks())
    bar.outline.set_visible(False)
    bar.ax.set_ylabel("share of calls", fontsize=7.5, rotation=0, ha="right", va="center",
                      labelpad=3)  # fmt: skip


def _short_counts() -> Any:
    from matplotlib.ticker import EngFormatter

    return EngFormatter(sep=" ")


def _darkest(shares: NDArray[np.float64]) -> float:
    """The share that gets the darkest shade: few are higher."""
    return float(np.quantile(shares[shares > 0], 0.99))


def shares_by_column(found: Trace) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The calls at the edges of the columns (c + 1,), and the shares of filled cells (81, c).

    The last call of every point stands for all that it covers. Row 0 is the number of clues.
    """
    last = np.array(found["last"])
    starts = _starts(len(last))
    column = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(last))))
    shares = np.zeros((82 - found["clues"], len(starts)))
    np.add.at(shares, (last - found["clues"], column), 1.0)
    shares /= shares.sum(axis=0)
    ends = np.append(starts[1:], len(last)) * found["calls_per_point"]
    return np.append(0.0, np.minimum(ends, found["iterations"])), shares


def _starts(points: int) -> NDArray[np.int64]:
    """The first point of each column; every column has at least one."""
    columns = min(COLUMNS, points)
    return np.arange(columns) * points // columns


def _envelope(found: Trace, columns: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    starts = np.arange(columns) * len(found["last"]) // columns
    lowest = np.minimum.reduceat(np.array(found["lowest"]), starts)
    highest = np.maximum.reduceat(np.array(found["highest"]), starts)
    return lowest, highest


def _histogram(found: Trace, axes: Any) -> None:
    filled = np.arange(82)
    axes.barh(filled, found["levels"], height=0.9, color=BAR)
    axes.xaxis.set_major_formatter(_short_counts())
    axes.xaxis.set_major_locator(_few_ticks())
    axes.set_xlim(0, max(1, *found["levels"]) * 1.05)
    axes.grid(axis="x", color=FAINT, linewidth=0.7)
    axes.tick_params(length=0)
    axes.set_xlabel("calls", loc="left")
    axes.axhline(found["clues"], color=MUTED, linewidth=0.8, linestyle=(0, (3, 3)))
    axes.annotate(f"{found['clues']} clues", (1, found["clues"]), xytext=(0, 3), color=INK,
                  xycoords=("axes fraction", "data"), textcoords="offset points", ha="right",
                  fontsize=7.5)  # fmt: skip


def _few_ticks() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(3)
