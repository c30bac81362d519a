"""Grids of nine lines: bare 9x9 blocks, .sdk, .ss and .sdx files.

block   nine lines of nine cells, with or without commas, blanks, bars and frames
sdk     SadMan and SudoCue: `#A` author and other headers, an optional [Puzzle], nine lines
ss      Simple Sudoku: a frame of `*-|+`, an optional trailer of `Simple Sudoku` and a version
sdx     SudoCue in play: cells between blanks, candidates as groups, `u5` for a 5 filled in; a
        single digit is read as a clue, although it may be the last candidate of an empty cell

Any of them may stand several times in a file, one after the other.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from pipeline.formats.entry import (
    DIGITS,
    Entry,
    Found,
    Reject,
    board_facts,
    candidates,
    dotted,
    grid,
    values,
)

SIDE: Final = 9
FRAME: Final = re.compile(r"[-+*=.:'|\s]+")
SECTION: Final = re.compile(r"\[([A-Za-z]+)\]\s*")
SDK_SECTION: Final = re.compile(r"\[(puzzle|pencilmarks|colou?rs|state)\]", re.IGNORECASE)
HEADER: Final = re.compile(r"#([ABCDLSU])\s*(.*)")
"""Of an .sdk file: author, date, comment, description, level, source, address."""
HEADERS: Final = {"A": "author", "D": "description", "C": "comment", "B": "created",
                  "S": "source", "L": "level", "U": "url"}  # fmt: skip
GRIDS: Final = (SIDE, SIDE * SIDE)
"""So many cell signs are cells, and no frame."""
_CELLS: Final = re.compile(r"[\s,;|]")
_ROW: Final = re.compile(r"[0-9.\-_*xX]{9}")
_TRAILER: Final = re.compile(r"simple sudoku.*|version.*", re.IGNORECASE)
_MARKED: Final = re.compile(r"u[1-9]|[1-9]+|[0.\-_*xX]")

Rows = list[tuple[int, str]]


def row_cells(line: str) -> str:
    """The nine cells of a row of a block, or an empty text; `+` never stands in a row."""
    cells = _CELLS.sub("", line)
    return cells if _ROW.fullmatch(cells) else ""


def is_frame(line: str) -> bool:
    """A line of a frame, or blank; never nine cells."""
    text = line.strip()
    return not text or (
        FRAME.fullmatch(text) is not None and len(_CELLS.sub("", text)) not in GRIDS
    )


def read(lines: Iterable[tuple[int, str]], name: str) -> Iterator[Found]:
    """Blocks, .sdk and .ss: an entry for nine rows, a reject for what is no row or too few."""
    rows: Rows = []
    facts: dict[str, str] = {}
    skipping = False
    for number, line in lines:
        cells = row_cells(line)
        section, header = SECTION.fullmatch(line.strip()), HEADER.fullmatch(line.strip())
        if section:
            skipping = section[1].lower() != "puzzle"
        elif header and not rows and HEADERS[header[1]] not in facts:
            facts[HEADERS[header[1]]] = header[2]
        elif skipping or line.lstrip().startswith("#") or _TRAILER.fullmatch(line.strip()):
            continue
        elif cells or not is_frame(line):
            if not cells and all(row for _, row in rows):  # of one grid the first bad row
                yield Reject(number, 1, line, "is no row of nine cells")
            rows.append((number, cells))
            if len(rows) == SIDE:
                if all(row for _, row in rows):
                    yield Entry(rows[0][0], 1, dotted("".join(row for _, row in rows)), facts)
                rows, facts = [], {}
    if rows and all(row for _, row in rows):
        yield Reject(rows[0][0], None, rows[0][1], f"a grid of {len(rows)} rows, 9 wanted")


def read_sdx(lines: Iterable[tuple[int, str]], name: str) -> Iterator[Found]:
    """Boards in play, one for nine lines of nine groups."""
    rows: list[list[str]] = []
    start = 0
    for number, line in lines:
        cells = line.split()
        if not cells or cells[0].startswith("#"):
            continue
        wrong = next((cell for cell in cells if not _MARKED.fullmatch(cell)), None)
        if len(cells) != SIDE or wrong is not None:
            what = f"{wrong!r} is no cell" if wrong else f"{len(cells)} cells in a row, 9 wanted"
            if all(rows):  # of one grid the first bad row
                yield Reject(number, 1, line, what)
            cells = []
        start = start if rows else number
        rows.append(cells)
        if len(rows) == SIDE:
            if all(rows):
                yield _board(start, [cell for row in rows for cell in row])
            rows = []
    if rows and all(rows):
        yield Reject(start, None, " ".join(rows[0]), f"a grid of {len(rows)} rows, 9 wanted")


def _board(line: int, cells: Sequence[str]) -> Entry:
    """A cell is a clue `5`, a digit filled in `u5`, candidates `258`, or empty."""
    clues = "".join(cell if len(cell) == 1 and cell in DIGITS else "." for cell in cells)
    filled = "".join(
        cell[1] if cell[0] == "u" and len(cell) == 2 else clue
        for cell, clue in zip(cells, clues, strict=True)
    )
    marks = [
        cell if sign == "." and cell[0] in DIGITS else "" if sign != "." else DIGITS
        for cell, sign in zip(cells, filled, strict=True)
    ]
    noted = any(len(cell) > 1 and cell[0] != "u" for cell in cells)
    return Entry(line, 1, clues, board_facts(clues, filled, marks if noted else None))


def write_block(entry: Entry) -> str:
    """Nine lines of nine cells, and a blank line."""
    return "\n".join([*_rows(grid(entry)), "", ""])


def write_sdk(entry: Entry) -> str:
    """The headers that are known, [Puzzle] and nine lines."""
    known = [
        f"#{letter}{' '.join(str(entry.facts[name]).split())}"
        for letter, name in HEADERS.items()
        if entry.facts.get(name)
    ]
    return "\n".join([*known, "[Puzzle]", *_rows(grid(entry)), ""])


def write_ss(entry: Entry) -> str:
    """The frame of Simple Sudoku."""
    rows = [f"|{row[:3]}|{row[3:6]}|{row[6:]}|" for row in _rows(grid(entry))]
    bands = "\n|---+---+---|\n".join("\n".join(rows[band : band + 3]) for band in (0, 3, 6))
    return f"*-----------*\n{bands}\n*-----------*\n"


def write_sdx(entry: Entry) -> str:
    """Nine lines of nine groups; a cell with one candidate left is written as filled in."""
    clues, filled = grid(entry), values(entry)
    cells = [
        clue if clue != "." else f"u{value}" if value != "." else _group(marks)
        for clue, value, marks in zip(clues, filled, candidates(entry), strict=True)
    ]
    return "".join(f"{' '.join(cells[row : row + SIDE])}\n" for row in range(0, 81, SIDE))


def _group(marks: str) -> str:
    return f"u{marks}" if len(marks) == 1 else marks or "."


def _rows(text: str) -> list[str]:
    return [text[row : row + SIDE] for row in range(0, len(text), SIDE)]
