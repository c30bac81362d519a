"""The plots of a study, drawn from its tables; equal tables give equal plots (needs matplotlib).

Each function draws on a figure, as `pipeline.plots.styled_figure` or a notebook gives one.
"""

from collections.abc import Callable
from io import StringIO
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pipeline.plots import BAR, INK, MUTED, faint_grid, plain_axes, styled_figure

Floats = NDArray[np.float64]
COLORS: Final = ("#2f6f9f", "#c2571a", "#5b2a86", "#3b7a57")
LEVEL_COLORS: Final = ("#8cc5e3", "#5fa8d3", "#3a86b7", "#2a6291", "#1f456e", "#142b4a")
BINS: Final = 10
NOTES: Final = ("Date", "Creator", "Format", "Type")
"""What matplotlib would write about a file into it; here it does not."""


def draw_agreement(figure: Any, metrics: pd.DataFrame, stratum: str = "all") -> None:
    """|Spearman| of each metric with its interval, a panel a target."""
    rows = metrics[(metrics["stratum"] == stratum) & metrics["spearman"].notna()]
    targets = list(dict.fromkeys(rows["target"]))
    for axes, target in zip(_panels(figure, len(targets), sharey=True), targets, strict=True):
        one = rows[rows["target"] == target].assign(size=lambda part: part["spearman"].abs())
        for place, row in enumerate(one.sort_values("size").itertuples()):
            ends = sorted((abs(float(row.spearman_low)), abs(float(row.spearman_high))))
            model = str(row.metric).startswith("model_")
            axes.hlines(place, *ends, color=COLORS[1] if model else COLORS[0], linewidth=2.5)
            axes.plot(row.size, place, "o", color=INK, markersize=4)
            axes.annotate(_words(row.metric), (0.005, place), xycoords=("axes fraction", "data"),
                          fontsize=7, va="center")  # fmt: skip
        axes.set_yticks([])
        axes.set_xlim(-0.45, 1)
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
        axes.set_xlabel("|Spearman| with 95 % interval")
        axes.set_title(target, loc="left")
        faint_grid(axes, "x", "{x:.2g}")
        plain_axes(axes)


def draw_dependency(figure: Any, metrics: pd.DataFrame) -> None:
    """|Spearman| of dependency_k against k, a line a target."""
    axes = figure.add_subplot()
    rows = metrics[(metrics["stratum"] == "all") & metrics["metric"].str.startswith("dependency_")]
    for color, (target, one) in zip(COLORS, rows.groupby("target", sort=False), strict=False):
        steps = one["metric"].str.removeprefix("dependency_").astype(int)
        axes.plot(steps, one["spearman"].abs(), "o-", color=color, label=str(target), markersize=4)
        low, high = one["spearman_low"].abs(), one["spearman_high"].abs()
        axes.fill_between(steps, low, high, color=color, alpha=0.12, linewidth=0)
    axes.set_xlabel("first k steps of the simulated solver")
    axes.set_ylabel("|Spearman| of dependency_k")
    axes.legend(frameon=False)
    faint_grid(axes, "y", "{x:.2f}")
    plain_axes(axes)


def draw_scatter(figure: Any, predictions: pd.DataFrame, target: str, model: str) -> None:
    """What folds predicted against what was observed, both on log scales."""
    axes = figure.add_subplot()
    rows = predictions[[target, f"{target}_model_{model}"]].dropna()
    seen, told = rows.iloc[:, 0].to_numpy(np.float64), rows.iloc[:, 1].to_numpy(np.float64)
    axes.plot(told, seen, ".", color=BAR, alpha=0.45, markersize=4)
    ends = [min(told.min(), seen.min()), max(told.max(), seen.max())]
    axes.plot(ends, ends, color=MUTED, linewidth=1)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(f"predicted {target} (folds without the puzzle)")
    axes.set_ylabel(f"observed {target}")
    r = np.corrcoef(np.log(told), np.log(seen))[0, 1]
    axes.set_title(f"{_words(model)}: r = {r:.3f} on logs, {len(rows):,} puzzles", loc="left")
    plain_axes(axes)


