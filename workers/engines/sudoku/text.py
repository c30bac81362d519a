"""Sudoku text: 81 characters, row-major, `.` for an empty cell; and back to digits.

Readers take 1-9 for a clue and any of `0 . - _ * x X` for an empty cell; writers use `.`.
"""

from typing import Final

import numpy as np

from workers.contracts import Texts
from workers.engines.sudoku.geometry import CELLS, Digits
from workers.errors import ParseError

EMPTY_CHARACTERS: Final = "0.-_*xX"
_REFUSED: Final = 255


def _digit_of_byte() -> Digits:
    table = np.full(256, _REFUSED, dtype=np.uint8)
    table[[ord(character) for character in EMPTY_CHARACTERS]] = 0
    table[ord("1") : ord("9") + 1] = np.arange(1, 10)
    table.setflags(write=False)
    return table


_DIGIT: Final = _digit_of_byte()


def parse_text(text: str) -> Digits:
    """Read one puzzle, blanks around it allowed, as digits uint8 (81,).

    Raises ParseError: the position is that of the first bad character in `text` as given, or,
    when the length is wrong, that of the first missing or superfluous character.
    """
    body = text.strip()
    start = len(text) - len(text.lstrip())
    for offset, character in enumerate(body[:CELLS]):
        if ord(character) > 255 or _DIGIT[ord(character)] == _REFUSED:
            raise ParseError(f"{character!r} is not a cell of a Sudoku", start + offset)
    if len(body) != CELLS:
        what = f"a Sudoku has 81 cells, not {len(body)}"
        raise ParseError(what, start + min(len(body), CELLS))
    return _DIGIT[np.frombuffer(body.encode("latin-1"), dtype=np.uint8)]


def format_text(digits: Digits) -> str:
    """Write one puzzle (81,) as 81 characters with `.` for an empty cell."""
    return texts_from_digits(digits.reshape(1, CELLS)).tobytes().decode("ascii")


def digits_from_texts(texts: Texts) -> Digits:
    """Read many puzzles: ASCII (n, width >= 81), padded with blanks, to digits uint8 (n, 81).

    Raises ParseError that names the first bad row (0-based) and the position in it.
    """
    if texts.ndim != 2 or texts.shape[1] < CELLS:
        raise ParseError(f"Sudoku texts have shape (n, 81), not {texts.shape}")
    digits: Digits = _DIGIT[texts[:, :CELLS]]
    refused = digits == _REFUSED
    if texts.shape[1] > CELLS:
        refused = np.hstack((refused, texts[:, CELLS:] != ord(" ")))
    if refused.any():
        row, position = (int(index) for index in np.argwhere(refused)[0])
        character = chr(texts[row, position])
        raise ParseError(f"row {row}: {character!r} is not a cell of a Sudoku", position)
    return digits


def texts_from_digits(digits: Digits) -> Texts:
    """Write many puzzles (n, 81) as ASCII uint8 (n, 81) with `.` for an empty cell."""
    # Arithmetic, because it is several times as fast as a look-up.
    dots = (digits == 0).view(np.uint8) * np.uint8(ord("0") - ord("."))
    texts: Texts = digits + np.uint8(ord("0")) - dots
    return texts
