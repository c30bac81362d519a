"""Every format gives back what was written, told by its content alone, for a thousand puzzles."""

import contextlib
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.formats import lz
from pipeline.formats.catalogue import FORMATS, READ_ONLY
from pipeline.formats.entry import Entry, Reject, open_candidates
from pipeline.formats.reading import read_found
from pipeline.formats.writing import write_parquet, write_text
from workers.engines.machine.random import seeded
from workers.engines.sudoku.generate import minimal_puzzles
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.text import texts_from_digits
from workers.errors import UsageError

COUNT = 1000
RATED = ("bank", "kaggle-3m", "extreme", "csv", "jsonl", "parquet")
SOLVED = ("kaggle-1m", "kaggle-3m", "extreme", "ipuz", "f-puzzles", "sudokupad", "csv", "jsonl",
          "parquet")  # fmt: skip
IN_PLAY = ("sdx", "hodoku", "sudokuwiki", "f-puzzles", "opensudoku", "csv", "jsonl", "parquet")
WRITTEN = [name for name in FORMATS if name not in READ_ONLY]


@pytest.fixture(scope="module")
def puzzles() -> list[Entry]:
    """Puzzles with their solutions and a made-up rating."""
    digits = minimal_puzzles(seeded(9), COUNT).puzzles
    clues = [row.tobytes().decode() for row in texts_from_digits(digits)]
    solved = [row.tobytes().decode() for row in texts_from_digits(solve_batch(digits).solutions)]
    ratings = [round(1.0 + number % 100 / 10, 1) for number in range(COUNT)]
    facts = [
        {"solution": solution, "rating": rating}
        for solution, rating in zip(solved, ratings, strict=True)
    ]
    return [Entry(number, 1, text, own) for number, (text, own) in
            enumerate(zip(clues, facts, strict=True), start=1)]  # fmt: skip


@pytest.fixture(scope="module")
def boards(puzzles: list[Entry]) -> list[Entry]:
    """The same with some cells filled in, and some candidates struck out."""
    rng = np.random.default_rng(9)
    made = []
    for entry in puzzles[:200]:
        known = rng.random(81) < 0.2
        filled = "".join(
            right if sign == "." and now else sign
            for sign, right, now in zip(entry.text, entry.facts["solution"], known, strict=True)
        )
        marks = [
            "".join(mark for mark in cell if mark == right or rng.random() < 0.8)
            for cell, right in zip(open_candidates(filled), entry.facts["solution"], strict=True)
        ]
        made.append(entry._replace(facts={"values": filled, "candidates": tuple(marks)}))
    return made


def round_trip(entries: list[Entry], name: str, folder: Path) -> list[Entry]:
    """Written to one file, and read again without saying what it is."""
    path = folder / "file"
    if name == "parquet":
        assert list(write_parquet(entries, path)) == []
    elif name == "ipuz":  # one puzzle a file
        found: list[Entry] = []
        for entry in entries:
            found += _written([entry], name, path)
        return found
    else:
        return _written(entries, name, path)
    return _read(path)


def _written(entries: list[Entry], name: str, path: Path) -> list[Entry]:
    stream = io.StringIO()
    assert list(write_text(entries, name, stream)) == []
    path.write_text(stream.getvalue(), encoding="utf-8")
    return _read(path)


def _read(path: Path) -> list[Entry]:
    found = []
    for one in read_found(path):
        assert not isinstance(one, Reject), one
        found.append(one)
    return found


@pytest.mark.parametrize("name", WRITTEN)
def test_a_thousand_puzzles_come_back(puzzles: list[Entry], tmp_path: Path, name: str) -> None:
    found = round_trip(puzzles, name, tmp_path)
    assert [entry.text.replace("0", ".") for entry in found] == [entry.text for entry in puzzles]
    if name in RATED:
        ratings = [float(entry.facts["rating"]) for entry in found]
        assert ratings == [entry.facts["rating"] for entry in puzzles]
    if name in SOLVED:
        solutions = [entry.facts["solution"] for entry in found]
        assert solutions == [entry.facts["solution"] for entry in puzzles]


@pytest.mark.parametrize("name", IN_PLAY)
def test_boards_in_play_come_back(boards: list[Entry], tmp_path: Path, name: str) -> None:
    found = round_trip(boards, name, tmp_path)
    assert [entry.text for entry in found] == [entry.text for entry in boards]
    for entry, board in zip(found, boards, strict=True):
        filled, marks = _settled(board) if name == "sdx" else _board(board)
        if name in ("f-puzzles", "opensudoku"):  # there an empty note is no note
            marks = [mark or own for mark, own in zip(_board(entry)[1], marks, strict=True)]
        assert _board(entry) == (filled, marks)


def _board(entry: Entry) -> tuple[str, list[str]]:
    filled: str = entry.facts.get("values", entry.text)
    marks: Any = entry.facts.get("candidates", open_candidates(filled))
    return filled, list(marks)


def _settled(board: Entry) -> tuple[str, list[str]]:
    """A cell with one candidate left counts as filled in, where a format cannot tell them apart."""
    filled, marks = _board(board)
    values = [mark if sign == "." and len(mark) == 1 else sign
              for sign, mark in zip(filled, marks, strict=True)]  # fmt: skip
    left = [mark if sign == "." else "" for sign, mark in zip(values, marks, strict=True)]
    return "".join(values), left


def test_candidates_of_a_pencilmark_grid_come_back(boards: list[Entry], tmp_path: Path) -> None:
    found = round_trip(boards, "pencilmarks", tmp_path)
    for entry, board in zip(found, boards, strict=True):
        assert (entry.text, _board(entry)[1]) == _board(board)


LZ_STRING = {
    "hello hello hello": "BYUwNmD2AEoTcpA=",
    "Sudoku äöü 数独": "MoVwJg9g1iAEAnA3gP7QDqaBunIA",
    '{"size":9,"grid":[[{},{}]]}': "N4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9liBdMooA==",
}
"""Text -> what the library LZString makes of it (compressToBase64)."""


@pytest.mark.parametrize("text", LZ_STRING)
def test_a_code_is_that_of_lz_string(text: str) -> None:
    assert lz.compress(text) == LZ_STRING[text]
    assert lz.decompress(LZ_STRING[text]) == text


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_what_was_compressed_unfolds(text: str) -> None:
    assert lz.decompress(lz.compress(text)) == text


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=lz.ALPHABET, max_size=60))
def test_a_broken_code_is_an_error_and_nothing_else(text: str) -> None:
    try:
        lz.decompress(text)
    except ValueError:
        return


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="0123456789.*-|+:'u#@[]{}<>\"\n ,;", max_size=400))
def test_no_text_is_too_wild(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "wild"
    path.write_text(text)
    with contextlib.suppress(UsageError):
        assert list(read_found(path))
