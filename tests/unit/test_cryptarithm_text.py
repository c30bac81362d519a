"""Cryptarithms as text: conventions, normal form, errors with their place."""

import pytest

from workers.engines.cryptarithm.rules import Rules, parse_rules
from workers.engines.cryptarithm.text import format_solution, parse_puzzle
from workers.errors import ParseError

pytestmark = pytest.mark.nojit


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("send + more == money", "SEND+MORE=MONEY"),
        ("TWO×TWO＝SQUARE", "TWO*TWO=SQUARE"),
        ("a='1';a+b=d", "A=1&&A+B=D"),
        ("-a + (b − c) = 0", "-A+(B-C)=0"),
        ("e\u0301te\u0301+a=b", "ÉTÉ+A=B"),
        ("trent\u00aduno+a=b", "TRENTUNO+A=B"),
        ("kırk+iki=x", "KıRK+IKI=X"),
        ("a+٣=b", "A+3=B"),
        ("a'3'+b3=c @10-symbols", "A'3'+B3=C@10-symbols"),
        ("a+b=c@10", "A+B=C"),
        ("Aa+b=c @12-cased-nozero", "Aa+b=c@12-nozero-cased"),
    ],
)
def test_what_may_be_written_has_one_normal_form(text: str, normal: str) -> None:
    puzzle = parse_puzzle(text)
    assert puzzle.text == normal
    assert parse_puzzle(normal) == puzzle


@pytest.mark.parametrize(
    ("text", "what", "position"),
    [
        ("a+b", "no = at the end", 3),
        ("a=b=c", "second =", 3),
        ("a+=b", "a word is missing", 2),
        ("(a=b", r"\( without \)", 0),
        ("a=b)", r"\) without \(", 3),
        ("abcdefghijk=a", "too many letters", 0),
        ("send+more=mon/y", "'/' is no operator", 13),
        ("a b=c", "an operator is missing", 2),
        ("a+b=9@8", "no digit in base 8", 4),
        ("a+b=c@17", "base 17", 5),
        ("a+b=c@10-odd", "rule 'odd'", 5),
        ("1+1=2", "no letter", 0),
        ("\u0301a=b", "combining mark", 0),
        ("a='1=b", "quote that is not closed", 2),
        ("a='x'", "only digits", 3),
        ("e\u0301e\u0301/a=b", "'/' is no operator", 4),
        ("a" * 65 + "=b", "word of 65 letters", 0),
        ("(" * 41 + "a" + ")" * 41 + "=b", "parentheses deep", 40),
        ("+".join("a" * 1001) + "=b", "more than 1,000 words", 2000),
        ("", "no puzzle", None),
    ],
)
def test_an_error_says_what_and_where(text: str, what: str, position: int | None) -> None:
    with pytest.raises(ParseError, match=what) as caught:
        parse_puzzle(text)
    assert caught.value.position == position


def test_combining_marks_stay_with_their_letter_unless_rules_say_otherwise() -> None:
    assert parse_puzzle("तीन=सात").letters == ("ती", "न", "सा", "त")
    assert len(parse_puzzle("तीन=सात@10-marks").letters) == 5


def test_leading_letters_are_those_of_longer_words_and_of_all_when_ruled_so() -> None:
    puzzle = parse_puzzle("AB+C=DE")
    assert [puzzle.leading >> i & 1 for i in range(5)] == [1, 0, 0, 1, 0]
    assert parse_puzzle("AB+C=DE@10-nozero").leading == 0b01101


def test_the_rules_id_is_read_back() -> None:
    for rules in (Rules(), Rules(base=2), Rules(16, False, True, True, True)):
        assert parse_rules(rules.id) == rules


def test_a_solution_is_the_text_with_digits() -> None:
    puzzle = parse_puzzle("A*(B+C2)=DA@16")
    assert format_solution(puzzle, (10, 11, 0, 15)) == "A*(B+02)=FA"
