"""What a cryptarithm's text leaves to convention, as data; a rule set has an id.

The id is the base, then the words below for every convention that is not the usual one:
`10` is the usual rule set, `12-nozero-symbols` another one. In a text it stands at the end,
behind `@`; without it the usual rules hold.
"""

from typing import NamedTuple

from workers.errors import ParseError

LEAST_BASE, MOST_BASE = 2, 16
DIGIT_SIGNS = "0123456789ABCDEF"


class Rules(NamedTuple):
    """One rule set. Always: other letters, other digits, and words do not begin with 0."""

    base: int = 10
    lone_zero: bool = True
    """A word of one letter may be 0."""
    symbols: bool = False
    """Digits inside words are symbols like letters; otherwise they stand for themselves."""
    marks: bool = False
    """A combining mark is a symbol of its own; otherwise it belongs to the letter before it."""
    cased: bool = False
    """Capital and small letters differ."""

    @property
    def id(self) -> str:
        """The id, as it stands behind `@`."""
        words = [word for word, (field, value) in WORDS.items() if getattr(self, field) == value]
        return "-".join([str(self.base), *words])


WORDS = {
    "nozero": ("lone_zero", False),
    "symbols": ("symbols", True),
    "marks": ("marks", True),
    "cased": ("cased", True),
}
"""Word in an id -> the field it sets, and to what."""
USUAL = Rules()


def parse_rules(text: str, position: int | None = None) -> Rules:
    """The rule set with this id; ParseError at `position` says what is wrong."""
    number, *words = text.strip().lower().split("-")
    if not number.isascii() or not number.isdecimal():
        raise ParseError(f"rules {text!r}: want a base, as in @12 or @10-nozero", position)
    if not LEAST_BASE <= int(number[:4]) <= MOST_BASE:
        raise ParseError(f"base {number}: not {LEAST_BASE} to {MOST_BASE}", position)
    fields = {}
    for word in words:
        if word not in WORDS:
            raise ParseError(f"rule {word!r}: not one of {', '.join(WORDS)}", position)
        field, value = WORDS[word]
        fields[field] = value
    return Rules(base=int(number), **fields)
