"""Sudoku text to digits and back."""

import numpy as np
import pytest

from workers.engines.sudoku.text import (
    EMPTY_CHARACTERS,
    digits_from_texts,
    format_text,
    parse_text,
    texts_from_digits,
)  # fmt: skip
from workers.errors import ParseError

pytestmark = pytest.mark.nojit

TEXT = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def rows_of(*lines: bytes) -> np.ndarray:
    return np.array([np.frombuffer(line, dtype=np.uint8) for line in lines])


def test_text_survives_the_way_to_digits_and_back() -> None:
    digits = parse_text(TEXT)
    assert digits.dtype == np.uint8
    assert digits.shape == (81,)
    assert digits[:5].tolist() == [5, 3, 0, 0, 7]
    assert format_text(digits) == TEXT


@pytest.mark.parametrize("empty", EMPTY_CHARACTERS)
def test_every_usual_sign_for_an_empty_cell_is_taken(empty: str) -> None:
    assert format_text(parse_text(TEXT.replace(".", empty))) == TEXT


def test_blanks_around_the_text_are_ignored() -> None:
    assert format_text(parse_text(f"  {TEXT}\r\n")) == TEXT


@pytest.mark.parametrize("bad", ["a", "٣", "é", " ", "\x00"])
def test_a_bad_character_is_named_with_its_position(bad: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_text(" " + TEXT[:7] + bad + TEXT[8:])
    assert caught.value.position == 8
    assert repr(bad) in caught.value.what


@pytest.mark.parametrize(("text", "position"), [("", 0), (TEXT[:80], 80), (TEXT + "1", 81)])
def test_a_wrong_length_is_refused_where_the_text_goes_wrong(text: str, position: int) -> None:
    with pytest.raises(ParseError, match="81 cells") as caught:
        parse_text(text)
    assert caught.value.position == position


def test_many_texts_are_read_like_one() -> None:
    other = TEXT[::-1].replace(".", "0")
    digits = digits_from_texts(rows_of(TEXT.encode(), other.encode()))
    assert digits.tolist() == [parse_text(TEXT).tolist(), parse_text(other).tolist()]
    assert texts_from_digits(digits).tobytes().decode() == TEXT + TEXT[::-1]


def test_padding_on_the_right_is_blank() -> None:
    padded = rows_of(TEXT.encode() + b"   ")
    assert digits_from_texts(padded).tolist() == [parse_text(TEXT).tolist()]
    with pytest.raises(ParseError) as caught:
        digits_from_texts(rows_of(TEXT.encode() + b" 1 "))
    assert caught.value.position == 82


def test_a_bad_text_among_many_is_named_by_row_and_position() -> None:
    bad = TEXT[:80] + "?"
    with pytest.raises(ParseError, match="row 1") as caught:
        digits_from_texts(rows_of(TEXT.encode(), bad.encode()))
    assert caught.value.position == 80


def test_texts_of_another_shape_are_refused() -> None:
    with pytest.raises(ParseError, match="shape"):
        digits_from_texts(rows_of(TEXT[:80].encode()))


def test_no_texts_are_no_digits() -> None:
    assert digits_from_texts(np.zeros((0, 81), dtype=np.uint8)).shape == (0, 81)
