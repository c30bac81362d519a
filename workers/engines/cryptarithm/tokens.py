"""The words and signs of a cryptarithm's text.

Signs that look alike mean the same (SIGNS). Words are letters, with the combining marks that
belong to them, and digits; blanks and invisible format characters do not count.
"""

import re
import unicodedata
from typing import NamedTuple

from workers.engines.cryptarithm.rules import DIGIT_SIGNS, Rules
from workers.errors import ParseError

SIGNS = {
    "==": "=", "=": "=", "＝": "=",
    "&&": "&", "&": "&", ";": "&", "；": "&", "＆": "&", "∧": "&",
    "+": "+", "＋": "+", "-": "-", "−": "-", "－": "-", "–": "-",
    "*": "*", "×": "*", "·": "*", "⋅": "*", "＊": "*",
    "(": "(", ")": ")", "（": "(", "）": ")",
}  # fmt: skip
"""What may be written -> what it means."""
QUOTES = "'’‘"
SIGN = re.compile("|".join(re.escape(sign) for sign in sorted(SIGNS, key=len, reverse=True)))


class Token(NamedTuple):
    """A sign, or a word: its symbols as texts, fixed digits as numbers."""

    sign: str  # a value of SIGNS, w for a word, "" for the end
    start: int
    symbols: tuple[str | int, ...] = ()


def tokens_of(text: str, rules: Rules) -> list[Token]:
    """The tokens of a text without its rules; ParseError says what is none, and where."""
    tokens: list[Token] = []
    place = 0
    while place < len(text):
        sign = SIGN.match(text, place)
        if text[place].isspace() or unicodedata.category(text[place]) == "Cf":
            place += 1
        elif sign:
            tokens.append(Token(SIGNS[sign.group()], place))
            place = sign.end()
        else:
            start = place
            symbols, place = _symbols(text, place, rules)
            if tokens and tokens[-1].sign == "w":
                raise ParseError("an operator is missing between two words", start)
            tokens.append(Token("w", start, tuple(symbols)))
    return tokens


def _symbols(text: str, place: int, rules: Rules) -> tuple[list[str | int], int]:
    """The symbols of the word that starts at `place`, and where it ends."""
    symbols: list[str | int] = []
    quoted: int | None = None
    while place < len(text):
        sign, category = text[place], unicodedata.category(text[place])
        if sign in QUOTES:
            quoted = place if quoted is None else None
        elif category[0] == "L" or (category[0] == "M" and rules.marks):
            if quoted is not None:
                raise ParseError("only digits stand in quotes", place)
            symbols.append(sign if rules.cased else capital(sign))
        elif category[0] == "M":
            if not symbols or not isinstance(symbols[-1], str):
                raise ParseError("a combining mark without a letter", place)
            symbols[-1] += sign
        elif category == "Nd":
            symbols.append(_digit(sign, place, rules, quoted is not None))
        elif category != "Cf":
            break
        place += 1
    if quoted is not None:
        raise ParseError("a quote that is not closed", quoted)
    if not symbols:
        what = f"{text[place]!r} is no operator" if place < len(text) else "an empty word"
        raise ParseError(what, min(place, len(text) - 1))
    return symbols, place


def _digit(sign: str, place: int, rules: Rules, quoted: bool) -> str | int:
    if rules.symbols and not quoted:
        return sign
    digit = unicodedata.decimal(sign)
    if digit >= rules.base:
        raise ParseError(f"{digit} is no digit in base {rules.base}", place)
    return int(digit)


def capital(letter: str) -> str:
    """The capital of a letter, where the way back is the same letter (not so: ß, dotless i)."""
    large = letter.upper()
    return large if len(large) == 1 and large.lower() == letter else letter


def written(token: Token, rules: Rules) -> str:
    """A token in the normal form."""
    if token.sign != "w":
        return "&&" if token.sign == "&" else token.sign
    text, quoted = "", False
    for symbol in token.symbols:
        fixed = isinstance(symbol, int)
        if rules.symbols and fixed != quoted:
            text, quoted = text + "'", fixed
        text += DIGIT_SIGNS[symbol] if isinstance(symbol, int) else symbol
    return text + ("'" if quoted else "")
