"""Files as other programs write them are read; broken ones are told in one line each."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pipeline.formats import lz
from pipeline.formats.catalogue import sniffed
from pipeline.formats.entry import Entry, Reject
from pipeline.formats.reading import read_found

ONE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
TWO = "2..1.5..3.54...71..1.2.3.8.6.28.73.4.........1.53.98.6.2.7.1.6..81...24.7..4.2..1"
ROWS = [ONE[row : row + 9] for row in range(0, 81, 9)]
ZEROS = ONE.replace(".", "0")
NUMBERS = [[int(sign) for sign in ZEROS[row : row + 9]] for row in range(0, 81, 9)]
F_PUZZLE = {
    "size": 9,
    "title": "T",
    "author": "A",
    "grid": [[{"value": cell, "given": True} if cell else {} for cell in row] for row in NUMBERS],
}
PAD = {"cellSize": 50, "metadata": {"title": "T"},
       "cells": [[{"value": cell} if cell else {} for cell in row] for row in NUMBERS]}  # fmt: skip
ZIPPED = "{cs:50,metadata:{t:'T'},ce:[" + ",".join(
    "[" + ",".join(f"{{v:{cell}}}" if cell else "" for cell in row) + "]" for row in NUMBERS
) + "]}"  # fmt: skip
FRAME = "*-----------*"
PENCILMARKS = """\
.------------------.------------------.------------------.
| 5     3    124   | 26    7    2468  | 1489  1249  248  |
| 6     247  247   | 1     9    5     | 3478  234   2478 |
| 12    9    8     | 23    34   24    | 13457 6     2457 |
:------------------+------------------+------------------:
| 8     125  1259  | 579   6    147   | 4579  2459  3    |
| 4     25   2569  | 8     5*   3     | 579   259   1    |
| 7     15   1359  | 59    2    14    | 4589  459   6    |
:------------------+------------------+------------------:
| 139   6    134579| 357   35   7     | 2     8     4    |
| 23    278  237   | 4     1    9     | 36    3     5    |
| 123   1245 12345 | 2356  8    26    | 1346  7     9    |
'------------------'------------------'------------------'
"""
SAMPLES = {
    "lines": (f"# a list\r\n{ONE} 1.2 easy\r\n{TWO}\r\n", "lines", [ONE, TWO]),
    "sdm": (f"{ZEROS}\n{TWO.replace('.', '0')}\n", "lines", [ONE, TWO]),
    "block": ("\n".join(" ".join(row) for row in ROWS), "block", [ONE]),
    "bars": ("\n".join(f"{r[:3]}|{r[3:6]}|{r[6:]}" + "\n---+---+---" * (n in (2, 5))
                       for n, r in enumerate(ROWS)), "block", [ONE]),
    "sdk": ("#ARuud\n#LEasy\n[Puzzle]\n" + "\n".join(ROWS) + "\n", "sdk", [ONE]),
    "sdk bare": ("#ARuud\n#DWithout a section\n" + "\n".join(ROWS) + "\n", "block", [ONE]),
    "sdk state": ("[Puzzle]\n" + "\n".join(ROWS) + "\n[PencilMarks]\n" + "x\n" * 9, "sdk", [ONE]),
    "ss": ("\n".join([FRAME, *(f"|{r[:3]}|{r[3:6]}|{r[6:]}|" + "\n|---+---+---|" * (n in (2, 5))
                               for n, r in enumerate(ROWS)), FRAME, "Simple Sudoku", "Version 4"]),
           "block", [ONE]),
    "sdx": ("2 679 6789 1 46789 5 469 9 3\n" + "1 2 3 4 5 6 7 8 9\n" * 7
            + "6 9 2 8 u1 7 3 59 4\n", "sdx", ["2..1.5.93" + "123456789" * 7 + "6928.73.4"]),
    "pencilmarks": (PENCILMARKS, "pencilmarks", None),
    "hodoku": (":0000:3:45.+97+8...9..2+56.....834+1....4..+3+78...1.869.4...3.+2+4.7.....823....."
               "6+95..4....1..26:::396:\n", "hodoku",
               ["45..7....9..2.6.....834.....4....8...1.869.4...3....7.....823.....6.5..4....1..26"
                ]),
    "opensudoku": ('<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku><name>Vol 1 Easy</name>'
                   "<author>x</author><description/><level>easy</level>\n"
                   f'<game data="{ZEROS}"/>\n<game data="version: 2&#10;'
                   + "".join(f"{sign}|0|{int(sign == '0')}|" for sign in ZEROS) + '"/>'
                   "</opensudoku>", "opensudoku", [ONE, ONE]),
    "f-puzzles": (f"https://f-puzzles.com/?load={lz.compress(json.dumps(F_PUZZLE))}\n"
                  f"fpuzzles{lz.compress(json.dumps(F_PUZZLE))}\n", "f-puzzles", [ONE, ONE]),
    "sudokupad": (f"https://sudokupad.app/scl{lz.compress(json.dumps(PAD))}\n"
                  f"scl{lz.compress(ZIPPED)}\n", "f-puzzles", [ONE, ONE]),
    "sudokuwiki": ("S9B" + "".join("ep" if sign == "." else f"0{sign}" for sign in ONE) + "\n",
                   "sudokuwiki", [ONE]),
    "sudokuwiki link": (f"https://www.sudokuwiki.org/sudoku.htm?bd={ZEROS}\n", "f-puzzles", [ONE]),
    "ipuz": (json.dumps({"version": "http://ipuz.org/v2", "kind": ["http://ipuz.org/sudoku#1"],
                         "title": "Demo", "boxes": True, "puzzle": NUMBERS}), "json", [ONE]),
    "kaggle-1m": (f"quizzes,solutions\n{ZEROS},{SOLVED}\n", "csv", [ONE]),
    "kaggle-3m": (f"id,puzzle,solution,clues,difficulty\n1,{ONE},{SOLVED},30,1.2\n", "csv", [ONE]),
    "extreme": (f"source,question,answer,rating\npuzzles0,{ONE},{SOLVED},12\n", "csv", [ONE]),
    "bank": ("0000183b305c 050703060007000800000816000000030000005000100730040086906000204840572093"
             "000409000  1.2\n", "bank",
             [".5.7.3.6...7...8.....816.......3......5...1..73..4..869.6...2.484.572.93...4.9..."]),
    "qqwing": (f"Puzzle,Solution,Difficulty,\n{ONE},{SOLVED},Easy,\n", "csv", [ONE]),
    "csv": (f'level;puzzle\neasy;"{ONE}"\nhard;{TWO}\n', "csv", [ONE, TWO]),
    "jsonl": (f'{{"puzzle": "{ONE}", "level": "easy"}}\n{{"puzzle": "{TWO}"}}\n', "jsonl",
              [ONE, TWO]),
    "json": (json.dumps({"puzzles": [ONE, NUMBERS]}, indent=1), "json", [ONE, ONE]),
}  # fmt: skip
"""Name -> a file, what it is told to be, and its puzzles."""


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_of_another_program_is_read(tmp_path: Path, name: str) -> None:
    content, form, puzzles = SAMPLES[name]
    assert sniffed(iter(content.splitlines())) == form
    path = tmp_path / "file"
    path.write_text(content)
    found = list(read_found(path))
    assert not [one for one in found if isinstance(one, Reject)]
    if puzzles is not None:
        assert [one.text.replace("0", ".") for one in found] == puzzles


def facts(tmp_path: Path, name: str) -> Any:
    path = tmp_path / "file"
    path.write_text(SAMPLES[name][0])
    first = next(read_found(path))
    assert isinstance(first, Entry)
    return first.facts


def test_what_else_a_file_says_goes_along(tmp_path: Path) -> None:
    assert facts(tmp_path, "sdk") == {"author": "Ruud", "level": "Easy"}
    assert facts(tmp_path, "bank") == {"id": "0000183b305c", "rating": 1.2}
    assert facts(tmp_path, "opensudoku")["collection"] == "Vol 1 Easy"
    assert facts(tmp_path, "f-puzzles") == {"title": "T", "author": "A"}
    assert facts(tmp_path, "sudokupad") == {"title": "T"}
    assert facts(tmp_path, "kaggle-3m")["solution"] == SOLVED
    assert facts(tmp_path, "extreme")["rating"] == "12"
    assert facts(tmp_path, "hodoku")["values"].startswith("45.978...9..256")
    assert facts(tmp_path, "hodoku")["placements"] == "396"
    assert facts(tmp_path, "sdx")["values"].endswith("6928173.4")


def test_a_marked_group_is_no_filled_cell(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(PENCILMARKS)
    (entry,) = read_found(path)
    assert isinstance(entry, Entry)
    assert entry.text[40] == "."
    assert entry.facts["candidates"][40] == "5"


KILLER: dict[str, Any] = {**F_PUZZLE, "killercage": [{"cells": ["R1C1", "R1C2"], "value": "10"}]}
JIGSAW = {**PAD, "regions": [[[row, column] for column in range(9)] for row in range(9)]}
S9B = "S9B" + "ep" * 81
BROKEN = {
    "empty": ("", "holds no puzzle"),
    "short line": (f"{ONE[:80]}\n", ":1"),
    "foreign sign": (f"{ONE[:40]}A{ONE[41:]}\n", ":1"),
    "eight rows": ("\n".join(ROWS[:8]), ":1: a grid of 8 rows, 9 wanted"),
    "bad row": ("\n".join([*ROWS[:4], "12345678", *ROWS[5:]]), ":1"),
    "bad sdk": (
        "[Puzzle]\n" + "\n".join([*ROWS[:4], "12345678", *ROWS[5:]]),
        ":6:1: is no row of nine cells",
    ),
    "bad ss": ("\n".join([FRAME, *(f"|{r}|" for r in ROWS[:5]), FRAME]), ":2: a grid of 5 rows"),
    "bad sdx": ("2 u79 6789 1 4 5 469 9 3\n" * 9, "'u79' is no cell"),
    "bad pencilmarks": (PENCILMARKS[: len(PENCILMARKS) // 2], ":7:1: is no row of nine groups"),
    "hodoku colons": (f":0000:x:{ONE}:\n", ":1:1: 4 colons in a HoDoKu line, 6 or 7 wanted"),
    "hodoku cells": (f":0000:x:{ONE[:-1]}:::\n", ":1:9: a Sudoku has 81 cells, not 80"),
    "no xml": ("<opensudoku><game></opensudoku>", ":1:21: no XML: mismatched tag"),
    "other xml": ("<html></html>", "XML of another kind"),
    "entities": ('<!DOCTYPE x [<!ENTITY a "b">]>\n<opensudoku/>', "declares entities"),
    "short game": ('<opensudoku>\n<game data="123"/></opensudoku>', ":2: a game of 3 signs"),
    "broken link": ("https://f-puzzles.com/?load=AAAA\n", ":1: broken link"),
    "short link": ("https://sudokupad.app/wsj7iunsg6\n", ":1: is a short link"),
    "killer": (f"fpuzzles{lz.compress(json.dumps(KILLER))}\n", "has the rule 'killercage'"),
    "jigsaw": (f"scl{lz.compress(json.dumps(JIGSAW))}\n", "not the nine boxes"),
    "sudoku x": (f"X{S9B[1:]}\n", ":1: is a Sudoku X"),
    "packed": (f"{S9B[:-2]}\n", ":1: has 160 signs after S9B, 162 wanted"),
    "ipuz rows": ('{"version": "http://ipuz.org/v2", "puzzle": [[1, 2]]}', "nine rows of nine"),
    "csv fields": (f"puzzle,level\n{ONE},a,b\n", ":2: 3 fields, but the header names 2"),
    "bank hash": (f"000000000000 {ZEROS}  1.2\n", ":1:1: the hash"),
    "json": ('{"puzzle": ', ":1:12: no JSON"),
    "jsonl": (f'{{"puzzle": "{ONE}"}}\n{{"puzzle"}}\n', ":2:10: no JSON"),
    "json puzzle": ('{"level": 3}', ": has no puzzle"),
}
"""Name -> a file with one fault, and what is said of it."""


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_gives_one_clear_line(call: Any, tmp_path: Path, name: str) -> None:
    content, says = BROKEN[name]
    path = tmp_path / "file"
    path.write_text(content)
    code, _, error = call("convert", str(path), "-", "--to", "lines")
    assert code == 2
    told = [line for line in error.splitlines() if not re.search(r"malformed|\d puzzles", line)]
    assert len(told) == 1, error
    assert says in told[0]
    assert "Traceback" not in error


@pytest.mark.parametrize("content", [SAMPLES["f-puzzles"][0], SAMPLES["opensudoku"][0]])
def test_every_command_reads_every_format(call: Any, tmp_path: Path, content: str) -> None:
    path = tmp_path / "file"
    path.write_text(content)
    for command in (["solve", str(path)], ["canonical", str(path)], ["solve", "-"]):
        code, out, _ = call(*command, "--json", stdin=content)
        assert code == 0
        assert len(out.splitlines()) == 2
    link = SAMPLES["f-puzzles"][0].splitlines()[0]
    assert SOLVED in call("solve", link, "--json")[1]


def test_a_run_takes_its_puzzles_from_every_format(tmp_path: Path) -> None:
    from pipeline import api
    from pipeline.ingest import ingest

    path = tmp_path / "in.opensudoku"
    path.write_text(SAMPLES["opensudoku"][0])
    facts = ingest(path, api.find_kind("sudoku", []).parse, tmp_path / "input")
    assert (facts.rows, facts.width) == (2, 81)
    assert (tmp_path / "input" / "lines.txt").read_text() == f"{ONE}\n{ONE}\n"


def test_a_bad_line_is_reported_and_the_rest_converted(call: Any, tmp_path: Path) -> None:
    path, out = tmp_path / "in.sdm", tmp_path / "out.opensudoku"
    path.write_text(f"{ZEROS}\n{ZEROS[:70]}\n{TWO}\n")
    code, _, error = call("convert", str(path), str(out))
    assert code == 2
    assert f"{path}:2" in error
    assert "1 of 3 puzzles malformed" in error
    assert [one.text for one in read_found(out)] == [ONE, TWO]


def test_one_puzzle_a_file_is_numbered_when_there_are_several(call: Any, tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_text(f"{ONE}\n{TWO}\n")
    assert call("convert", str(path), str(tmp_path / "out.ss"))[0] == 0
    assert sorted(one.name for one in tmp_path.glob("*.ss")) == ["out-0001.ss", "out-0002.ss"]
    path.write_text(f"{ONE}\n")
    assert call("convert", str(path), str(tmp_path / "one.sdk"))[0] == 0
    assert (tmp_path / "one.sdk").read_text().startswith("[Puzzle]\n53..7....\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["none.txt", "out.sdm"], "no such file"),
        (["in.txt", "out.xyz"], "stands for no format"),
        (["in.txt", "out"], "names no format"),
        (["in.txt", "out.json"], "is read, not written"),
        (["in.txt", "out.sdm", "--to", "sdmm"], "did you mean 'sdm'?"),
        (["in.txt", "out.sdm", "--from", "hodoku"], "colons in a HoDoKu line"),
        (["in.txt", "out.parquet", "--from", "parquet"], "broken Parquet file"),
        (["in.txt", "none/out.sdm"], "no such folder"),
        (["in.txt", "-", "--to", "parquet"], "not to a terminal"),
        (["in.txt", "-", "--to", "bank"], "has no rating"),
    ],
)
def test_what_cannot_be_converted_is_told(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text(f"{ONE}\n")
    code, _, error = call("convert", *arguments)
    assert code == 2
    assert says in error


def test_a_puzzle_without_a_single_solution_cannot_have_one_written(call: Any) -> None:
    code, out, error = call("convert", "-", "-", "--to", "kaggle-1m", stdin=f"{'.' * 81}\n{ONE}\n")
    assert code == 2
    assert out == f"quizzes,solutions\n{ZEROS},{SOLVED}\n"
    assert "<stdin>:1: has no single solution" in error


def test_a_solution_of_another_puzzle_is_not_passed_on(call: Any) -> None:
    table = f"quizzes,solutions\n{ZEROS},{SOLVED[::-1]}\n"
    code, out, error = call("convert", "-", "-", "--to", "kaggle-3m", stdin=table)
    assert (code, out.count("\n")) == (2, 1)
    assert "<stdin>:2: has a solution that does not fit its clues" in error


def test_a_column_that_appears_late_is_told(call: Any) -> None:
    rows = f'{{"puzzle": "{ONE}", "a": 1}}\n{{"puzzle": "{TWO}", "b": 2}}\n'
    code, out, error = call("convert", "-", "-", "--to", "csv", stdin=rows)
    assert (code, out) == (2, f"puzzle,a\n{ONE},1\n")
    assert "<stdin>:2: has 'b', for which the first puzzle had no column" in error


def test_the_reference_lists_are_read_whole(shared_data: Path) -> None:
    hodoku = list(read_found(shared_data / "reglib.txt"))
    assert len(hodoku) == 1112
    assert not [one for one in hodoku if isinstance(one, Reject)]
    rated = list(read_found(shared_data / "nullsudoku_qqwing_se.csv"))
    assert len(rated) == 20000
    assert all(isinstance(one, Entry) and one.facts for one in rated)
