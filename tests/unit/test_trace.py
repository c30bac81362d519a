"""The trace of a brute-force search: its rows, its text, its plot, its command."""

import csv
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pipeline import api, trace
from pipeline.trace_plot import COLUMNS, plot_trace, shares_by_column
from workers.errors import UsageError

LEO = "900104002080060070000000000400000001070000030300000007000000000030070080100209004"
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
BROKEN = "11" + "." * 79

Call = Callable[..., tuple[int, str, str]]


def traced(text: str, **options: int) -> trace.Trace:
    kind = api.find_kind("sudoku", [])
    return trace.trace(kind, kind.parse(text), **options)


def test_a_trace_has_the_documents_counts_and_ends_with_a_full_grid() -> None:
    found = traced(LEO)
    assert (found["iterations"], found["digit_tests"]) == (483_974, 4_355_517)
    assert (found["outcome"], found["censored"], found["clues"]) == ("solved", False, 20)
    assert found["last"][-1] == found["highest"][-1] == 81


def test_the_histogram_counts_every_call_once_by_filled_cells() -> None:
    found = traced(LEO, points=64)
    assert sum(found["levels"]) == found["iterations"]
    assert len(found["levels"]) == 82
    assert found["levels"][:20] == [0] * 20
    assert found["levels"][20] == found["levels"][81] == 1


def test_a_point_covers_as_many_calls_as_any_other_but_the_last() -> None:
    found = traced(LEO, points=100)
    calls = [row["call"] for row in trace.curve_rows(found)]
    size = found["calls_per_point"]
    assert 50 <= len(calls) <= 100
    assert calls[:-1] == list(range(size, size * len(calls), size))
    assert calls[-1] == 483_974


def test_a_thinned_curve_bounds_the_full_one() -> None:
    full, thin = traced(EASY, points=10_000), traced(EASY, points=32)
    size = thin["calls_per_point"]
    assert full["calls_per_point"] == 1
    for place, (low, high) in enumerate(zip(thin["lowest"], thin["highest"], strict=True)):
        part = full["last"][place * size : (place + 1) * size]
        assert (min(part), max(part)) == (low, high)


def test_a_search_that_is_cut_off_says_at_least(call: Call) -> None:
    code, out, _ = call("trace", LEO, "--budget", "1000")
    assert code == 0
    assert "outcome      budget out" in out
    assert "iterations   at least 1,000" in out


def test_a_depth_limit_stops_below_it() -> None:
    found = traced(EASY, max_depth=4)
    assert found["outcome"] == "stopped"
    assert max(found["highest"]) == 34


def test_the_text_shows_the_counts_and_a_bar_for_each_level(call: Call) -> None:
    code, out, _ = call("trace", LEO)
    lines = out.splitlines()
    assert code == 0
    assert "iterations   483,974" in lines
    assert "    67  79,782  " + "#" * trace.BAR_WIDTH in lines
    assert lines[-1].split() == ["81", "1"]


def test_clues_that_conflict_have_no_calls(call: Call, tmp_path: Path) -> None:
    assert call("trace", BROKEN)[1].splitlines()[-1] == "digit tests  0"
    assert call("trace", BROKEN, "-o", str(tmp_path / "none.png"))[0] == 0


def test_the_table_has_the_curve_or_the_histogram(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "curve.csv"
    assert call("trace", LEO, "-o", str(path), "--points", "8")[:2] == (0, "")
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert list(rows[0]) == ["call", "filled_lowest", "filled_highest", "filled_last"]
    assert rows[-1]["call"] == "483974"
    out = call("trace", LEO, "--histogram")[1]
    levels = list(csv.DictReader(io.StringIO(out)))
    assert levels[0] == {"filled": "20", "level": "0", "calls": "1"}
    assert sum(int(row["calls"]) for row in levels) == 483_974


def test_json_has_all_there_is(call: Call) -> None:
    found = json.loads(call("trace", EASY, "--json", "--points", "16")[1])
    assert found == traced(EASY, points=16)


@pytest.mark.parametrize("suffix", ["png", "svg"])
@pytest.mark.parametrize("text", [EASY, LEO, SOLVED], ids=["line", "stripes", "one call"])
def test_equal_traces_give_equal_plots(text: str, suffix: str, tmp_path: Path) -> None:
    found = traced(text, points=4096)
    first, second = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
    plot_trace(found, first)
    plot_trace(found, second)
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith({"png": b"\x89PNG", "svg": b"<?xml"}[suffix])
    assert sorted(tmp_path.iterdir()) == [first, second]


def test_the_shades_of_a_column_are_the_shares_of_its_calls() -> None:
    found = traced(EASY, points=8192)
    edges, shares = shares_by_column(found)
    assert edges[0] == 0
    assert edges[-1] == found["iterations"]
    assert shares.shape == (82 - 30, COLUMNS)
    assert np.allclose(shares.sum(axis=0), 1)
    weighted = (shares * np.diff(edges)).sum(axis=1)
    assert np.allclose(weighted, found["levels"][30:])


def test_a_plot_without_matplotlib_names_the_pip_line(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    path = tmp_path / "trace.png"
    code, _, err = call("trace", LEO, "-o", str(path))
    assert code == 2
    assert "pip install 'puzzlemill[plots]'" in err
    assert not path.exists()
    assert call("trace", LEO, "-o", str(path.with_suffix(".csv")))[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-o", "trace.pdf"], "must end in .png, .svg, .csv"),
        (["-o", "nowhere/trace.png"], "no such folder"),
        (["-o", "trace.png", "--csv"], "is no table"),
        (["-o", "trace.csv", "--json"], "--json excludes"),
        (["--points", "1"], "--points"),
    ],
)
def test_what_cannot_be_written_is_said_before_the_search(
    call: Call, words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = call("trace", LEO, *words)
    assert (code, out) == (2, "")
    assert said in err
    assert list(tmp_path.iterdir()) == []


def test_a_kind_without_such_a_search_has_no_trace() -> None:
    with pytest.raises(UsageError, match="null: this kind has no brute-force search"):
        trace.trace(api.find_kind("null", []), "123")
