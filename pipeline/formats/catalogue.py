"""The formats by name, with their suffixes, readers and writers; and which one a text is in."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from pipeline.formats import (
    bank,
    blocks,
    hodoku,
    json_puzzles,
    lines,
    links,
    opensudoku,
    pencilmarks,
    sudokuwiki,
    tables,
)
from pipeline.formats.entry import Entry, Found
from workers.errors import UsageError

LineReader: TypeAlias = Callable[[Iterable[tuple[int, str]], str], Iterator[Found]]
DocumentReader: TypeAlias = Callable[[str, str], Iterator[Found]]
Write: TypeAlias = Callable[[Entry], str]
MOST_AHEAD: Final = 40
"""Lines that are looked at to tell a format: a grid and the headers before it."""


LEAST_ROWS: Final = 3
"""Of a grid without a frame; fewer may be texts of another kind."""


class Format(NamedTuple):
    """How one format is read and written; `lines` reads by line, `document` a whole text."""

    title: str
    suffixes: tuple[str, ...] = ()
    lines: LineReader | None = None
    document: DocumentReader | None = None
    write: Write | None = None
    head: Callable[[Entry | None], str] | None = None
    foot: str = ""
    single: bool = False  # programs expect one puzzle a file
    needs_solution: bool = False


def _fixed_head(names: tuple[str, ...]) -> Callable[[Entry | None], str]:
    return lambda _: tables.head_of(names)


FORMATS: Final[Mapping[str, Format]] = {
    "lines": Format("one puzzle a line, with whatever else stands there", (".txt", ".lines"),
                    lines.read, write=lines.write),
    "sdm": Format("81 digits a line, 0 for empty", (".sdm",), lines.read, write=lines.write_sdm),
    "block": Format("nine lines of nine cells", (".block",), blocks.read,
                    write=blocks.write_block),
    "sdk": Format("SadMan and SudoCue, with headers", (".sdk",), blocks.read,
                  write=blocks.write_sdk, single=True),
    "sdx": Format("SudoCue in play, with candidates", (".sdx",), blocks.read_sdx,
                  write=blocks.write_sdx, single=True),
    "ss": Format("Simple Sudoku", (".ss",), blocks.read, write=blocks.write_ss, single=True),
    "pencilmarks": Format("framed grids of candidates", (".pm",), pencilmarks.read,
                          write=pencilmarks.write),
    "hodoku": Format("HoDoKu library lines", (".hodoku",), hodoku.read, write=hodoku.write),
    "opensudoku": Format("OpenSudoku XML", (".opensudoku", ".xml"), document=opensudoku.read,
                         write=opensudoku.write, head=opensudoku.head, foot=opensudoku.FOOT),
    "f-puzzles": Format("f-puzzles links", (), links.read, write=links.write_f_puzzles),
    "sudokupad": Format("SudokuPad links", (), links.read, write=links.write_sudoku_pad),
    "sudokuwiki": Format("sudokuwiki packed boards", (), sudokuwiki.read,
                         write=sudokuwiki.write),
    "ipuz": Format("ipuz version 2", (".ipuz",), document=json_puzzles.read,
                   write=json_puzzles.write_ipuz, single=True),
    "kaggle-1m": Format("quizzes,solutions", (), tables.read, write=tables.write_kaggle_1m,
                        head=_fixed_head(tables.KAGGLE_1M), needs_solution=True),
    "kaggle-3m": Format("id,puzzle,solution,clues,difficulty", (), tables.read,
                        write=tables.write_kaggle_3m, head=_fixed_head(tables.KAGGLE_3M),
                        needs_solution=True),
    "extreme": Format("sudoku-extreme: source,question,answer,rating", (), tables.read,
                      write=tables.write_extreme, head=_fixed_head(tables.EXTREME),
                      needs_solution=True),
    "bank": Format("sudoku-exchange puzzle bank", (), bank.read, write=bank.write),
    "csv": Format("a header, then a puzzle a row", (".csv", ".tsv"), tables.read,
                  head=tables.head),
    "jsonl": Format("one JSON object a line", (".jsonl", ".ndjson"), json_puzzles.read_lines,
                    write=json_puzzles.write_line),
    "json": Format("a JSON document", (".json",), document=json_puzzles.read),
    "parquet": Format("a Parquet file", (".parquet",)),
}  # fmt: skip
"""Readers take what their format is sniffed as; `csv` and `parquet` are written as tables."""
READ_ONLY: Final = ("json",)


def find_format(name: str) -> Format:
    """The format of a name; UsageError lists the known ones."""
    if name not in FORMATS:
        from pipeline.toml import near

        hint = near(name, FORMATS) or f"known are {', '.join(FORMATS)}"
        raise UsageError(name, f"no such format ({hint})")
    return FORMATS[name]


def format_of_suffix(suffix: str) -> str | None:
    """The format that files with this suffix have, or None."""
    return next((name for name, one in FORMATS.items() if suffix.lower() in one.suffixes), None)


def sniffed(ahead: Iterable[str]) -> str:
    """The format of a text by its first lines; `lines` where nothing tells another.

    Takes no more lines than it needs: one, unless they could be part of a grid.
    """
    seen: list[str] = []
    for line in ahead:
        text = line.strip()
        if not text or (text.startswith("#") and not blocks.HEADER.fullmatch(text)):
            continue
        seen.append(text)
        if blocks.SDK_SECTION.fullmatch(text):
            return "sdk"
        told = _one_line(line) if len(seen) == 1 else None
        if told:
            return told if told != "json" else _json_sort(text, ahead)
        if not _of_grid(text) or len(seen) == MOST_AHEAD:
            break
    return _of_grids(seen)


def _one_line(line: str) -> str | None:
    """The format that one line tells."""
    text = line.strip()
    tests: tuple[tuple[bool, str], ...] = (
        (text.startswith("<"), "opensudoku"),
        (links.LINK.match(text) is not None, "f-puzzles"),
        (sudokuwiki.PACKED.match(text) is not None, "sudokuwiki"),
        (hodoku.LINE.match(text) is not None, "hodoku"),
        (bank.LINE.fullmatch(text) is not None, "bank"),
        (text.startswith(("{", "[")) or (text[:1] == '"' and _is_document(text)), "json"),
        (bool(tables.header(text)), "csv"),
    )
    return next((name for holds, name in tests if holds), None)


def _json_sort(first: str, ahead: Iterable[str]) -> str:
    """JSON lines when the first line is a document and another follows."""
    if first.startswith("[") or not _is_document(first):
        return "json"
    return "jsonl" if any(line.strip() for line in ahead) else "json"


def _is_document(text: str) -> bool:
    try:
        json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return False
    return True


def _of_grid(line: str) -> bool:
    """A line that could be part of a grid of nine lines."""
    return bool(
        blocks.row_cells(line)
        or blocks.is_frame(line)
        or blocks.HEADER.fullmatch(line)
        or pencilmarks.groups(line)
        or _of_sdx(line)
    )


def _of_sdx(line: str) -> bool:
    cells = line.split()
    return len(cells) == blocks.SIDE and all(cell.strip("u.0123456789") == "" for cell in cells)


def _of_grids(seen: list[str]) -> str:
    """The format of lines of which all but the last may be parts of grids."""
    parts = [line for line in seen if _of_grid(line)]
    rows = [line for line in parts if not blocks.is_frame(line) and line[0] != "#"]
    whole = [line for line in rows if blocks.row_cells(line)]
    framed = len(parts) > len(rows) or any("|" in line for line in rows)
    if len(rows) < LEAST_ROWS and not (framed and rows):
        return "lines"
    if len(whole) == len(rows):
        return "block"
    if any("u" in line for line in rows):
        return "sdx"
    return "pencilmarks" if framed else "sdx"
