"""How a command meets the world: closed streams, files without rows, Ctrl-C before it began."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAIN = [sys.executable, "-m", "pipeline"]
Call = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(("number", "code"), [(0, 2), (1, 0), (2, 0)])
def test_a_closed_stream_is_no_bug(tmp_path: Path, number: int, code: int) -> None:
    (tmp_path / "list.txt").write_text("12\n")
    source = "-" if number == 0 else str(tmp_path / "list.txt")
    command = [*MAIN, "solve", "--kind", "null", source]
    shell = ["sh", "-c", f'exec "$@" {number}>&-', "sh", *command]
    ended = subprocess.run(shell, capture_output=True, text=True, check=False, cwd=ROOT)
    assert ended.returncode == code
    assert ended.stderr == ("puzzlemill: <stdin>: is closed\n" if number == 0 else "")


def test_what_is_neither_file_nor_puzzle_says_both(call: Call) -> None:
    code, out, err = call("grade", "nonesuch")
    assert (code, out) == (2, "")
    assert err.startswith("puzzlemill: nonesuch: no such file, and no puzzle either: 'n' is not")
    code, _, err = call("grade", "53..7....6")
    assert (code, err) == (2, "TEXT:1:11: a Sudoku has 81 cells, not 10\n")


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet", "txt"])
def test_without_a_row_no_file_is_written_and_the_old_one_stays(
    call: Call, tmp_path: Path, suffix: str
) -> None:
    (tmp_path / "list.txt").write_text("no puzzle\n")
    old, new = tmp_path / f"old.{suffix}", tmp_path / f"new.{suffix}"
    old.write_text("old")
    for path in (old, new):
        words = ("grade", str(tmp_path / "list.txt"), "--kind", "null", "-o", str(path))
        code, _, err = call(*words)
        assert code == 2
        assert err.splitlines()[-1] == f"puzzlemill: {path}: not written, for there is no row"
    assert old.read_text() == "old"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["list.txt", old.name]


def test_ctrl_c_while_the_command_is_imported_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text(
        "import time\nprint('importing', flush=True)\ntime.sleep(60)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    with subprocess.Popen(
        MAIN, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as one:  # fmt: skip
        assert one.stdout is not None
        assert one.stderr is not None
        assert one.stdout.readline() == "importing\n"
        time.sleep(0.05)
        one.send_signal(signal.SIGINT)
        assert one.stderr.read() == "puzzlemill: interrupted\n"
    assert one.returncode == 3
