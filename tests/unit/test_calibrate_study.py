"""The study on the data that ship: its figures, its files, and its negative control."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipeline.calibrate.floors import check_floors, load_floors
from pipeline.calibrate.observations import read_observations
from pipeline.calibrate.shipped import FLOORS, HUMAN_TIMES, shipped
from pipeline.calibrate.study import Options, study, write_report, write_study
from pipeline.calibrate.tables import read_study
from pipeline.levels import load_levels
from workers.errors import UsageError

SAMPLES = 60


@pytest.fixture(scope="module")
def shipped_study():
    observed = read_observations(shipped(HUMAN_TIMES))
    return study(observed, Options(samples=SAMPLES, repeats=1), load_floors(shipped(FLOORS)))


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Path:
    """Eighty puzzles of the shipped data, more than one process rates at a time, in a file."""
    rows = pd.read_csv(shipped(HUMAN_TIMES)).dropna().head(80)
    path = tmp_path_factory.mktemp("small") / "small.csv"
    rows[["puzzle", "n_completed", "d_to"]].to_csv(path, index=False)
    return path


def figure(found, metric, column="spearman", target="d_to", stratum="all"):
    table = found.tables["metrics"].set_index(["metric", "target", "stratum"])
    return float(table.loc[(metric, target, stratum), column])


def model(found, name, column="pearson_log", target="d_to"):
    return float(found.tables["models"].set_index(["model", "target"]).loc[(name, target), column])


def test_the_shipped_data_have_the_published_figures(shipped_study):
    assert figure(shipped_study, "dependency_25") == pytest.approx(-0.729, abs=0.02)
    assert figure(shipped_study, "search_cost") == pytest.approx(0.759, abs=0.02)
    assert figure(shipped_study, "refutation_sum") == pytest.approx(0.349, abs=0.02)
    assert figure(shipped_study, "clues") == pytest.approx(-0.275, abs=0.001)
    by_steps = [abs(figure(shipped_study, f"dependency_{k}")) for k in range(5, 35, 5)]
    assert by_steps == sorted(by_steps)
    sizes = [abs(figure(shipped_study, m)) for m in ("dependency_25", "refutation_sum", "clues")]
    assert sizes == sorted(sizes, reverse=True)


def test_models_reach_their_floors_on_puzzles_they_have_not_seen(shipped_study):
    assert model(shipped_study, "rd_halves", "pearson") == pytest.approx(0.72, abs=0.03)
    assert model(shipped_study, "ridge") >= 0.83
    assert model(shipped_study, "minutes") >= 0.81
    assert model(shipped_study, "ridge") > model(shipped_study, "rd")
    assert shipped_study.passed


def test_intervals_hold_their_figures_and_the_share_they_promise(shipped_study):
    rows = shipped_study.tables["metrics"].dropna(subset=["spearman_low"])
    assert len(rows) > 100
    inside = (rows["spearman_low"] <= rows["spearman"]) & (
        rows["spearman"] <= rows["spearman_high"]
    )
    assert inside.mean() > 0.97
    assert shipped_study.frozen.coverage == pytest.approx(0.9, abs=0.01)


def test_the_shipped_levels_are_the_calibration_on_the_shipped_data(shipped_study):
    ours, theirs = shipped_study.frozen.levels.minutes, load_levels("levels-human").minutes
    assert ours.columns == theirs.columns
    assert ours.rater_versions == theirs.rater_versions
    for one, other in zip(ours.term, theirs.term, strict=True):
        assert one.weight == pytest.approx(other.weight, abs=1e-4)
    assert ours.intercept == pytest.approx(theirs.intercept, abs=1e-4)


def test_a_study_is_a_folder_of_whole_files_and_its_report_stands_alone(shipped_study, tmp_path):
    folder = tmp_path / "study"
    write_study(shipped_study, folder)
    facts, tables = read_study(folder)
    assert facts["puzzles"] == 1533
    assert {"metrics", "models", "levels", "differences", "columns", "floors"} <= set(tables)
    head = {"metric", "target", "stratum", "n", "coverage", "ties", "spearman", "kendall"}
    assert head | {"pearson_log", "spearman_low", "kendall_high"} <= set(tables["metrics"].columns)
    page = (folder / "report.html").read_text()
    assert "default-src 'none'" in page
    assert page.count("<svg") >= 6
    assert "http" not in page.replace("http://www.w3.org/", "").replace("http-equiv", "")
    assert "<script" not in page
    before = (folder / "report.html").read_bytes()
    write_report(folder)
    assert (folder / "report.html").read_bytes() == before
    assert load_levels(folder / "model.json").minutes is not None
    predictions = pd.read_parquet(folder / "predictions.parquet")
    assert len(predictions) == 1533
    assert predictions["d_to_model_ridge"].notna().sum() == 344


def test_a_study_does_not_replace_what_is_no_study(shipped_study, tmp_path):
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(UsageError, match="other files"):
        write_study(shipped_study, tmp_path)
    assert (tmp_path / "letter.txt").read_text() == "mine"


def test_shuffled_targets_have_intervals_that_hold_zero(small):
    found = study(read_observations(small), Options(samples=200, repeats=1, shuffle=1))
    table = found.tables["metrics"]
    for name in ("search_cost", "dependency_25", "clues"):
        row = table[(table["metric"] == name) & (table["stratum"] == "all")].iloc[0]
        assert row["spearman_low"] < 0 < row["spearman_high"]
    assert abs(model(found, "minutes")) < 0.35


def test_equal_studies_are_equal_bytes_with_any_number_of_workers(small, tmp_path):
    observed = read_observations(small)
    for name, workers in (("one", 1), ("again", 1), ("two", 2)):
        options = Options(samples=SAMPLES, repeats=1, runs=5, workers=workers)
        write_study(study(observed, options), tmp_path / name)
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert len(names) > 8
    for name in names:
        content = (tmp_path / "one" / name).read_bytes()
        assert (tmp_path / "again" / name).read_bytes() == content, name
        assert (tmp_path / "two" / name).read_bytes() == content, name


def test_a_broken_floor_and_a_missing_figure_fail(shipped_study, tmp_path):
    path = tmp_path / "floors.toml"
    path.write_text(
        '[[floor]]\ntable = "metrics"\nfigure = "spearman"\nfrom = 0.9\n'
        'where = { metric = "search_cost", target = "d_to", stratum = "all" }\n'
        '[[floor]]\ntable = "metrics"\nfigure = "spearman"\nfrom = 0.0\n'
        'where = { metric = "no such", target = "d_to", stratum = "all" }\n'
    )
    found = check_floors(load_floors(path), shipped_study.tables)
    assert found["passed"].tolist() == [False, False]
    assert np.isnan(found["value"].iloc[1])


def test_a_plain_list_is_described_and_its_censored_share_told(tmp_path):
    path = tmp_path / "list.txt"
    easy = pd.read_csv(shipped(HUMAN_TIMES))["puzzle"].head(3).tolist()
    hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    path.write_text("\n".join([*easy, hard]) + "\n")
    found = study(read_observations(path), Options(samples=20, runs=10))
    assert found.facts["inf_steps_share"] == 0.25
    columns = found.tables["columns"].set_index("column")
    assert columns.loc["refutation_sum", "censored_share"] == 0.25
    assert found.tables["metrics"].empty
    write_study(found, tmp_path / "study")
    assert "25.0% of the puzzles" in (tmp_path / "study" / "report.html").read_text()
