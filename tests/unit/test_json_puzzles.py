"""Puzzles in JSON: every form that is read, and where a fault is."""

import json
from typing import Any

import pytest

from pipeline.formats.json_puzzles import decoded, looks_like_json, puzzle_texts
from workers.errors import UsageError

TEXT = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
NUMBERS = [0 if sign == "." else int(sign) for sign in TEXT]
ROWS = [NUMBERS[row * 9 : row * 9 + 9] for row in range(9)]
NULLS = [[cell or None for cell in row] for row in ROWS]


def read(text: str) -> list[str]:
    return puzzle_texts(decoded(text, "FILE"), "FILE")


@pytest.mark.parametrize(
    ("document", "count"),
    [
        (TEXT, 1),
        (ROWS, 1),
        (NULLS, 1),
        (NUMBERS, 1),
        ({"puzzle": TEXT, "level": "easy"}, 1),
        ({"grid": ROWS}, 1),
        ({"puzzles": [TEXT, ROWS]}, 2),
        ([TEXT, ROWS, {"quiz": TEXT}], 3),
        ([[*ROWS], [*NULLS]], 2),
    ],
)
def test_a_puzzle_is_read_in_every_form(document: Any, count: int) -> None:
    assert read(json.dumps(document)) == [TEXT] * count
    assert read("\ufeff" + json.dumps(document, indent=1)) == [TEXT] * count


def test_json_lines_are_one_puzzle_a_line() -> None:
    assert read(f'{{"puzzle": "{TEXT}"}}\n\n"{TEXT}"\n') == [TEXT, TEXT]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"puzzle": ', "FILE:1:12: no JSON: expecting value"),
        ('[\n  "a",\n  oops]', "FILE:3:3: no JSON: expecting value"),
        (f'"{TEXT}"\n{{bad}}\n', "FILE:2:2: no JSON: expecting property name"),
        ("[" * 100_000, "FILE: no JSON that holds puzzles: nested too deep"),
        ("[]", "FILE: holds no puzzle"),
        ('{"level": 3}', "FILE: has no puzzle (wanted: puzzle, "),
        (f'["{TEXT}", 5]', "FILE: puzzle 2: is neither a text nor"),
        (json.dumps([*NUMBERS[:80], 10]), "FILE: puzzle 1: is neither a text nor"),
        (json.dumps([*NUMBERS[:80], True]), "FILE: puzzle 1: is neither a text nor"),
    ],
)
def test_a_fault_is_named_with_its_place(text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(text)
    assert str(caught.value).startswith(said)


def test_json_is_told_from_a_list_of_puzzles() -> None:
    assert looks_like_json('\ufeff\n {"puzzle": 1}')
    assert looks_like_json('"text"')
    assert not looks_like_json(TEXT)
    assert not looks_like_json("puzzle,level\n")
    assert not looks_like_json("")
