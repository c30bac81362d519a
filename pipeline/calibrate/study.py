"""A study: observations in, a folder of tables, models, predictions and a report out.

metrics.csv       every metric against every target, by stratum, with intervals
differences.csv   paired differences of |Spearman|, Holm-adjusted
models.csv        cross-validated models of time; levels.csv models of levels
columns.csv       what the columns are like, and how many values are censored
rejects.csv       lines that fell out, and why; match.csv counts them
players.csv       players' effects (long observations)
floors.csv        asserted figures, and whether they hold
model.json        the calibration as a levels file that a plan can name
predictions.parquet   each puzzle with its targets and what folds without it predict
study.json, report.html
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pipeline.calibrate import features as columns
from pipeline.calibrate import tables
from pipeline.calibrate.agreement import (
    SAMPLES,
    Agreement,
    agreement,
    draw_samples,
    interval,
    paired_differences,
)
from pipeline.calibrate.floors import Floor, check_floors
from pipeline.calibrate.frozen import SECONDS_TARGETS, Cuts, Frozen, freeze, levels_json
from pipeline.calibrate.joining import Joined, join
from pipeline.calibrate.models import (
    FOLDS,
    MODELS,
    SEED,
    cross_validated,
    fold_numbers,
    rd_halves,
)
from pipeline.calibrate.observations import Observations
from pipeline.calibrate.ordinal import fifths, level_figures, ordinal_levels
from pipeline.calibrate.page import report_page
from pipeline.calibrate.players import Crossed, crossed_effects
from pipeline.corpus.staging import staged
from workers.errors import UsageError

Floats = NDArray[np.float64]
Tables = dict[str, pd.DataFrame]
LEAST_PUZZLES = 30
"""Puzzles with a target that models need."""
COMPARED = ("clues", "hodoku_score", "refutation_sum", "n_stuck", "dependency_25", "search_cost",
            "model_rd", "model_minutes", "model_ridge")  # fmt: skip


class Options(NamedTuple):
    """How to study."""

    runs: int = columns.STUDY_RUNS
    workers: int = 1
    folds: int = FOLDS
    samples: int = SAMPLES
    repeats: int = 5  # cross-validations, each with other folds
    seed: int = SEED
    shuffle: int | None = None  # shuffle the targets with this seed: a negative control
    cuts: Cuts = Cuts()
    name: str = "calibrated"
    corpus: Path | None = None


class Study(NamedTuple):
    """All results, before they are written."""

    facts: dict[str, Any]
    tables: Tables
    predictions: pd.DataFrame
    frozen: Frozen | None

    @property
    def passed(self) -> bool:
        """True unless an asserted figure is missing or out of its bounds."""
        floors = self.tables.get("floors")
        return floors is None or bool(floors["passed"].all())


def observe(observed: Observations, options: Options) -> tuple[Joined, Crossed | None]:
    """Observations with the columns of their puzzles; long ones become typical seconds."""
    texts = list(dict.fromkeys(observed.rows["puzzle"]))
    graded = columns.grade_features(texts, options.runs, options.workers)
    listed = graded[["puzzle", "key", "n_solutions"]]
    found = graded if options.corpus is None else columns.corpus_features(options.corpus)
    joined = join(observed, found, listed)
    if joined.frame.empty:
        raise UsageError(observed.source, "no puzzle of it has one solution and columns")
    crossed = None
    if observed.form == "long":
        crossed = crossed_effects(joined.games)
        seconds = joined.frame["key"].map(crossed.seconds())
        joined = joined._replace(frame=joined.frame.assign(seconds=seconds))
    if options.shuffle is not None:
        joined = joined._replace(frame=_shuffled(joined, options.shuffle))
    return joined, crossed


def study(observed: Observations, options: Options, floors: list[Floor] | None = None) -> Study:
    """Everything that a study finds out; equal arguments, equal results."""
    joined, crossed = observe(observed, options)
    frame = joined.frame
    found: Tables = {"rejects": joined.rejects, "columns": column_table(frame)}
    found["match"] = pd.DataFrame(list(joined.match.items()), columns=["what", "count"])
    predictions = frame[["key", "puzzle", "n", *joined.targets]].copy()
    metrics: list[dict[str, Any]] = []
    models: list[dict[str, Any]] = []
    levels: list[dict[str, Any]] = []
    differences: list[pd.DataFrame] = []
    for target in joined.targets:
        rows = frame[frame[target].notna()].reset_index(drop=True)
        times = rows[target].to_numpy(np.float64)
        seen = _models(rows, times, target, options, models) if len(rows) >= LEAST_PUZZLES else {}
        for name, values in seen.items():
            own = pd.Series(np.exp(values), index=rows["key"])
            predictions[f"{target}_{name}"] = predictions["key"].map(own)
        metrics += _metric_rows(rows.assign(**seen), times, target, options, differences)
        if len(rows) >= LEAST_PUZZLES:
            levels.append(_level_row(rows, times, target, observed, options))
    found |= {"metrics": pd.DataFrame(metrics), "models": pd.DataFrame(models)}
    found["levels"] = pd.DataFrame(levels)
    if differences:
        found["differences"] = pd.concat(differences, ignore_index=True)
    frozen = _frozen(joined, observed, options)
    if crossed is not None:
        found["players"] = crossed.players.rename("effect").rename_axis("player").reset_index()
    if floors is not None:
        found["floors"] = check_floors(floors, found)
    facts = _facts(observed, joined, options, crossed, frozen)
    return Study(facts, found, predictions, frozen)


def calibration(observed: Observations, options: Options) -> Frozen:
    """The frozen calibration alone; UsageError when the observations have no times in seconds."""
    joined, _ = observe(observed, options)
    frozen = _frozen(joined, observed, options)
    if frozen is None:
        what = f"has no times in seconds of {LEAST_PUZZLES} puzzles or more to fit"
        raise UsageError(observed.source, what)
    return frozen


def write_study(result: Study, folder: Path) -> None:
    """Put a study into `folder`, whole or not at all; replaces an older study there."""
    tables.check_place(folder)
    with staged(folder) as place:
        for name, table in result.tables.items():
            tables.write_table(place, name, table)
        tables.write_facts(place, result.facts)
        tables.write_predictions(place, result.predictions)
        if result.frozen is not None:
            (place / "model.json").write_bytes(levels_json(result.frozen.levels))
        write_report(place)


def write_report(folder: Path) -> Path:
    """Make report.html from the files of a study; returns its path."""
    facts, found = tables.read_study(folder)
    predictions = pd.read_parquet(folder / "predictions.parquet")
    path = folder / "report.html"
    path.write_text(report_page(facts, found, predictions), encoding="utf-8")
    return path


def column_table(frame: pd.DataFrame) -> pd.DataFrame:
    """For each metric: values, nulls, zeros, spread, and the share of censored rows."""
    rows = []
    for name in [*columns.METRICS, "inf_steps"]:
        values = frame[name].astype("float64").dropna()
        shares = np.quantile(values, [0, 0.1, 0.5, 0.9, 1]) if len(values) else [np.nan] * 5
        spread = dict(zip(("min", "p10", "median", "p90", "max"), shares, strict=True))
        censored = float(_censored(frame).mean()) if name == "refutation_sum" else 0.0
        rows.append({"column": name, "n": len(values), "null": len(frame) - len(values),
                     "zero": int((values == 0).sum()), "censored_share": censored,
                     **spread})  # fmt: skip
    return pd.DataFrame(rows)


def metric_values(frame: pd.DataFrame, name: str) -> Floats:
    """A metric as floats, NaN where it is null or only a lower bound."""
    values: Floats = frame[name].to_numpy(np.float64, copy=True)
    if name == "refutation_sum":
        values[_censored(frame)] = np.nan
    return values


def strata(frame: pd.DataFrame) -> dict[str, NDArray[np.bool_]]:
    """Rows of the strata that figures are given for."""
    empty = 81 - frame["clues"].to_numpy(np.int64)
    singles = frame["singles_filled"].to_numpy(np.int64) == empty
    return {"all": np.ones(len(frame), np.bool_), "singles": singles, "beyond singles": ~singles}


def _censored(frame: pd.DataFrame) -> NDArray[np.bool_]:
    return frame["refutation_censored"].fillna(False).to_numpy(np.bool_)


def _shuffled(joined: Joined, seed: int) -> pd.DataFrame:
    """The rows with their targets exchanged among them, all targets of a row together."""
    frame = joined.frame.copy()
    order = np.random.Generator(np.random.PCG64([SEED, seed])).permutation(len(frame))
    names = list(joined.targets)
    frame[names] = frame[names].to_numpy()[order]
    return frame


def _models(
    rows: pd.DataFrame, times: Floats, target: str, options: Options, out: list[dict[str, Any]]
) -> dict[str, Floats]:
    """Fold predictions of ln(target) by model; a row a model goes to `out`."""
    log_time, slim = np.log(times), columns.slim(rows)
    weights = draw_samples(len(rows), options.samples, options.seed)
    seen: dict[str, Floats] = {}
    for name, fit in MODELS.items():
        each = [
            cross_validated(fit, slim, log_time, fold_numbers(len(rows), options.folds, SEED + k))
            for k in range(options.repeats)
        ]
        seen[f"model_{name}"] = each[0]
        scores = [float(np.corrcoef(one, log_time)[0, 1]) for one in each]
        figures = agreement(each[0], times, weights)
        low, high = interval(figures.samples.get("pearson_log", np.empty(0)))
        rest = log_time - each[0]
        out.append({
            "model": name, "target": target, "n": len(rows), "folds": options.folds,
            "pearson_log": float(np.mean(scores)), "pearson_log_low": low,
            "pearson_log_high": high, "repeats": options.repeats,
            "repeats_sd": float(np.std(scores)),
            "spearman": figures.figures.get("spearman", np.nan),
            "rmse_log": float(np.sqrt((rest**2).mean())),
        })  # fmt: skip
    mean, deviation = rd_halves(slim, times)
    out.append({"model": "rd_halves", "target": target, "n": len(rows), "folds": 2,
                "pearson": mean, "repeats": 200, "repeats_sd": deviation})  # fmt: skip
    return seen


def _metric_rows(
    rows: pd.DataFrame, times: Floats, target: str, options: Options, out: list[pd.DataFrame]
) -> list[dict[str, Any]]:
    """Rows of metrics.csv; the differences of the whole go to `out`."""
    names = [*columns.METRICS, *(name for name in rows.columns if name.startswith("model_"))]
    listed = []
    slim = rows[[*names, "refutation_censored"]]
    for stratum, chosen in strata(rows).items():
        part = slim[chosen]
        weights = draw_samples(len(part), options.samples, options.seed)
        found: dict[str, Agreement] = {}
        for name in names:
            found[name] = agreement(metric_values(part, name), times[chosen], weights)
            where = {"metric": name, "target": target, "stratum": stratum}
            listed.append({**where, **found[name].row()})
        if stratum == "all":
            compared = {name: found[name] for name in COMPARED if name in found}
            whole = {name: one for name, one in compared.items() if one.coverage == 1}
            out.append(paired_differences(whole).assign(target=target))
    return listed


def _level_row(
    rows: pd.DataFrame, times: Floats, target: str, observed: Observations, options: Options
) -> dict[str, Any]:
    labelled = observed.form == "labels"
    truth = times.astype(np.int64) - 1 if labelled else fifths(times)
    found = ordinal_levels(columns.slim(rows), truth, options.folds)
    what = "labels" if labelled else "fifths"
    return {"target": target, "levels": what, "n": len(rows), **level_figures(truth, found)}


def _frozen(joined: Joined, observed: Observations, options: Options) -> Frozen | None:
    """The calibration to seconds, when the observations have any."""
    target = next((name for name in SECONDS_TARGETS if name in joined.targets), None)
    if target is None:
        return None
    rows = joined.frame[joined.frame[target].notna()].reset_index(drop=True)
    if len(rows) < LEAST_PUZZLES:
        return None
    seconds = rows[target].to_numpy(np.float64)
    source = f"{target} of {observed.source}, {len(rows)} puzzles"
    return freeze(options.name, rows, seconds, options.cuts, options.folds, source)


def _facts(observed: Observations, joined: Joined, options: Options, crossed: Crossed | None,
           frozen: Frozen | None) -> dict[str, Any]:  # fmt: skip
    censored = _censored(joined.frame)
    facts: dict[str, Any] = {
        "source": observed.source, "form": observed.form, "targets": list(joined.targets),
        "puzzles": len(joined.frame), "match": joined.match, "labels": list(observed.order),
        "human_runs": int(joined.frame["human_runs"].max()), "samples": options.samples,
        "folds": options.folds, "seed": options.seed, "shuffled": options.shuffle,
        "inf_steps_share": float(censored.mean()),
        "strata": {name: int(rows.sum()) for name, rows in strata(joined.frame).items()},
        "rater_versions": columns.rater_versions(),
    }  # fmt: skip
    if crossed is not None:
        facts["players"] = {"games": crossed.games, "players": len(crossed.players),
                            "variances": crossed.variances}  # fmt: skip
    if frozen is not None:
        cuts = [level.name for level in frozen.levels.level]
        facts["calibration"] = {"name": frozen.levels.name, "levels": cuts,
                                "interval_coverage": frozen.coverage}  # fmt: skip
    return facts
