"""calibrate as a person calls it: files, exit codes, one line for what is wrong."""

import csv
import json
from pathlib import Path

import pandas as pd
import pytest

from pipeline.calibrate.shipped import HUMAN_TIMES, shipped
from pipeline.cli import run
from pipeline.levels import load_levels
from pipeline.schemas import kind_schema

ROWS = pd.read_csv(shipped(HUMAN_TIMES)).dropna()


@pytest.fixture(scope="module")
def times(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("times") / "times.csv"
    ROWS[["puzzle", "n_completed", "mean_time_s"]].head(40).to_csv(path, index=False)
    return path


def test_fit_writes_a_levels_file_that_grades_with_minutes(times, tmp_path, capsys):
    folder = tmp_path / "fit"
    words = ["fit", str(times), "-o", str(folder), "--runs", "3", "--samples", "20"]
    assert run(["calibrate", *words, "--levels", "3", "--cut", "jenks", "--name", "mine"]) == 0
    assert capsys.readouterr().out.strip() == str(folder / "report.html")
    levels = load_levels(folder / "model.json")
    assert levels.name == "mine"
    assert levels.names == ["easy", "medium", "hard"]
    assert run(["calibrate", "report", str(folder)]) == 0


def test_cutpoints_prints_and_freezes_the_minutes_asked_for(times, tmp_path, capsys):
    path = tmp_path / "cuts.json"
    words = ["cutpoints", str(times), "-o", str(path), "--runs", "3", "--at", "4,9.5"]
    assert run(["calibrate", *words]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["easy", "medium", "hard"]
    levels = json.loads(path.read_text())["level"]
    assert [level["when"]["minutes"].get("below") for level in levels] == [4.0, 9.5, None]


def test_a_broken_floor_ends_with_1_and_is_named(times, tmp_path, capsys):
    floors = tmp_path / "floors.toml"
    floors.write_text(
        '[[floor]]\ntable = "metrics"\nfigure = "spearman"\nfrom = 0.99\n'
        'where = { metric = "clues", target = "mean_time_s", stratum = "all" }\n'
    )
    words = ["evaluate", str(times), "-o", str(tmp_path / "study"), "--runs", "3"]
    code = run(["calibrate", *words, "--samples", "20", "--floors", str(floors)])
    assert code == 1
    assert "broken floor: clues mean_time_s all spearman" in capsys.readouterr().err
    assert (tmp_path / "study" / "report.html").is_file()


def test_invariance_and_drift_say_what_they_compared(tmp_path, capsys):
    words = ["--puzzles", "2", "--isomorphs", "5", "--runs", "3"]
    assert run(["calibrate", "invariance", *words, "-o", str(tmp_path / "i.csv")]) == 0
    assert "of 10 isomorphs: 0 differ" in capsys.readouterr().out
    with (tmp_path / "i.csv").open() as stream:
        assert {"column", "rows", "different", "worst"} == set(next(csv.DictReader(stream)))
    puzzles = tmp_path / "list.txt"
    puzzles.write_text("\n".join(ROWS["puzzle"].head(5)) + "\n")
    panel = tmp_path / "panel.csv"
    assert run(["calibrate", "compare-versions", str(panel), "--freeze", str(puzzles)]) == 0
    assert run(["calibrate", "compare-versions", str(panel)]) == 0
    assert "5 puzzles" in capsys.readouterr().out
    panel.write_text(panel.read_text().replace("\n" + ROWS["puzzle"].iloc[0] + ",2", "\n"
                     + ROWS["puzzle"].iloc[0] + ",3"))  # fmt: skip
    assert run(["calibrate", "compare-versions", str(panel)]) == 1
    assert "clues: 1 rows" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["fit", "no-such.csv", "-o", "OUT"], "no-such.csv"),
        (["evaluate", "TIMES", "-o", "OUT", "--at", "5,4"], "--at"),
        (["evaluate", "TIMES", "-o", "OUT", "--target", "nothing"], "no column nothing"),
        (["cutpoints", "TIMES", "-o", "OUT"], "must end in .json"),
        (["report", "OUT"], "is no study"),
        (["evaluate", "TIMES", "-o", "TIMES"], "TIMES"),
    ],
)
def test_wrong_words_end_with_2_in_one_line(words, message, times, tmp_path, capsys):
    names = {"TIMES": str(times), "OUT": str(tmp_path / "out")}
    assert run(["calibrate", *(names.get(word, word) for word in words)]) == 2
    error = capsys.readouterr().err
    assert names.get(message, message) in error
    assert "Traceback" not in error
    assert not (tmp_path / "out").exists()


def test_the_template_is_written_once(tmp_path, capsys):
    path = tmp_path / "mine.csv"
    assert run(["calibrate", "template", "-o", str(path)]) == 0
    assert path.read_text().startswith("# Your own solving times")
    assert run(["calibrate", "template", "-o", str(path)]) == 2


def test_the_codebook_explains_every_column_with_its_rater(capsys):
    assert run(["corpus", "codebook", "--json"]) == 0
    entries = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [entry["column"] for entry in entries] == kind_schema("sudoku").names
    by_name = {entry["column"]: entry for entry in entries}
    assert by_name["dependency_25"]["rater"] == "human-model"
    assert "Pelanek" in by_name["dependency_25"]["description"]
    assert by_name["minutes"]["unit"] == "minutes"
    assert all(entry["description"] and entry["unit"] and entry["type"] for entry in entries)


def test_a_corpus_has_minutes_and_the_level_cut_from_them(tmp_path, capsys):
    from pipeline import api

    words = ["run", "quickstart", "--store", str(tmp_path), "--executor", "serial"]
    for override in ("rows=40", "job_rows=20", "levels=levels-human",
                     "raters=['basic','human-model','static']"):  # fmt: skip
        words += ["--set", override]
    assert run(words) == 0
    folder = capsys.readouterr().out.strip().splitlines()[-1]
    rows = api.open_corpus(folder).read().to_pandas()
    assert len(rows) == 40
    assert (rows["minutes_low"] < rows["minutes"]).all()
    assert (rows["minutes"] < rows["minutes_high"]).all()
    levels = load_levels("levels-human")
    for row in rows.itertuples():
        bounds = levels.level[row.level_rank - 1].when["minutes"]
        assert (bounds.from_ or 0) <= row.minutes < (bounds.below or 1e9)
    assert run(["corpus", "codebook", folder]) == 0
    assert "minutes_extrapolated" in capsys.readouterr().out
    assert run(["corpus", "audit", folder]) == 0


def test_graded_rows_have_minutes_when_their_raters_give_them():
    from pipeline import api

    row = api.grade(ROWS["puzzle"].iloc[0], raters=["human-model", "static"]).iloc[0]
    assert 2 < row["minutes"] < 60
    assert row["level"] in load_levels("levels-human").names
    assert "minutes" not in api.grade(ROWS["puzzle"].iloc[0], raters=["hodoku"])
