"""The look of all plots, and a figure whose file is whole when it appears (needs matplotlib).

Equal figures give equal files: no date, no random identifiers.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from workers.errors import UsageError

INK, FAINT, BAR, MUTED = "#22303c", "#d7dee4", "#2f6f9f", "#a9b6c0"
WIDTH = 7.2
STYLE: Any = {
    "svg.hashsalt": "puzzlemill",
    "font.size": 9,
    "axes.edgecolor": INK,
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
}


def require_matplotlib() -> None:
    """UsageError with the pip line that helps, where matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise UsageError("plots need matplotlib", "pip install 'puzzlemill[plots]'") from None


@contextmanager
def saved_figure(path: Path, height: float, width: float = WIDTH) -> Iterator[Any]:
    """A figure in the house's style, in inches; written to `path` (.svg or .png) at the end."""
    require_matplotlib()
    with styled_figure(height, width) as figure:
        yield figure
        part = path.with_name(f".{path.name}.part")
        suffix = path.suffix[1:].lower()
        stamp: dict[str, Any] = {"Date": None} if suffix == "svg" else {"Software": None}
        try:
            figure.savefig(part, format=suffix, dpi=160, metadata=stamp)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)


@contextmanager
def styled_figure(height: float, width: float = WIDTH) -> Iterator[Any]:
    """A figure in the house's style, which is drawn and shown inside the block."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure: Any = Figure(figsize=(width, height), layout="constrained")
        figure.get_layout_engine().set(w_pad=0.12, h_pad=0.1)
        yield figure


def plain_axes(axes: Any) -> None:
    """Axes without a frame on top and right, the grid behind what is drawn."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_axisbelow(True)


def faint_grid(axes: Any, axis: str, labels: str = "{x:,.0f}") -> None:
    """A thin grid across one axis, whose numbers are written as `labels`."""
    getattr(axes, f"{axis}axis").set_major_formatter(labels)
    axes.grid(axis=axis, color=FAINT, linewidth=0.7)
    axes.tick_params(length=0)
