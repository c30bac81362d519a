"""How one puzzle is solved by a scheme: its steps, what they came to, and the grid at the end."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pipeline import api
from pipeline.pages.explain import cell_number, explain_page
from workers.errors import UsageError

Step = dict[str, Any]
GRID_CELLS = 81
FACTS = ("level", "score", "hardest_method", "guesses", "suppositions")
"""Keys of `solve --json` that say what the method came to."""


class Explanation(NamedTuple):
    """The steps of one puzzle by a scheme, with what else is known."""

    kind: str
    puzzle: str
    scheme: str
    steps: list[Step]
    facts: dict[str, Any]  # name for a person -> value
    outcome: str  # "solved", or where and why it ended
    values: str | None  # the grid at the end, where the kind has a grid


def explain(
    kind: api.Kind, puzzle: str, scheme: str | None, options: Mapping[str, Any] | None
) -> Explanation:
    """Explain one puzzle (parsed already) by a scheme, the kind's first one when None."""
    steps = kind.explain(puzzle, scheme, options)
    name = scheme if scheme is not None else next(iter(kind.schemes))
    row = kind.solve(puzzle, name, options=options) if name in kind.methods else {}
    values = row.get("grid") or _values_after(puzzle, steps)
    facts = {"steps": len(steps)}
    facts |= {key.replace("_", " "): row[key] for key in FACTS if row.get(key) is not None}
    return Explanation(kind.name, puzzle, name, steps, facts, _outcome(row, values), values)


def _values_after(puzzle: str, steps: list[Step]) -> str | None:
    """The grid after the last step, where steps show the one before them."""
    if not steps:
        return puzzle if len(puzzle) == GRID_CELLS else None
    if len(steps[-1].get("values", "")) != GRID_CELLS:
        return None
    values = list(steps[-1]["values"])
    for name, value in steps[-1]["placements"]:
        values[cell_number(name)] = str(value)
    return "".join(values)


def _outcome(row: Mapping[str, Any], values: str | None) -> str:
    if values is None or row.get("status") == "solved":
        return "solved"
    filled = sum(sign != "." for sign in values)
    if filled == GRID_CELLS:
        return "solved"
    ends = {
        "budget out": "given up within its budget",
        "contradiction": "comes to a contradiction",
    }
    why = ends.get(row.get("status", ""), "knows no further step")
    return f"{why}: {filled} of {GRID_CELLS} cells are filled"


def text_lines(found: Explanation) -> Iterator[str]:
    """The steps, numbered, and how it ended, for a person."""
    width = len(str(len(found.steps)))
    for number, step in enumerate(found.steps, start=1):
        yield f"{number:>{width}}. {step.get('text') or step.get('technique')}"
        yield from (f"{'':{width}}  {case}" for case in step.get("because") or ())
    if found.values is None:
        return
    yield f"{found.scheme} {found.outcome}" if found.outcome != "solved" else found.outcome


def page(found: Explanation) -> Iterator[str]:
    """A page for a browser, in pieces; UsageError for a kind without a grid of 81 cells."""
    if found.values is None or not all("values" in step for step in found.steps):
        raise UsageError("--html", f"{found.kind}: only grids of {GRID_CELLS} cells are drawn")
    title = f"{found.kind.capitalize()}, solved by {found.scheme}"
    if found.outcome != "solved":
        title = f"{found.kind.capitalize()}: {found.scheme} {found.outcome.partition(':')[0]}"
    return explain_page(found.puzzle, title, found.steps, found.facts, _end(found))


def _end(found: Explanation) -> Step:
    """The grid at the end in the form of a step."""
    text = found.outcome.partition(": ")[2] or "All cells are filled."
    return {
        "title": found.outcome.partition(":")[0],
        "text": text[:1].upper() + text[1:],
        "values": found.values,
        "candidates": _candidates_after(found.steps, found.values or ""),
    }


def _candidates_after(steps: list[Step], values: str) -> list[str]:
    """The candidates after the last step; none where it took back what stood before."""
    if not steps or steps[-1].get("remark") == "undo":
        return [""] * GRID_CELLS
    last = steps[-1]
    left = [set(marks) for marks in last["candidates"]]
    for name, value in last["eliminations"]:
        left[cell_number(name)].discard(str(value))
    for name, value in last["placements"]:
        for peer in _peers(cell_number(name)):
            left[peer].discard(str(value))
    return ["" if sign != "." else "".join(sorted(left[cell])) for cell, sign in enumerate(values)]


def _peers(cell: int) -> list[int]:
    row, column = divmod(cell, 9)
    return [
        other
        for other in range(GRID_CELLS)
        if other // 9 == row
        or other % 9 == column
        or (other // 27 == row // 3 and other % 9 // 3 == column // 3)
    ]
