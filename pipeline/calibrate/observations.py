"""Observations of people: CSV files of four forms, told apart by their columns.

    long         player, puzzle, seconds[, completed]   one line a game; completed is true or false
    aggregated   puzzle, n, and one or more of the target columns (mean, median, d_to ...)
    labels       puzzle, label      a level by a person or a site; numbers, or ordered by --order
    puzzles      puzzle alone       nothing observed: the study describes the columns

The column of players per puzzle may also be called n_completed, a label level.
"""

import csv
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import pandas as pd

from pipeline.formats.tables import PUZZLE_COLUMNS
from workers.engines.sudoku.text import format_text, parse_text
from workers.errors import ParseError, UsageError

Form = Literal["long", "aggregated", "labels", "puzzles"]
TARGETS = ("mean", "median", "mean_seconds", "mean_time_s", "d_to", "d_tr")
"""Columns that are targets unless others are asked for; more is harder."""
COUNTS = ("n", "n_completed", "count", "players")
LABELS = ("label", "level", "difficulty")
YES, NO = frozenset({"1", "true", "yes", "y", ""}), frozenset({"0", "false", "no", "n"})
LONGEST_S = 7 * 86_400.0


class Observations(NamedTuple):
    """What was observed, one row a line of the file."""

    source: str
    form: Form
    targets: tuple[str, ...]
    rows: pd.DataFrame
    """line, puzzle (81 characters), n; player, seconds, completed of long ones; the targets."""
    rejects: pd.DataFrame
    """line, puzzle, reason."""
    order: tuple[str, ...] = ()
    """The labels, easiest first; rows have their ranks, from 1."""


def read_observations(
    path: Path, targets: Sequence[str] = (), order: Sequence[str] = ()
) -> Observations:
    """Read a CSV file of any form; UsageError names what is missing or no line is sound."""
    lines = _lines(path)
    names = _columns(path, lines[0][1])
    form = _form(names)
    wanted = _targets(path, form, names, targets)
    rows: list[dict[str, object]] = []
    rejects: list[dict[str, object]] = []
    ranks = _label_ranks(path, lines[1:], names, order) if form == "labels" else {}
    for number, cells in lines[1:]:
        fields = {name: cell.strip() for name, cell in zip(names, cells, strict=False)}
        try:
            rows.append({"line": number, **_row(fields, form, wanted, ranks)})
        except ValueError as wrong:
            puzzle = fields.get("puzzle", "")
            rejects.append({"line": number, "puzzle": puzzle, "reason": str(wrong)})
    if not rows:
        first = f": line {rejects[0]['line']}: {rejects[0]['reason']}" if rejects else ""
        raise UsageError(path, f"no observation in it{first}")
    frame = pd.DataFrame(rows)
    found = pd.DataFrame(rejects, columns=["line", "puzzle", "reason"])
    return Observations(path.name, form, wanted, frame, found, tuple(ranks))


def _lines(path: Path) -> list[tuple[int, list[str]]]:
    """The non-empty rows with their line numbers, header first; comments start with #."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as wrong:
        raise UsageError(path, str(getattr(wrong, "strerror", "") or "not UTF-8 text")) from None
    reader = csv.reader(text.splitlines())
    lines = [(reader.line_num, row) for row in reader]
    kept = [(n, row) for n, row in lines if "".join(row).strip() and not row[0].startswith("#")]
    if not kept:
        raise UsageError(path, "is empty")
    if len(kept[0][1]) == 1 and len(kept[0][1][0].strip()) == 81:  # a plain list of puzzles
        return [(0, ["puzzle"]), *kept]
    return kept


def _columns(path: Path, header: list[str]) -> list[str]:
    names = [name.strip().lower() for name in header]
    for known, wanted in ((PUZZLE_COLUMNS, "puzzle"), (COUNTS, "n"), (LABELS, "label")):
        found = [name for name in known if name in names]
        if found:
            names[names.index(found[0])] = wanted
    if "puzzle" not in names:
        raise UsageError(path, f"has no column puzzle (columns: {', '.join(names)})")
    if len(set(names)) < len(names):
        raise UsageError(path, "a column name stands twice in its header")
    return names


def _form(names: list[str]) -> Form:
    if {"player", "seconds"} <= set(names):
        return "long"
    if "label" in names:
        return "labels"
    return "aggregated" if "n" in names or set(TARGETS) & set(names) else "puzzles"


def _targets(path: Path, form: Form, names: list[str], asked: Sequence[str]) -> tuple[str, ...]:
    fixed: dict[Form, tuple[str, ...]] = {"long": ("seconds",), "labels": ("label",), "puzzles": ()}
    if form in fixed:
        if asked and set(asked) - set(fixed[form]):
            raise UsageError(path, f"observations of form {form} have no targets to choose from")
        return fixed[form]
    wanted = tuple(asked) or tuple(name for name in TARGETS if name in names)
    for name in wanted:
        if name not in names:
            raise UsageError(path, f"has no column {name} (columns: {', '.join(names)})")
    if not wanted:
        raise UsageError(path, f"has no target (one of {', '.join(TARGETS)}, or name it)")
    return wanted


def _row(
    fields: dict[str, str], form: Form, targets: tuple[str, ...], ranks: dict[str, int]
) -> dict[str, object]:
    """One observation; ValueError says what is wrong with it."""
    try:
        row: dict[str, object] = {"puzzle": format_text(parse_text(fields["puzzle"]))}
    except ParseError as wrong:
        raise ValueError(str(wrong)) from None
    if form == "long":
        done = fields.get("completed", "").lower()
        if done not in YES | NO:
            raise ValueError(f"completed: {done!r} is neither true nor false")
        if not fields["player"]:
            raise ValueError("player: is empty")
        row |= {"player": fields["player"], "completed": done in YES, "n": 1.0}
        row["seconds"] = _number(fields, "seconds")
        return row
    row["n"] = _number(fields, "n") if fields.get("n") else 1.0
    if form == "labels":
        return row | {"label": float(ranks[fields["label"]])} if fields["label"] else _no_label()
    row |= {name: _number(fields, name) if fields.get(name) else math.nan for name in targets}
    if targets and all(math.isnan(float(str(row[name]))) for name in targets):
        raise ValueError(f"{', '.join(targets)}: all empty")
    return row


def _no_label() -> dict[str, object]:
    raise ValueError("label: is empty")


def _number(fields: dict[str, str], name: str) -> float:
    try:
        value = float(fields[name])
    except (KeyError, ValueError):
        raise ValueError(f"{name}: {fields.get(name, '')!r} is not a number") from None
    if not 0 < value <= LONGEST_S:
        raise ValueError(f"{name}: {value:g} is not in 0..{LONGEST_S:,.0f}")
    return value


def _label_ranks(
    path: Path, lines: list[tuple[int, list[str]]], names: list[str], order: Sequence[str]
) -> dict[str, int]:
    """Label -> rank from 1: in the order given, else by number."""
    at = names.index("label")
    found = {cells[at].strip() for _, cells in lines if len(cells) > at and cells[at].strip()}
    listed = [name.strip() for name in order]
    if not listed:
        try:
            listed = sorted(found, key=float)
        except ValueError:
            shown = ", ".join(sorted(found)[:8])
            raise UsageError(path, f"say in which order its labels are: --order {shown}") from None
    missing = sorted(found - set(listed))
    if missing:
        raise UsageError(path, f"--order lacks the label {missing[0]!r}")
    return {label: rank for rank, label in enumerate(listed, start=1)}
