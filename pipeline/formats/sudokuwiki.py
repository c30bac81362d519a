"""sudokuwiki's packed boards: `S9B` and two digits of base 36 for every cell.

1 to 9 is a clue, 10 to 18 a digit filled in, 18 + mask the candidates of an empty cell, where bit
d-1 of the mask is digit d: `ep` (529) is a cell with all nine.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from pipeline.formats.entry import (
    DIGITS,
    Entry,
    Found,
    Reject,
    board_facts,
    candidates,
    grid,
    values,
)
from pipeline.formats.lines import counts
from workers.errors import ParseError

PACKED: Final = re.compile(r"([A-Z])([0-9])B(?=[0-9a-z]{20})")
VARIANTS: Final = {"X": "a Sudoku X", "W": "a Windoku", "J": "a jigsaw", "L": "a killer"}
ALL: Final = 511
_PLACED, _MARKS = 9, 18
_BASE: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


def read(lines: Iterable[tuple[int, str]], name: str) -> Iterator[Found]:
    """An entry for every line."""
    for number, line in lines:
        if counts(line):
            try:
                yield entry(number, line.strip())
            except ParseError as error:
                yield Reject(number, None, line.strip(), error.what)


def entry(line: int, text: str) -> Entry:
    """The entry of one packed board; ParseError when it is no classic Sudoku of 81 cells."""
    head = PACKED.match(text)
    if head is None or (head[1], head[2]) != ("S", "9"):
        what = VARIANTS.get(head[1], f"a grid of size {head[2]}") if head else "no packed board"
        raise ParseError(f"is {what}: a classic Sudoku starts with S9B")
    body = text[head.end() :]
    if len(body) != 162 or not re.fullmatch(r"[0-9a-z]+", body):
        raise ParseError(f"has {len(body)} signs after S9B, 162 wanted")
    codes = [int(body[at : at + 2], 36) for at in range(0, 162, 2)]
    if max(codes) > _MARKS + ALL:
        raise ParseError(f"a cell of {max(codes)} is out of range")
    clues = "".join(str(code) if 1 <= code <= _PLACED else "." for code in codes)
    filled = "".join(
        "." if code > _MARKS or code == 0 else str((code - 1) % _PLACED + 1) for code in codes
    )
    marks = [_digits(code - _MARKS) if code > _MARKS else "" for code in codes]
    untouched = all(code in (0, _MARKS + ALL) or code <= _MARKS for code in codes)
    return Entry(line, 1, clues, board_facts(clues, filled, None if untouched else marks))


def _digits(mask: int) -> str:
    return "".join(digit for bit, digit in enumerate(DIGITS) if mask >> bit & 1)


def write(found: Entry) -> str:
    """The packed board; candidates where some are noted, else all nine."""
    noted = candidates(found) if found.facts.get("candidates") else [DIGITS] * 81
    return f"S9B{''.join(map(_code, grid(found), values(found), noted))}\n"


def _code(clue: str, value: str, marks: str) -> str:
    if clue != ".":
        code = int(clue)
    elif value != ".":
        code = _PLACED + int(value)
    else:
        code = _MARKS + sum(1 << int(mark) - 1 for mark in marks)
    return _BASE[code // 36] + _BASE[code % 36]
