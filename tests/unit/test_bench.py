"""The benchmark table: its keys, its peers, its errors. No figure is judged here."""

import json
import os
import shlex
import sys
import time
from pathlib import Path

import pytest

from pipeline import bench, cli
from workers.errors import UsageError

PUZZLES = (
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "." * 81,
)
COUNTER = "import sys; assert int(sys.argv[-1]) in (1, 5000)"
READER = (
    "import sys; lines = open(sys.argv[-1]).read().split(); assert lines and len(lines) % 3 == 0"
)


@pytest.fixture
def puzzles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(bench, "LEAST_S", 0.001)
    monkeypatch.setattr(bench, "MOST_COPIES", 2)
    path = tmp_path / "three.txt"
    path.write_text("\n".join(PUZZLES))
    return path


def test_json_has_the_promised_keys_and_the_peer_its_own_line(
    puzzles: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    peer = f"reader={shlex.join([sys.executable, '-c', READER])}"
    counter = f"counter={shlex.join([sys.executable, '-c', COUNTER])}"
    words = ["--list", str(puzzles), "--peer", peer, "--generator", counter]
    words += ["--rounds", "1", "--json"]
    assert cli.run(["bench", *words]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    keys = {"bench", "list", "n", "per_cpu_second", "compile_s", "peer", "ratio"}
    assert all(set(row) == keys for row in rows)
    assert [(row["bench"], row["n"], row["peer"]) for row in rows] == [
        ("generate", bench.GENERATED_AT_ONCE, None),
        ("generate", bench.PEER_GENERATED, "counter"),
        ("solve", 3, None),
        ("solve", 6, "reader"),
        ("canonical", 3, None),
        ("symmetry", 3, None),
        ("minimal", 2, None),  # the empty grid has many solutions
        ("backdoors", 2, None),
        ("vicinity", 2, None),
        ("grade", 2, None),
    ]
    assert rows[1]["compile_s"] > 0
    own, peer_row = rows[2:4]
    assert own["ratio"] is None
    assert peer_row["compile_s"] is None  # it fails when the list is empty
    assert peer_row["ratio"] == pytest.approx(own["per_cpu_second"] / peer_row["per_cpu_second"], rel=0.01)  # fmt: skip # noqa: E501


def test_cpu_time_of_a_peer_counts_its_children_and_not_its_sleep() -> None:
    burn = "import time\nwhile time.process_time() < 0.3: pass"
    script = f"import subprocess, sys, time; subprocess.run([sys.executable, '-c', {burn!r}]); time.sleep(0.5)"  # noqa: E501
    started = time.monotonic()
    spent = bench.cpu_seconds_of([sys.executable, "-c", script])
    assert 0.3 <= spent < time.monotonic() - started


@pytest.mark.parametrize(
    "command", ["nonesuch-solver", f"{sys.executable} -c raise(SystemExit(4))"]
)
def test_a_peer_that_fails_is_named(
    puzzles: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    words = ["--list", str(puzzles), "--peer", f"x={command}", "--only", "solve", "--rounds", "1"]
    assert cli.run(["bench", *words]) == 2
    assert shlex.split(command)[0] in capsys.readouterr().err


def test_wrong_words_are_refused(puzzles: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["bench", "--only", "nonesuch"]) == 2
    assert cli.run(["bench", "--peer", "nonesuch"]) == 2
    assert cli.run(["bench", "--generator", "nonesuch"]) == 2
    assert cli.run(["bench", "--list", str(puzzles.parent / "none.txt")]) == 2
    assert capsys.readouterr().err.count("\n") == 4


def test_a_malformed_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(f"{PUZZLES[0]}\n123\n")
    with pytest.raises(UsageError, match=r"bad.txt:2: .*81"):
        bench.open_list(path)


def test_without_a_list_the_same_puzzles_are_made_everywhere(tmp_path: Path) -> None:
    first = bench.generated_list(tmp_path)
    assert first.path.read_text().count("\n") == len(first.digits) == bench.GENERATED_LIST
    assert (bench.open_list(first.path).digits == first.digits).all()
    assert os.listdir(tmp_path) == [first.path.name]