def draw_reliability(figure: Any, predictions: pd.DataFrame, target: str, model: str) -> None:
    """Mean observed against mean predicted in tenths of the predictions."""
    axes = figure.add_subplot()
    rows = predictions[[target, f"{target}_model_{model}"]].dropna()
    rows.columns = pd.Index(["seen", "told"])
    tenth = np.arange(len(rows)) * BINS // max(len(rows), 1)
    means = rows.sort_values("told").apply(np.log).groupby(tenth).agg(["mean", "std", "size"])
    told, seen = np.exp(means["told", "mean"]), np.exp(means["seen", "mean"])
    error = means["seen", "std"] / np.sqrt(means["seen", "size"])
    bars = np.abs(np.exp(np.log(seen).to_numpy() + np.array([[-1.96], [1.96]]) * error.to_numpy())
                  - seen.to_numpy())  # fmt: skip
    axes.errorbar(told, seen, yerr=bars, fmt="o", color=BAR, markersize=4, linewidth=1)
    ends = [float(min(told.min(), seen.min())), float(max(told.max(), seen.max()))]
    axes.plot(ends, ends, color=MUTED, linewidth=1)
    axes.set_xlabel(f"predicted {target}, mean of a tenth")
    axes.set_ylabel(f"observed {target}")
    axes.set_title("calibration in tenths, 95 % intervals", loc="left")
    plain_axes(axes)


def draw_levels(figure: Any, minutes: Floats, cuts: Floats, names: list[str]) -> None:
    """Predicted minutes of puzzles, cut into levels."""
    axes = figure.add_subplot()
    edges = np.geomspace(max(minutes.min(), 0.1), minutes.max() * 1.0001, 50)
    counts, _ = np.histogram(minutes, edges)
    level = np.searchsorted(cuts, edges[:-1], side="right")
    colors = [LEVEL_COLORS[min(int(rank), len(LEVEL_COLORS) - 1)] for rank in level]
    axes.bar(edges[:-1], counts, np.diff(edges), align="edge", color=colors)
    for cut in cuts:
        axes.axvline(cut, color=INK, linewidth=0.8, linestyle="--")
    for name, start, end in zip(names, [edges[0], *cuts], [*cuts, edges[-1]], strict=True):
        axes.annotate(name, (np.sqrt(start * end), 1.01), ha="center", fontsize=8,
                      xycoords=("data", "axes fraction"))  # fmt: skip
    axes.set_xscale("log")
    axes.set_xlabel("predicted minutes")
    axes.set_ylabel("puzzles")
    plain_axes(axes)


def draw_drift(figure: Any, drift: pd.DataFrame) -> None:
    """Columns of the panel, then against now, as standardised differences of each puzzle."""
    axes = figure.add_subplot()
    names = list(dict.fromkeys(drift["column"]))
    for place, name in enumerate(names):
        row = drift[drift["column"] == name].iloc[0]
        axes.hlines(place, 0, row["changed_share"], color=BAR, linewidth=6)
        axes.annotate(f"{row['changed_share']:.0%}", (row["changed_share"], place), xytext=(4, 0),
                      textcoords="offset points", va="center", fontsize=7)  # fmt: skip
    axes.set_yticks(range(len(names)), [_words(name) for name in names], fontsize=7)
    axes.set_xlim(0, 1.08)
    axes.set_xlabel("share of the panel whose value changed")
    faint_grid(axes, "x", "{x:.0%}")
    plain_axes(axes)


def svg(draw: Callable[..., None], height: float, *arguments: Any) -> str:
    """A drawing as an SVG element, without date or outside reference."""
    with styled_figure(height) as figure:
        draw(figure, *arguments)
        stream = StringIO()
        figure.savefig(stream, format="svg", metadata=dict.fromkeys(NOTES))
    text = stream.getvalue()
    return text[text.index("<svg") :]


def _panels(figure: Any, count: int, **options: Any) -> list[Any]:
    found = figure.subplots(1, max(count, 1), squeeze=False, **options)
    return list(found[0][:count])


def _words(name: Any) -> str:
    return str(name).removeprefix("model_").replace("_", " ") + (
        " (model)" if str(name).startswith("model_") else ""
    )
