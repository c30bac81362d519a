"""Lines of the sudoku-exchange puzzle bank: hash, clues, rating; 100 bytes with the end of line.

    0000183b305c 050703060007...  1.2

The hash is the start of the SHA-1 of the 81 digits; a hash of another puzzle tells a broken line.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Final

from pipeline.formats.entry import Entry, Found, Reject, dotted, grid
from pipeline.formats.lines import counts
from workers.errors import ParseError

LINE: Final = re.compile(r"([0-9a-f]{12}) ([0-9.]{81}) +([0-9]{1,2}\.[0-9])\s*")
RATINGS: Final = ("rating", "er")
"""Facts that are a rating on the scale of Sudoku Explainer."""


def read(lines: Iterable[tuple[int, str]], name: str) -> Iterator[Found]:
    """An entry for every line that is neither blank nor a comment."""
    for number, line in lines:
        if not counts(line):
            continue
        found = LINE.fullmatch(line)
        if found is None:
            yield Reject(number, 1, line, "is no line of the bank: hash, 81 digits, rating")
        elif found[1] != _hash(found[2].replace(".", "0")):
            yield Reject(number, 1, line, f"the hash {found[1]} is that of another puzzle")
        else:
            facts = {"id": found[1], "rating": float(found[3])}
            yield Entry(number, 14, dotted(found[2]), facts)


def write(entry: Entry) -> str:
    """The line; ParseError when the entry has no rating."""
    digits = grid(entry).replace(".", "0")
    return f"{_hash(digits)} {digits} {rating(entry):4.1f}\n"


def rating(entry: Entry) -> float:
    """The rating of an entry; ParseError when it has none."""
    for name in RATINGS:
        value = entry.facts.get(name)
        if value not in (None, ""):
            try:
                return float(str(value))
            except ValueError:
                raise ParseError(f"its {name} {value!r} is no number") from None
    raise ParseError(f"has no rating (a column {' or '.join(RATINGS)}), which this format needs")


def _hash(digits: str) -> str:
    return hashlib.sha1(digits.encode(), usedforsecurity=False).hexdigest()[:12]
