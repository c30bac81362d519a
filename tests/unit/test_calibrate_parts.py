"""The parts of a calibration: observations, joining, correlations, players, cut points, minutes."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy import stats

from pipeline.calibrate.agreement import agreement, draw_samples, holm, paired_differences
from pipeline.calibrate.cutpoints import cut_points
from pipeline.calibrate.drift import drift, read_panel, version_table
from pipeline.calibrate.features import grade_features
from pipeline.calibrate.invariance import invariance
from pipeline.calibrate.joining import join
from pipeline.calibrate.models import fold_numbers
from pipeline.calibrate.observations import read_observations
from pipeline.calibrate.ordinal import level_figures
from pipeline.calibrate.players import crossed_effects
from pipeline.calibrate.shipped import HUMAN_TIMES, PANEL, TEMPLATE, shipped
from pipeline.levels import load_levels
from workers.errors import UsageError

ROWS = pd.read_csv(shipped(HUMAN_TIMES))["puzzle"].tolist()
EASY = ROWS[0]
TURNED = EASY[::-1]  # upside down: an isomorph


def observed(tmp_path, text, **options):
    path = tmp_path / "observed.csv"
    path.write_text(text)
    return read_observations(path, **options)


def joined(found):
    graded = grade_features(list(dict.fromkeys(found.rows["puzzle"])), 2)
    return join(found, graded, graded[["puzzle", "key", "n_solutions"]])


def test_forms_are_told_by_their_columns(tmp_path):
    long = observed(tmp_path, f"player,puzzle,seconds\nann,{EASY},300\n")
    assert (long.form, long.targets) == ("long", ("seconds",))
    assert bool(long.rows["completed"].iloc[0])
    means = observed(tmp_path, f"Puzzle,n,mean,d_to\n{EASY},12,300,0.9\n")
    assert (means.form, means.targets) == ("aggregated", ("mean", "d_to"))
    labels = observed(tmp_path, f"puzzle,level\n{EASY},mild\n{ROWS[1]},fiend\n",
                      order=("mild", "fiend"))  # fmt: skip
    assert labels.form == "labels"
    assert labels.rows["label"].tolist() == [1.0, 2.0]
    assert observed(tmp_path, f"{EASY}\n{ROWS[1]}\n").form == "puzzles"
    assert read_observations(shipped(HUMAN_TIMES)).targets == ("mean_time_s", "d_to", "d_tr")


def test_bad_lines_are_rejects_with_their_number_and_reason(tmp_path):
    text = f"puzzle,n,mean\n{EASY},3,300\n{EASY[:80]},3,300\n{EASY},3,-5\n# note\n{EASY},x,5\n"
    rejects = observed(tmp_path, text).rejects
    assert rejects["line"].tolist() == [3, 4, 6]
    assert "81 cells" in rejects["reason"][0]
    assert rejects["reason"][1].startswith("mean: -5")
    assert "not a number" in rejects["reason"][2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("a,b\n1,2\n", "no column puzzle"),
        (f"puzzle,n\n{EASY},3\n", "no target"),
        (f"puzzle,label\n{EASY},mild\n", "--order mild"),
        ("puzzle,n,mean\nxx,1,2\n", "no observation"),
        ("player,puzzle,seconds\n", "no observation"),
    ],
)
def test_a_file_without_observations_is_refused_with_what_is_wrong(tmp_path, text, message):
    with pytest.raises(UsageError, match=message):
        observed(tmp_path, text)


def test_the_template_explains_itself_and_holds_no_game():
    text = shipped(TEMPLATE).read_text()
    assert text.splitlines()[-1] == "player,puzzle,seconds,completed"
    with pytest.raises(UsageError, match="no observation"):
        read_observations(shipped(TEMPLATE))


def test_isomorphic_doubles_are_merged_by_weight_and_ambiguous_puzzles_fall_out(tmp_path):
    text = f"puzzle,n,mean\n{EASY},10,300\n{TURNED},30,500\n{'.' * 81},5,60\n{ROWS[1]},1,400\n"
    found = joined(observed(tmp_path, text))
    assert len(found.frame) == 2
    means = dict(zip(found.frame["puzzle"], found.frame["mean"], strict=True))
    assert means[EASY] == pytest.approx(450)
    assert found.frame.set_index("puzzle").loc[EASY, "n"] == 40
    assert found.match == {"lines": 4, "malformed": 0, "ambiguous or unmatched": 1, "doubles": 1,
                           "puzzles": 2}  # fmt: skip
    reasons = dict(zip(found.rejects["line"], found.rejects["reason"], strict=True))
    assert reasons[3].startswith("double")
    assert reasons[4].startswith("ambiguous")


def test_labels_of_isomorphs_that_differ_drop_both(tmp_path):
    text = f"puzzle,label\n{EASY},1\n{TURNED},2\n{ROWS[1]},3\n{ROWS[2]},1\n{ROWS[2][::-1]},1\n"
    found = joined(observed(tmp_path, text))
    assert sorted(found.frame["label"]) == [1.0, 3.0]
    assert found.rejects["reason"].tolist() == ["double: labels differ"] * 2 + [
        "double: merged with its isomorph"
    ]


def test_only_the_first_game_of_a_player_on_a_puzzle_counts(tmp_path):
    text = f"player,puzzle,seconds\na,{EASY},300\na,{TURNED},100\nb,{EASY},200\n"
    found = joined(observed(tmp_path, text))
    assert found.games["seconds"].tolist() == [300.0, 200.0]
    assert found.frame["n"].tolist() == [2]
    assert found.rejects["reason"].tolist() == ["double: solved before by player"]


def test_correlations_are_those_of_scipy_and_of_repeated_rows():
    rng = np.random.default_rng(1)
    x = rng.integers(0, 12, 60).astype(float)
    y = np.exp(x / 10 + rng.normal(size=60))
    weights = draw_samples(60, 40, 7)
    found = agreement(x, y, weights)
    assert found.figures["spearman"] == pytest.approx(stats.spearmanr(x, y)[0])
    assert found.figures["kendall"] == pytest.approx(stats.kendalltau(x, y)[0])
    assert found.figures["pearson_log"] == pytest.approx(np.corrcoef(x, np.log(y))[0, 1])
    for row in (0, 39):
        rows = np.repeat(np.arange(60), weights[row].astype(int))
        assert found.samples["spearman"][row] == pytest.approx(stats.spearmanr(x[rows], y[rows])[0])
        assert found.samples["kendall"][row] == pytest.approx(stats.kendalltau(x[rows], y[rows])[0])
    _, counts = np.unique(x, return_counts=True)
    assert found.ties == pytest.approx((counts * (counts - 1)).sum() / (60 * 59))


def test_metrics_that_are_unknown_or_constant_have_no_figures():
    y = np.arange(1.0, 21)
    weights = draw_samples(20, 5, 1)
    half = np.where(y > 10, np.nan, y)
    assert agreement(half, y, weights).row()["coverage"] == 0.5
    assert agreement(np.ones(20), y, weights).figures == {}
    assert np.isnan(agreement(np.full(20, np.nan), y, weights).row()["spearman"])


def test_holm_is_the_textbook_procedure():
    assert holm(np.array([0.01, 0.04, 0.03, 0.005])).tolist() == [0.03, 0.06, 0.06, 0.02]
    assert holm(np.array([0.9, 0.8])).tolist() == [1.0, 1.0]
    assert len(holm(np.empty(0))) == 0


def test_paired_differences_tell_a_better_metric_from_a_worse():
    rng = np.random.default_rng(2)
    x = rng.normal(size=200)
    y = np.exp(x + 0.3 * rng.normal(size=200))
    weights = draw_samples(200, 400, 3)
    metrics = {"good": x, "bad": x + 3 * rng.normal(size=200), "same": x + 1e-9}
    table = paired_differences({n: agreement(m, y, weights) for n, m in metrics.items()})
    rows = table.set_index(["metric", "other"])
    assert rows.loc[("good", "bad"), "p_holm"] < 0.02
    assert rows.loc[("good", "bad"), "low"] > 0
    assert rows.loc[("good", "same"), "p_holm"] == 1


def games(players, puzzles, rng, missing=0.3):
    skill, effect = rng.normal(0, 0.35, players), rng.normal(0, 0.3, puzzles)
    rows = [(f"p{i}", f"k{j}", np.exp(6 + skill[i] + effect[j] + rng.normal(0, 0.25)))
            for i in range(players) for j in range(puzzles) if rng.random() > missing]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["player", "key", "seconds"]).assign(completed=True)
    return frame, skill, effect


def test_effects_of_simulated_puzzles_are_recovered():
    frame, skill, effect = games(30, 200, np.random.default_rng(4), missing=0.0)
    found = crossed_effects(frame)
    by_key = found.puzzles.reindex([f"k{j}" for j in range(200)]).to_numpy()
    assert np.corrcoef(by_key, effect)[0, 1] >= 0.95
    by_player = found.players.reindex([f"p{i}" for i in range(30)]).to_numpy()
    assert np.corrcoef(by_player, skill)[0, 1] >= 0.95
    assert found.variances["rest"] == pytest.approx(0.0625, rel=0.1)
    assert found.variances["puzzle"] == pytest.approx(effect.var(ddof=1), rel=0.1)
    assert found.seconds()["k3"] == pytest.approx(np.exp(found.mean + found.puzzles["k3"]))


@pytest.mark.filterwarnings("ignore")
def test_variances_are_those_of_statsmodels():
    from statsmodels.regression.mixed_linear_model import MixedLM

    frame, _, _ = games(6, 12, np.random.default_rng(5))
    ours = crossed_effects(frame).variances
    frame = frame.assign(log=np.log(frame["seconds"]), one=1)
    parts = {"player": "0 + C(player)", "puzzle": "0 + C(key)"}
    model = MixedLM.from_formula("log ~ 1", groups="one", vc_formula=parts, data=frame)
    theirs = model.fit(reml=True)
    expected = dict(zip(sorted(parts), theirs.vcomp, strict=True))
    assert ours["player"] == pytest.approx(expected["player"], rel=0.03)
    assert ours["puzzle"] == pytest.approx(expected["puzzle"], rel=0.03)
    assert ours["rest"] == pytest.approx(theirs.scale, rel=0.03)


def test_too_few_games_are_refused():
    frame, _, _ = games(2, 3, np.random.default_rng(6), missing=0.0)
    with pytest.raises(UsageError, match="too few"):
        crossed_effects(frame.assign(completed=False))


def test_cut_points_part_what_they_should():
    rng = np.random.default_rng(7)
    minutes = np.concatenate(
        [rng.uniform(3, 4, 50), rng.uniform(8, 9, 30), rng.uniform(20, 25, 20)]
    )
    truth = np.repeat([0, 1, 2], [50, 30, 20])
    order = rng.permutation(100)
    for method in ("jenks", "cost"):
        low, high = cut_points(minutes[order], 3, method, truth[order])
        assert 4 < low < 8
        assert 9 < high < 20
    (middle,) = cut_points(minutes, 2, "quantile")
    assert (minutes < middle).sum() == 50
    with pytest.raises(UsageError, match="no 5 levels"):
        cut_points(np.ones(10), 5, "jenks")


def test_cost_cuts_are_the_cheapest_of_all():
    rng = np.random.default_rng(8)
    minutes, truth = np.sort(rng.uniform(1, 9, 14)), rng.integers(0, 3, 14)
    low, high = cut_points(minutes, 3, "cost", truth)
    ours = np.abs(np.searchsorted([low, high], minutes, side="right") - truth).sum()
    every = [np.abs(np.repeat([0, 1, 2], [i, j - i, 14 - j]) - truth).sum()
             for i in range(1, 13) for j in range(i + 1, 14)]  # fmt: skip
    assert ours == min(every)


def test_level_figures_are_those_of_their_definitions():
    same = level_figures(np.array([0, 1, 2, 1]), np.array([0, 1, 2, 1]))
    assert same == {"accuracy": 1.0, "within_one": 1.0, "kappa_quadratic": 1.0}
    worse = level_figures(np.array([0, 1, 2, 2]), np.array([2, 1, 0, 1]))
    assert worse["accuracy"] == 0.25
    assert worse["within_one"] == 0.5
    assert worse["kappa_quadratic"] < 0


def test_folds_are_even_and_the_same_again():
    folds = fold_numbers(103, 5, 1)
    assert sorted(np.bincount(folds)) == [20, 20, 21, 21, 21]
    assert (folds == fold_numbers(103, 5, 1)).all()


def test_minutes_are_null_without_columns_and_marked_outside_what_was_seen():
    levels = load_levels("levels-human")
    minutes = levels.minutes
    inside = {term.column: [(term.least + term.most) / 2] for term in minutes.term}
    table = pa.table({**inside, "n_solutions": [1]})
    row = levels.with_minutes(table).to_pylist()[0]
    assert row["minutes_low"] < row["minutes"] < row["minutes_high"]
    assert row["minutes_extrapolated"] is False
    far = pa.table({**inside, "n_solutions": [1], "search_cost": [1e6]})
    assert levels.with_minutes(far).to_pylist()[0]["minutes_extrapolated"] is True
    bare = levels.with_minutes(pa.table({"n_solutions": [1]}))
    assert bare.column("minutes").null_count == 1
    assert levels.rank(bare).tolist() == [0]
    nothing = pa.table({**inside, "search_cost": pa.array([None], pa.float64())})
    assert levels.with_minutes(nothing).column("minutes_high").null_count == 1


def test_harder_columns_never_make_fewer_minutes():
    from pipeline.calibrate.models import HARDER

    for term in load_levels("levels-human").minutes.term:
        assert term.weight * HARDER[term.column] >= 0


def test_isomorphs_are_rated_alike():
    found = invariance(ROWS[:3], 8, 1, 5)
    assert found["rows"].tolist() == [24] * len(found)
    assert {"search_cost", "refutation_sum_se", "nodes_mean", "key", "canonical", "clues"} <= set(
        found["column"]
    )
    assert found[found["different"] > 0].empty


def test_the_frozen_panel_is_rated_as_it_was():
    panel = read_panel(shipped(PANEL))
    versions = version_table(panel)
    moved = tuple(versions.loc[versions["then"] != versions["now"], "rater"])
    assert set(moved) <= {"hodoku"}, "freeze the panel anew: calibrate compare-versions --freeze"
    found = drift(panel)
    same = found[~found["column"].str.startswith("hodoku" if moved else "none of them")]
    assert same["changed"].sum() == 0
    assert len(panel.rows) == 60


def test_drift_notices_a_change_and_its_size():
    panel = read_panel(shipped(PANEL))
    rows = panel.rows.head(20).copy()
    rows["search_cost"] += 10
    found = drift(panel._replace(rows=rows)).set_index("column")
    assert found.loc["search_cost", "changed"] == 20
    assert found.loc["search_cost", "mean_difference"] == pytest.approx(-10)
    assert found.loc["search_cost", "spearman"] == pytest.approx(1)
    assert found.loc["clues", "changed"] == 0


def test_a_panel_without_versions_is_refused(tmp_path):
    path = tmp_path / "panel.csv"
    path.write_text(f"puzzle,clues\n{EASY},27\n")
    with pytest.raises(UsageError, match="rater versions"):
        read_panel(path)
