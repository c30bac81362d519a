"""LZString's compression to base64, in which f-puzzles and SudokuPad links carry their puzzle.

An LZ78 code over UTF-16 units: codes 0 and 1 announce a new unit of 8 or 16 bits, 2 ends the text,
and the width of a code grows as the dictionary does. Bits of a number come lowest first, six bits
make a letter of base64, highest first.
"""

from collections.abc import Iterator
from typing import Final

ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_SIX: Final = {letter: f"{value:06b}" for value, letter in enumerate(ALPHABET)}
_LETTER: Final = {bits: letter for letter, bits in _SIX.items()}
BYTE, WORD, END, FIRST = 0, 1, 2, 3
MOST_UNITS: Final = 1 << 22
"""Of a text: a short link must not unfold into gigabytes."""


def compress(text: str) -> str:
    """The base64 of a text, padded with `=`."""
    bits = "".join(_codes(text))
    bits += "0" * (-len(bits) % 6)
    letters = "".join(_LETTER[bits[at : at + 6]] for at in range(0, len(bits), 6))
    return letters + "=" * (-len(letters) % 4)


def _codes(text: str) -> Iterator[str]:
    """The bits of all codes of a text, the last one END."""
    known: dict[str, int] = {}
    new: set[str] = set()  # units whose first code still has to announce them
    width, room = 2, 2
    word = ""
    for unit in [*_units(text), None]:
        if unit is not None and unit not in known:
            known[unit] = len(known) + FIRST
            new.add(unit)
        if unit is not None and word + unit in known:
            word += unit
            continue
        if word:
            if word in new:
                new.remove(word)
                short = ord(word) < 256
                yield _low_first(BYTE if short else WORD, width)
                yield _low_first(ord(word), 8 if short else 16)
                width, room = _grown(width, room)
            else:
                yield _low_first(known[word], width)
            width, room = _grown(width, room)
        if unit is not None:
            if word:
                known[word + unit] = len(known) + FIRST
            word = unit
    yield _low_first(END, width)
    yield "0"  # a decoder reads one bit ahead


def _grown(width: int, room: int) -> tuple[int, int]:
    """The width of the next code, and how many are left of that width."""
    return (width, room - 1) if room > 1 else (width + 1, 1 << width)


def _low_first(value: int, width: int) -> str:
    return f"{value:0{width}b}"[::-1]


def _units(text: str) -> list[str]:
    """The UTF-16 units of a text, each as a character."""
    coded = text.encode("utf-16-le", "surrogatepass")
    return [chr(coded[at] | coded[at + 1] << 8) for at in range(0, len(coded), 2)]


def decompress(coded: str) -> str:
    """The text of a base64 code; ValueError when it is none."""
    bits = _Bits(coded)
    words: list[str] = ["", "", ""]  # codes 0 to 2 are not words
    made: list[str] = []
    width, size, last = 2, 0, ""
    room = 2
    while True:
        code = bits.take(width)
        if code == END:
            break
        if code in (BYTE, WORD):
            word = chr(bits.take(8 if code == BYTE else 16))
            words.append(word)
            width, room = _grown(width, room)
        elif code < len(words):
            word = words[code]
        elif code == len(words) and last:
            word = last + last[0]
        else:
            raise ValueError(f"code {code} stands for nothing")
        if last:
            words.append(last + word[0])
        width, room = _grown(width, room)
        made.append(word)
        size += len(word)
        last = word
        if size > MOST_UNITS:
            raise ValueError("unfolds into a text of megabytes")
    units = "".join(made)
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class _Bits:
    """The bits of a base64 text, one after the other."""

    def __init__(self, coded: str) -> None:
        letters = coded.rstrip("=")
        foreign = next((letter for letter in letters if letter not in _SIX), None)
        if foreign is not None:
            raise ValueError(f"{foreign!r} is no letter of base64")
        self._bits = "".join(_SIX[letter] for letter in letters)
        self._at = 0

    def take(self, width: int) -> int:
        """The next number of so many bits; ValueError at the end."""
        found = self._bits[self._at : self._at + width]
        if len(found) < width:
            raise ValueError("ends in the middle")
        self._at += width
        return int(found[::-1], 2)
