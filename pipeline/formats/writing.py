"""Puzzles into a file of any format, in bounded memory; what a format cannot hold is a Reject."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import IO, Final

import numpy as np

from pipeline.formats import parquet, tables
from pipeline.formats.catalogue import FORMATS, READ_ONLY, Format, format_of_suffix
from pipeline.formats.entry import DIGITS, Entry, Reject, grid
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.text import parse_text, texts_from_digits
from workers.errors import ParseError, UsageError

SOLVED_AT_ONCE: Final = 1000


def target_format(out: str, named: str | None) -> str:
    """The format to write: the one named, or that of the suffix; UsageError when none fits."""
    known = ", ".join(name for name in FORMATS if name not in READ_ONLY)
    if named is None:
        suffix = Path(out).suffix
        named = format_of_suffix(suffix)
        if named is None:
            what = f"suffix {suffix!r} stands for no format" if suffix else "names no format"
            raise UsageError(out, f"{what}: --to FORMAT ({known})")
    if named in READ_ONLY:
        raise UsageError(named, f"is read, not written: --to FORMAT ({known})")
    return named


def write_text(entries: Iterable[Entry], form: str, stream: IO[str]) -> Iterator[Reject]:
    """Write entries to a text; gives those that the format cannot hold, and why."""
    rows = with_solutions(entries) if FORMATS[form].needs_solution else iter(entries)
    refused: list[Entry | Reject] = []
    first = None
    for row in rows:
        if isinstance(row, Entry):
            first = row
            break
        refused.append(row)
    write = _writer(form, first)
    stream.write(write.head(first) if write.head else "")
    for row in chain(refused, [] if first is None else [first], rows):
        try:
            if isinstance(row, Reject):
                yield row
            else:
                stream.write(write.write(row) if write.write else "")
        except ParseError as error:
            yield Reject(row.line, None, row.text, error.what)
    stream.write(write.foot)


def _writer(form: str, first: Entry | None) -> Format:
    found = FORMATS[form]
    if form != "csv":
        return found
    names = tables.columns(first)
    return found._replace(write=lambda entry: tables.write(entry, names))


def write_parquet(entries: Iterable[Entry], path: Path) -> Iterator[Reject]:
    """The same to a Parquet file."""
    return parquet.write(entries, path)


def with_solutions(entries: Iterable[Entry]) -> Iterator[Entry | Reject]:
    """Entries with the fact `solution`; a Reject for one without a single solution."""
    rows = iter(entries)
    while part := list(islice(rows, SOLVED_AT_ONCE)):
        unsolved = [row for row in part if not row.facts.get("solution") and _is_grid(row)]
        found = dict(zip(map(id, unsolved), _solutions(unsolved), strict=True))
        for row in part:
            solution = found.get(id(row)) or row.facts.get("solution")
            if solution and not _fits(row, str(solution)):
                yield Reject(row.line, None, row.text, "has a solution that does not fit its clues")
            elif solution:
                yield row._replace(facts={**row.facts, "solution": solution})
            else:
                what = "has no single solution, which this format needs"
                yield Reject(row.line, None, row.text, what)


def _fits(entry: Entry, solution: str) -> bool:
    """Whether a solution is 81 digits and has every clue in its place."""
    clues = entry.text
    same = all(clue in (".", digit) for clue, digit in zip(clues, solution, strict=False))
    return len(solution) == len(clues) and set(solution) <= set(DIGITS) and same


def _is_grid(entry: Entry) -> bool:
    try:
        grid(entry)
    except ParseError:
        return False
    return True


def _solutions(entries: list[Entry]) -> list[str | None]:
    if not entries:
        return []
    digits = np.array([parse_text(entry.text) for entry in entries], np.uint8)
    found = solve_batch(digits, limit=2)
    unique = (found.counts == 1) & (found.status == 0)
    texts = texts_from_digits(found.solutions)
    return [row.tobytes().decode() if one else None for row, one in zip(texts, unique, strict=True)]
