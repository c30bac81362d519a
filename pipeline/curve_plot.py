"""A found formula as a graph over the range of a given (needs matplotlib)."""

import math
from pathlib import Path
from typing import Any

from pipeline import api
from pipeline.plots import BAR, INK, faint_grid, plain_axes, saved_figure
from workers.errors import UsageError

HEIGHT = 4.0


def curve(kind: api.Kind, text: str, name: str, over: str | None) -> dict[str, Any]:
    """The curve of a name of one puzzle (parsed already) over a given.

    Raises UsageError for a kind without formulas to draw.
    """
    find = getattr(kind, "curve", None)
    if find is None:
        raise UsageError("--plot", f"{kind.name}: this kind has no formulas to draw")
    found: dict[str, Any] = find(text, name, over)
    return found


def plot_curve(found: dict[str, Any], path: Path) -> None:
    """Write the graph to `path` (.svg or .png); UsageError when matplotlib is not installed."""
    with saved_figure(path, HEIGHT) as figure:
        draw_curve(found, figure)


def draw_curve(found: dict[str, Any], figure: Any) -> None:
    """Draw a curve into a figure; a gap where the formula has no value, a dot at the task."""
    axes = figure.add_subplot()
    plain_axes(axes)
    for axis in ("x", "y"):
        faint_grid(axes, axis, "{x:,.6g}")
    inputs = [point[0] for point in found["points"]]
    values = [math.nan if point[1] is None else point[1] for point in found["points"]]
    axes.plot(inputs, values, color=BAR, linewidth=1.6)
    given, answer = found["at"]
    axes.plot(given, answer, "o", color="white", markeredgecolor=INK, markersize=7)
    axes.annotate(f"{found['name']} = {answer:.6g}", (given, answer), xytext=(8, 8),
                  textcoords="offset points", color=INK)  # fmt: skip
    for set_label, name, label, unit in zip(
        (axes.set_xlabel, axes.set_ylabel), (found["over"], found["name"]), found["labels"],
        found["units"], strict=True,
    ):  # fmt: skip
        set_label(f"{label} {name}" + (f" ({unit})" if unit != "1" else ""))
    axes.set_title(f"{found['title']}: {found['formula']}", loc="left", fontsize=9)
