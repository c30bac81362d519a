"""A list of puzzles in a run: one width, the lines they came from, and what was none."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from pipeline.ingest import ingest
from workers.errors import ParseError, UsageError
from workers.kinds import registry


def write(folder: Path, text: str) -> Path:
    path = folder / "list.txt"
    path.write_text(text)
    return path


def source_lines(folder: Path) -> list[int]:
    found: list[int] = np.fromfile(folder / "source_line.i64", "<i8").tolist()
    return found


def test_puzzles_keep_the_numbers_of_their_lines(tmp_path: Path) -> None:
    path = write(tmp_path, "# a comment\n\n7\r\n123456789\n\n42")
    facts = ingest(path, registry.get("null").parse, tmp_path / "input")
    content = b"000000007\n123456789\n000000042\n"
    assert (tmp_path / "input" / "lines.txt").read_bytes() == content
    assert source_lines(tmp_path / "input") == [3, 4, 6]
    assert (facts.rows, facts.width) == (3, 9)
    assert facts.lines == hashlib.sha256(content).hexdigest()


def test_texts_of_several_widths_are_padded_to_the_longest(tmp_path: Path) -> None:
    path = write(tmp_path, "SEND+MORE=MONEY\nA+B=C\nÄ+B=C\n")
    facts = ingest(path, str.strip, tmp_path / "input")
    lines = (tmp_path / "input" / "lines.txt").read_bytes().splitlines()
    assert lines == [b"SEND+MORE=MONEY", b"A+B=C          ", "Ä+B=C         ".encode()]
    assert facts.width == 15
    assert sorted(path.name for path in (tmp_path / "input").iterdir()) == [
        "lines.txt", "rejects.jsonl", "source_line.i64",
    ]  # fmt: skip


def test_what_is_no_puzzle_is_put_aside_with_place_and_reason(tmp_path: Path) -> None:
    path = write(tmp_path, "12\n1x\n3\n" + "9" * 300 + "\n")
    facts = ingest(path, registry.get("null").parse, tmp_path / "input")
    assert facts.rows == 2
    assert source_lines(tmp_path / "input") == [1, 3]
    text = (tmp_path / "input" / "rejects.jsonl").read_text()
    wrong, long = (json.loads(line) for line in text.splitlines())
    assert wrong == {"line": 2, "column": 2, "reason": "'x' is not a digit", "text": "1x"}
    assert (long["line"], long["column"], len(long["text"])) == (4, None, 200)


def test_a_list_without_a_single_puzzle_is_refused_with_the_first_reason(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"list\.txt: no puzzle in it; line 1:1: 'a' is not"):
        ingest(write(tmp_path, "abc\ndef\n"), registry.get("null").parse, tmp_path / "input")


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n"])
def test_an_empty_list_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError, match="no puzzle"):
        ingest(write(tmp_path, text), registry.get("null").parse, tmp_path / "input")


def test_a_parser_that_refuses_everything_leaves_no_lines(tmp_path: Path) -> None:
    def refuse(text: str) -> str:
        raise ParseError("no", None)

    with pytest.raises(UsageError, match="no puzzle in it"):
        ingest(write(tmp_path, "1\n"), refuse, tmp_path / "input")
    assert not (tmp_path / "input" / "lines.txt").exists()
