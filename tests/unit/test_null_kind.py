"""The null kind: numbers, their digit sums, and nothing that can go wrong unseen."""

import numpy as np
import pytest

from workers.errors import ParamsError, ParseError
from workers.kinds import registry
from workers.kinds.null import KIND, NullParams

pytestmark = pytest.mark.nojit


def texts(*lines):
    return np.array([list(line.ljust(9).encode()) for line in lines], np.uint8)


def test_a_row_is_a_number_with_its_digit_sum():
    columns = KIND.grade(texts("000000123", "999999999"), NullParams(), ("basic", "digits"))
    assert columns["number"].tolist() == [123, 999_999_999]
    assert columns["solution"].tolist() == [6, 81]
    assert columns["zeros"].tolist() == [6, 0]
    assert columns["reason"].mask.all()


def test_a_rater_that_was_not_asked_for_has_no_column():
    assert "zeros" not in KIND.schema(("basic",)).names
    assert "zeros" not in KIND.generate(1, 2, NullParams(), ("basic",))


def test_numbers_stay_below_the_limit():
    numbers = KIND.generate(5, 1000, NullParams(limit=7), ("basic",))["number"]
    assert sorted(set(numbers.tolist())) == list(range(7))


def test_leading_zeros_do_not_change_the_key():
    keys = KIND.key(texts("7", "07", "000000007", "8"))
    assert (keys[0] == keys[:3]).all()
    assert (keys[0] != keys[3]).any()


@pytest.mark.parametrize(("text", "parsed"), [("7", "000000007"), (" 123456789\n", "123456789")])
def test_a_number_is_parsed_to_nine_digits(text, parsed):
    assert KIND.parse(text) == parsed


@pytest.mark.parametrize(
    ("text", "position"), [("12a", 2), (" -1", 1), ("", None), ("1234567890", None), ("١", 0)]
)
def test_what_is_no_number_is_refused_with_its_position(text, position):
    with pytest.raises(ParseError) as caught:
        KIND.parse(text)
    assert caught.value.position == position


def test_solving_and_explaining_tell_the_sum():
    assert KIND.solve("123") == {
        "puzzle": "000000123",
        "n_solutions": 1,
        "solution": "6",
        "method": "sum",
    }
    assert KIND.explain("123")[-1]["text"] == "add 3: 6"


def test_an_unknown_kind_is_refused_with_the_known_ones():
    assert registry.get("null") is KIND
    assert {"null", "sudoku"} <= set(registry.names())
    with pytest.raises(ParamsError, match="null"):
        registry.get("chess")
