"""HoDoKu's library lines: a position, and the step that is to be found in it.

    :technique:candidates:givens:deleted:eliminations:placements:extra

Among the givens `+5` is a digit filled in. Deleted candidates and eliminations are triples of
digit, row and column between blanks. The last field may be absent.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from pipeline.formats.entry import (
    Entry,
    Found,
    Reject,
    board_facts,
    candidates,
    dotted,
    grid,
    open_candidates,
    values,
)
from pipeline.formats.lines import counts
from workers.engines.sudoku.geometry import CELLS

LINE: Final = re.compile(r":[0-9a-zA-Z]{4}(-[0-9]+)?:")
FIELDS: Final = ("technique_code", "step_candidates", "", "", "eliminations", "placements", "extra")
"""The fact that a field after the first colon is; the clues and deleted candidates are none."""
_CELLS: Final = re.compile(r"(?:\+?[0-9.])+")
_TRIPLE: Final = re.compile(r"[1-9]{3}")
NO_TECHNIQUE: Final = ("0000", "x")


def read(lines: Iterable[tuple[int, str]], name: str) -> Iterator[Found]:
    """An entry for every line that is neither blank nor a comment."""
    for number, line in lines:
        if counts(line):
            yield _entry(number, line.strip())


def _entry(number: int, line: str) -> Found:
    fields = line.split(":")[1:]
    if not line.startswith(":") or not 6 <= len(fields) <= 8:
        what = f"{line.count(':')} colons in a HoDoKu line, 6 or 7 wanted"
        return Reject(number, 1, line, what)
    column = len(":".join(["", *fields[:2], ""])) + 1
    plain = fields[2].replace("+", "")
    if not _CELLS.fullmatch(fields[2]) or len(plain) != CELLS:
        return Reject(number, column, fields[2], f"a Sudoku has 81 cells, not {len(plain)}")
    filled = dotted(plain)
    placed = [found[0] == "+" for found in re.findall(r"\+?[0-9.]", fields[2])]
    clues = "".join("." if late else sign for sign, late in zip(filled, placed, strict=True))
    deleted = fields[3].split()
    if not all(map(_TRIPLE.fullmatch, deleted)):
        return Reject(number, None, fields[3], "deleted candidates are triples: digit, row, column")
    facts: dict[str, Any] = board_facts(clues, filled, _without(filled, deleted))
    named = {name: text for name, text in zip(FIELDS, fields, strict=False) if name and text}
    if (fields[0], fields[1]) == NO_TECHNIQUE:
        del named["technique_code"], named["step_candidates"]
    return Entry(number, column, clues, facts | named)


def _without(filled: str, deleted: list[str]) -> list[str]:
    marks = open_candidates(filled)
    for triple in deleted:
        cell = (int(triple[1]) - 1) * 9 + int(triple[2]) - 1
        marks[cell] = marks[cell].replace(triple[0], "")
    return marks


def write(entry: Entry) -> str:
    """A line of the library; technique 0000 where no step is meant."""
    clues, filled = grid(entry), values(entry)
    cells = [
        clue if clue == value else f"+{value}" for clue, value in zip(clues, filled, strict=True)
    ]
    triples = [
        f"{digit}{cell // 9 + 1}{cell % 9 + 1}"
        for cell, (all_marks, marks) in enumerate(
            zip(open_candidates(filled), candidates(entry), strict=True)
        )
        for digit in all_marks
        if digit not in marks
    ]
    facts = entry.facts
    code, digits = NO_TECHNIQUE
    head = f":{facts.get('technique_code') or code}:{facts.get('step_candidates') or digits}"
    tail = ":".join(str(facts.get(name) or "") for name in FIELDS[4:])
    return f"{head}:{''.join(cells)}:{' '.join(triples)}:{tail}\n"
