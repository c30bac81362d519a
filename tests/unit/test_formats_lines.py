"""Puzzle lists: what is read from a file of people's making, and what is refused."""

import io
import sys
from pathlib import Path

import pytest

from pipeline.formats.entry import Entry, Reject
from pipeline.formats.reading import parse_lines, read_entries, read_found, read_lines
from workers.errors import ParseError, UsageError

ONE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
TWO = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"


def written(folder: Path, content: bytes | str, name: str = "list.txt") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def parse(text: str) -> str:
    if len(text) != 81:
        raise ParseError(f"{len(text)} characters, 81 wanted")
    for position, cell in enumerate(text):
        if cell not in "0123456789.":
            raise ParseError(f"{cell!r} is no cell", position)
    return text.replace("0", ".")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_byte_order_mark_do_not_matter(tmp_path: Path, end: str, mark: bytes) -> None:
    path = written(tmp_path, mark + f"# two{end}{ONE}{end}{end}{TWO}".encode())
    assert list(read_lines(path)) == [(2, ONE), (4, TWO)]


@pytest.mark.parametrize(
    ("line", "column"),
    [
        (f"{ONE} 1.2", 1),
        (f"{ONE};ED=7.1/1.2/1.2;name", 1),
        (f"{ONE},{TWO}", 1),
        (f'"{ONE}","{TWO}"', 2),
        (f"   {ONE}\t# easy", 4),
        (f"11,{ONE},28,14,314,,", 4),
        (f"0000183b305 {ONE}  7.1", 13),
    ],
)
def test_a_puzzle_is_found_among_what_stands_beside_it(
    tmp_path: Path, line: str, column: int
) -> None:
    assert list(read_entries(written(tmp_path, line))) == [Entry(1, column, ONE)]


@pytest.mark.parametrize(
    "header", ["puzzle,level", "id;Quizzes;x", '"question","answer"', "puzzle"]
)
def test_a_header_is_no_puzzle(tmp_path: Path, header: str) -> None:
    rows = {"id;Quizzes;x": f"7;{ONE};1"}.get(header, f"{ONE},9")
    assert list(read_lines(written(tmp_path, f"{header}\n{rows}\n"))) == [(2, ONE)]


def test_the_header_tells_puzzle_from_solution(tmp_path: Path) -> None:
    path = written(tmp_path, f"solution,puzzle\n{TWO},{ONE}\n")
    assert list(read_lines(path)) == [(2, ONE)]


def test_the_header_names_the_column_of_texts_that_are_no_grids(tmp_path: Path) -> None:
    path = written(tmp_path, "base,equation,kind\n10,SEND + MORE = MONEY,add\n")
    facts = {"base": "10", "kind": "add"}
    assert list(read_entries(path)) == [Entry(2, 4, "SEND + MORE = MONEY", facts)]


def test_texts_with_blanks_are_whole(tmp_path: Path) -> None:
    path = written(tmp_path, "SEND + MORE = MONEY\nA + B = C # small\n")
    assert list(read_lines(path)) == [(1, "SEND + MORE = MONEY"), (2, "A + B = C")]


def test_a_long_equation_is_not_cut_at_a_blank(tmp_path: Path) -> None:
    text = "as+a+stamp+collector+i+collect+dear+old+classic+stamps = x"
    assert list(read_lines(written(tmp_path, text))) == [(1, text)]


BLOCKS = {
    "bare": "\n".join(ONE[i : i + 9] for i in range(0, 81, 9)),
    "commas": "\n".join(",".join(ONE[i : i + 9]) for i in range(0, 81, 9)),
    "frames": "*-----------*\n"
    + "\n|---+---+---|\n".join(
        "\n".join(
            "|" + "|".join(ONE[i + j : i + j + 3] for j in (0, 3, 6)) + "|"
            for i in range(band, band + 27, 9)
        )
        for band in (0, 27, 54)
    )
    + "\n*-----------*",
    "print": "\n------+-------+------\n".join(
        "\n".join(
            " | ".join(" ".join(ONE[i + j : i + j + 3]) for j in (0, 3, 6))
            for i in range(band, band + 27, 9)
        )
        for band in (0, 27, 54)
    ),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_a_block_of_nine_rows_is_one_puzzle(tmp_path: Path, name: str) -> None:
    lines = list(read_lines(written(tmp_path, "# one\n" + BLOCKS[name] + "\n")))
    assert [text for _, text in lines] == [ONE.replace("0", ".")]


def test_eight_rows_are_one_malformed_grid(tmp_path: Path) -> None:
    path = written(tmp_path, "\n".join(BLOCKS["bare"].split("\n")[:8]))
    (reject,) = read_found(path)
    assert isinstance(reject, Reject)
    assert reject.at("f") == "f:1: a grid of 8 rows, 9 wanted"


def test_a_malformed_line_is_reported_with_its_column_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = written(tmp_path, f"{ONE}\n  {ONE[:40]}A{ONE[41:]} 1.5\n{ONE[:80]} 1.2\n{TWO}\n")
    entries = list(parse_lines(path, parse))
    good = [entry for entry in entries if not isinstance(entry, Reject)]
    bad = [entry for entry in entries if isinstance(entry, Reject)]
    assert [entry.line for entry, _ in good] == [1, 4]
    assert [reject.at("f") for reject in bad] == [
        "f:2:43: 'A' is no cell",
        "f:3: 80 characters, 81 wanted",
    ]


def test_a_foreign_byte_beside_the_puzzle_is_no_error(tmp_path: Path) -> None:
    path = written(tmp_path, ONE.encode() + b" J\xf6rg\n")
    assert list(read_lines(path)) == [(1, ONE)]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "holds no puzzle"),
        (b"# only a comment\n\n", "holds no puzzle"),
        ("\ufeff".encode("utf-16-le") + ONE.encode("utf-16-le"), "UTF-16"),
        (b"PAR1" + b"\0" * 90, "Parquet"),
        (b"\x7fELF\0\0\0", "binary"),
        (ONE.encode() + b"\n" + b"1" * 90_000 + b"\0", "binary"),
        (b"1" * 100_001, "100,000 characters"),
    ],
)
def test_what_is_no_list_is_refused_in_one_line(tmp_path: Path, content: bytes, says: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(UsageError, match=says) as refusal:
        list(read_lines(path))
    assert str(path) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        list(read_lines(tmp_path / "none.txt"))
    with pytest.raises(UsageError, match="is a folder"):
        list(read_lines(tmp_path))


def test_a_dash_is_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BufferedReader(io.BytesIO(f"{ONE}\n".encode()))

    monkeypatch.setattr(sys, "stdin", Stdin())
    assert list(read_lines("-")) == [(1, ONE)]


def test_reference_lists_are_read_whole(shared_data: Path) -> None:
    assert sum(1 for _ in read_lines(shared_data / "top1465.txt")) == 1465
    table = list(read_lines(shared_data / "cloud_sudoku_human_times.csv"))
    assert len(table) == 1533
    assert all(len(text) == 81 for _, text in table)
