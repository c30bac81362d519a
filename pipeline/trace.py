"""The trace of a brute-force search: what it is, as rows and as text; `trace_plot` draws it."""

from collections.abc import Iterator
from typing import Any, TypeAlias

from pipeline import api
from workers.errors import UsageError

Trace: TypeAlias = dict[str, Any]
"""What the kind's `trace` gives: the curve of filled cells, and calls by filled cells."""
MOST_CALLS = 1_000_000_000
TABLE_POINTS = 4096
PLOT_POINTS = 1 << 16
"""More than a plot has pixels across: several points in a column of pixels make its shade."""
BAR_WIDTH = 50


def trace(
    kind: api.Kind,
    text: str,
    budget: int = MOST_CALLS,
    points: int = TABLE_POINTS,
    max_depth: int | None = None,
) -> Trace:
    """Trace the brute-force search of one puzzle (parsed already).

    Raises UsageError for a kind whose search has no trace.
    """
    search = getattr(kind, "trace", None)
    if search is None:
        raise UsageError(kind.name, "this kind has no brute-force search to trace")
    depth = {} if max_depth is None else {"max_depth": max_depth}
    found: Trace = search(text, budget, points, **depth)
    return found


def last_calls(found: Trace) -> list[int]:
    """The number of the last recursive call that each point covers."""
    size, calls = found["calls_per_point"], found["iterations"]
    return [min((point + 1) * size, calls) for point in range(len(found["last"]))]


def curve_rows(found: Trace) -> list[dict[str, int]]:
    """One row a point: the last call it covers, and the filled cells of its calls."""
    columns = (last_calls(found), found["lowest"], found["highest"], found["last"])
    names = ("call", "filled_lowest", "filled_highest", "filled_last")
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def level_rows(found: Trace) -> list[dict[str, int]]:
    """One row a recursion level, from the clues on: filled cells and calls with so many."""
    clues = found["clues"]
    counts = found["levels"]
    reached = max((filled for filled, calls in enumerate(counts) if calls), default=clues)
    return [
        {"filled": filled, "level": filled - clues, "calls": counts[filled]}
        for filled in range(clues, reached + 1)
    ]


def text_lines(found: Trace) -> Iterator[str]:
    """The counts and the histogram, for a person."""
    yield f"outcome      {found['outcome']}"
    more = "at least " if found["censored"] else ""
    yield f"iterations   {more}{found['iterations']:,}"
    yield f"digit tests  {more}{found['digit_tests']:,}"
    rows = level_rows(found)
    most = max((row["calls"] for row in rows), default=0)
    if not most:
        return
    width = max(len("calls"), len(f"{most:,}"))
    yield ""
    yield f"filled  {'calls':>{width}}"
    for row in rows:
        bar = "#" * round(BAR_WIDTH * row["calls"] / most)
        yield f"{row['filled']:>6}  {row['calls']:>{width},}  {bar}".rstrip()
