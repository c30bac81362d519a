"""Pencilmark grids as HoDoKu, Simple Sudoku and forums print them: 81 groups of candidates.

    .---------------.---------------.--------------.
    | 5    3    124 | 26   7   2468 | 1489 ...

A group of one digit is a filled cell. `*`, `#` and `@` beside a group mark cells of a step: they
are dropped, and the group is not a filled cell whatever its length.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from pipeline.formats.blocks import SIDE, is_frame
from pipeline.formats.entry import Entry, Found, Reject, board_facts, candidates, grid, values

MARKERS: Final = "*#@"
_GROUP: Final = re.compile(r"[*#@]*[1-9.]+[*#@]*")


def groups(line: str) -> list[str]:
    """The nine groups of a row, or an empty list when it is none."""
    cells = line.replace("|", " ").replace(",", " ").split()
    right = len(cells) == SIDE and all(_GROUP.fullmatch(cell) for cell in cells)
    return cells if right else []


def read(lines: Iterable[tuple[int, str]], name: str) -> Iterator[Found]:
    """An entry for every nine rows; filled cells count as clues, as the grid tells no more."""
    rows: list[list[str]] = []
    start = 0
    for number, line in lines:
        cells = groups(line)
        if not cells and (is_frame(line) or line.lstrip().startswith("#")):
            continue
        if not cells and all(rows):  # of one grid the first bad row
            yield Reject(number, 1, line, "is no row of nine groups of candidates")
        start = start if rows else number
        rows.append(cells)
        if len(rows) == SIDE:
            if all(rows):
                yield _entry(start, [cell for row in rows for cell in row])
            rows = []
    if rows and all(rows):
        yield Reject(start, None, " ".join(rows[0]), f"a grid of {len(rows)} rows, 9 wanted")


def _entry(line: int, cells: list[str]) -> Entry:
    bare = [cell.strip(MARKERS).replace(".", "") for cell in cells]
    filled = "".join(
        mark if mark == cell and len(mark) == 1 else "."
        for cell, mark in zip(cells, bare, strict=True)
    )
    marks = [
        "" if sign != "." else "".join(sorted(mark))
        for sign, mark in zip(filled, bare, strict=True)
    ]
    return Entry(line, 1, filled, board_facts(filled, filled, marks))


def write(entry: Entry) -> str:
    """The framed grid; `*5` is an empty cell with one candidate, `.` one without any."""
    grid(entry)
    cells = [
        sign if sign != "." else f"*{marks}" if len(marks) == 1 else marks or "."
        for sign, marks in zip(values(entry), candidates(entry), strict=True)
    ]
    widths = [max(len(cell) for cell in cells[column::SIDE]) for column in range(SIDE)]
    spans = [sum(widths[stack : stack + 3]) + 7 for stack in (0, 3, 6)]
    edge = ["-" * span for span in spans]
    rows = [
        _row(cells[row * SIDE : row * SIDE + SIDE], widths) + ("\n" if row % 3 < 2 else "")
        for row in range(SIDE)
    ]
    bands = ["".join(rows[band : band + 3]) for band in (0, 3, 6)]
    middle = f"\n:{'+'.join(edge)}:\n".join(bands)
    return f".{'.'.join(edge)}.\n{middle}\n'{chr(39).join(edge)}'\n"


def _row(cells: list[str], widths: list[int]) -> str:
    padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=True)]
    stacks = ["  ".join(padded[stack : stack + 3]) for stack in (0, 3, 6)]
    return f"| {' | '.join(stack + ' ' for stack in stacks)}|"
