"""Filter expressions: what they select, and what they say when they are wrong."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from pipeline.query import Comparison, parse_filter, read_filter
from workers.errors import ParseError

KEY = bytes(range(16))
ROWS = pa.table(
    {
        "key": pa.array([KEY, bytes(16), None, KEY, KEY], pa.binary(16)),
        "level": ["easy", "hard", "hard", None, "it's"],
        "hodoku_score": pa.array([100, 900, 1100, 1500, None], pa.int32()),
        "hodoku_t_x_wing": pa.array([0, 1, 2, 0, 1], pa.int16()),
        "er": [1.2, 3.4, 4.5, 7.1, None],
        "minimal": [True, False, None, True, True],
        "row": pa.array([0, 1, 2, 3, 4], pa.int32()),
        "seed": pa.array([2**63 - 1, 5, 2**53 + 1, 10**9, 0], pa.int64()),
    }
)


def chosen(text: str) -> list[int]:
    rows: list[int] = ROWS.filter(parse_filter(text, ROWS.schema)).column("row").to_pylist()
    return rows


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("hodoku_score in 900..1100 and hodoku_t_x_wing >= 1 and level == 'hard'", [1, 2]),
        ("hodoku_score in 900..1100", [1, 2]),
        ("900 <= hodoku_score < 1100", [1]),
        ("1000 > hodoku_score", [0, 1]),
        ("er in 1.2..3.4", [0, 1]),
        ("er in .5..1.5", [0]),
        ("er > 4", [2, 3]),
        ("er=4.5", [2]),
        ("hodoku_score > -1", [0, 1, 2, 3]),
        ("hodoku_score > 1e3", [2, 3]),
        ("hodoku_score > 899.5", [1, 2, 3]),
        ("hodoku_score < 1e400", [0, 1, 2, 3]),
        ("seed >= 1e9", [0, 2, 3]),
        ("seed == 9007199254740993", [2]),
        ("seed in 5.0..1e9", [1, 3]),
        ("level in ['easy', 'hard']", [0, 1, 2]),
        ("level in ('easy')", [0]),
        ("level not in ['easy']", [1, 2, 4]),
        ("level != 'hard'", [0, 4]),
        ('level == "it\'s"', [4]),
        ("level is null", [3]),
        ("level is not null and er is null", [4]),
        ("minimal", [0, 3, 4]),
        ("not minimal", [1]),
        ("minimal == false", [1]),
        ("hodoku_score not in 100..1100", [3]),
        ("hodoku_score in [100, 1500]", [0, 3]),
        ("hodoku_t_x_wing < er", [0, 1, 2, 3]),
        ("hodoku_t_x_wing == row", [0, 1, 2]),
        (f"key == '{KEY.hex()}'", [0, 3, 4]),
        (f"key == '{KEY.hex().upper()}' and er < 2", [0]),
        ("er < 2 or er > 7 and level == 'hard'", [0]),
        ("(er < 2 or er > 7) and minimal", [0, 3]),
        ("not (er < 2 or er > 7)", [1, 2]),
        ("  er<2  ", [0]),
        ("level = hard", [1, 2]),
        ("hard == level", [1, 2]),
        ("level in (easy, 'hard')", [0, 1, 2]),
        ("hodoku_score > 99999999999", []),
    ],
)
def test_a_filter_selects_the_rows_for_which_it_holds(text: str, rows: list[int]) -> None:
    assert chosen(text) == rows


@pytest.mark.parametrize(
    ("text", "said", "column"),
    [
        ("hodoku_scor > 3", "no column 'hodoku_scor', did you mean 'hodoku_score'?", 1),
        ("er > 3 and levle == 'x'", "no column 'levle', did you mean 'level'?", 12),
        ("zzz == 1", "no column 'zzz'", 1),
        ("er > 'x'", "er is a number, 'x' is not", 6),
        ("level == 3", "level is text (in quotes), 3 is not", 10),
        ("er == hard", "no column 'hard'", 7),
        ("hard", "no column 'hard'", 1),
        ("hard == easy", "no column 'hard'", 1),
        ("er in [1, hard]", "no column 'hard'", 11),
        ("seed > 0.5", "seed is a whole number, 0.5 is not", 8),
        ("seed > 99999999999999999999", "99999999999999999999 is out of range", 8),
        ("minimal == 1", "minimal is true or false, 1 is not", 12),
        ("er == true", "er is a number, true is not", 7),
        ("key == 'abc'", "key takes 32 hex digits", 8),
        ("er", "expected a comparison after er", 3),
        ("er >", "expected a column or a value, found 'the end'", 5),
        ("", "expected a column or a value, found 'the end'", 1),
        ("er > 3 level == 'x'", "expected 'and' or 'or', found 'level'", 8),
        ("(er > 3", "expected ')', found the end", 8),
        ("er > 3)", "expected 'and' or 'or', found ')'", 7),
        ("er in 3", "expected '..', found the end", 8),
        ("er in 5..3", "the range 5..3 is empty", 7),
        ("er in", "expected a range (1..5) or a list ['a', 'b'] after 'in'", 6),
        ("er not 3", "expected 'in' after 'not'", 8),
        ("level is 'x'", "expected 'null', found \"'x'\"", 10),
        ("level == 'x", "text without its closing quote", 10),
        ("er > 3; drop", "cannot read '; drop'", 7),
        ("1 < 2", "a comparison needs a column", 1),
        ("er == level", "cannot compare er (double) with level (string)", 4),
        ("3x > er", "cannot read '3x > er'", 1),
        ("__import__('os')", "no column '__import__'", 1),
        ("(" * 60 + "er", "nested too deeply", 51),
        ("not " * 60 + "minimal", "nested too deeply", 201),
    ],
)
def test_a_wrong_filter_is_refused_with_its_place(text: str, said: str, column: int) -> None:
    with pytest.raises(ParseError) as caught:
        parse_filter(text, ROWS.schema)
    assert caught.value.position == column - 1
    assert said in str(caught.value)
    assert str(caught.value).endswith(f"(column {column})")


def test_a_column_named_like_a_word_of_the_language_is_no_problem() -> None:
    table = pa.table({"notes": [1, 2], "android": [True, False]})
    found: Callable[[str], Any] = lambda text: table.filter(parse_filter(text, table.schema))  # noqa: E731
    assert found("notes > 1 and not android").num_rows == 1


@pytest.mark.parametrize(
    ("text", "tests"),
    [
        ("er in 1..2.5", [("er", ">=", (1,)), ("er", "<=", (2.5,))]),
        ("1 < er <= 2", [("er", ">", (1,)), ("er", "<=", (2,))]),
        ("level = hard and (minimal)", [("level", "=", ("hard",)), ("minimal", "=", (True,))]),
        ("level in ['easy', hard]", [("level", "in", ("easy", "hard"))]),
        ("er > 1 or er < 0", None),
        ("not minimal", None),
        ("level is null", None),
        ("level not in [easy]", None),
        ("hodoku_t_x_wing < er", None),
    ],
)
def test_what_is_joined_by_and_is_told_test_by_test(text: str, tests: list[Any] | None) -> None:
    found = read_filter(text, ROWS.schema).tests
    assert found == (None if tests is None else tuple(Comparison(*test) for test in tests))


def test_the_columns_of_a_filter_are_told() -> None:
    found = read_filter("er > 1 and (level = hard or er < row)", ROWS.schema)
    assert found.columns == ("er", "level", "row")
