"""A fitted calibration, frozen as a levels file: predicted minutes, and levels that cut them."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pipeline.calibrate.cutpoints import Method, cut_points
from pipeline.calibrate.features import slim
from pipeline.calibrate.models import (
    HARDER,
    SEED,
    cross_validated,
    fit_minutes,
    fold_numbers,
)
from pipeline.calibrate.ordinal import fifths
from pipeline.levels import Bounds, Level, Levels
from pipeline.minutes import Minutes, Term
from workers.kinds import registry

Floats = NDArray[np.float64]
COVERAGE = 0.9
DIGITS = 6
LEVEL_NAMES = ("easy", "medium", "hard", "expert", "extreme")
SECONDS_TARGETS = ("seconds", "mean_time_s", "mean_seconds", "mean", "median")
"""Targets that are times in seconds, the preferred first."""


class Frozen(NamedTuple):
    """A calibration and what its folds predicted."""

    levels: Levels
    log_seen: Floats  # (rows,) ln(seconds) predicted for each row by a fit without it
    coverage: float  # share of the observed times inside the interval of those predictions


class Cuts(NamedTuple):
    """How many levels, and how they are cut."""

    levels: int = 5
    method: Method = "quantile"
    minutes: tuple[float, ...] = ()  # these cut points instead


def freeze(name: str, frame: pd.DataFrame, seconds: Floats, cuts: Cuts, folds: int,
           source: str) -> Frozen:  # fmt: skip
    """Fit the time model to `seconds` (rows,) of `frame` and cut its minutes into levels."""
    log_time, columns = np.log(seconds), slim(frame)
    fitted = fit_minutes(columns, log_time)
    seen = cross_validated(fit_minutes, columns, log_time, fold_numbers(len(frame), folds, SEED))
    rest = log_time - seen
    low, high = np.quantile(rest, [(1 - COVERAGE) / 2, (1 + COVERAGE) / 2])
    minutes = Minutes(
        intercept=_short(fitted.intercept),
        low=_short(float(low)),
        high=_short(float(high)),
        coverage=COVERAGE,
        term=[_term(frame, column, index, fitted) for index, column in enumerate(HARDER)],
        source=source,
        rater_versions={r: registry.get("sudoku").rater_versions[r] for r in RATERS},
        human_runs=int(frame["human_runs"].max()) if "human_runs" in frame else 0,
    )
    predicted = np.exp(fitted(columns)) / 60
    points = cuts.minutes or tuple(
        cut_points(predicted, cuts.levels, cuts.method, fifths(seconds, cuts.levels)).tolist()
    )
    inside = float(((rest >= low) & (rest <= high)).mean())
    return Frozen(_levels(name, minutes, points, source), seen, inside)


RATERS = ("human-model", "static")
"""Raters whose columns the time model reads."""


def level_names(count: int) -> list[str]:
    """Names for `count` levels, easiest first."""
    if count <= len(LEVEL_NAMES):
        return list(LEVEL_NAMES[:count])
    return [f"level-{rank}" for rank in range(1, count + 1)]


def levels_json(levels: Levels) -> bytes:
    """The levels as a file that a plan can name; equal levels, equal bytes."""
    return msgspec.json.format(msgspec.json.encode(levels.table), indent=1) + b"\n"


def write_levels(levels: Levels, path: Path) -> None:
    """Write the file whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(levels_json(levels))
    part.replace(path)


def _levels(name: str, minutes: Minutes, points: Sequence[float], source: str) -> Levels:
    edges = [0.0, *(round(point, 2) for point in points), None]
    names = level_names(len(points) + 1)
    listed = [
        Level(level, {"minutes": Bounds(from_=start, below=end)}, _span(start, end))
        for level, start, end in zip(names, edges[:-1], edges[1:], strict=True)
    ]
    return Levels(
        name=name,
        level=listed,
        description=f"Levels by predicted minutes; calibrated on {source}.",
        requires={"n_solutions": 1},
        minutes=minutes,
    )


def _span(start: float | None, end: float | None) -> str:
    if end is None:
        return f"{start:g} minutes or more"
    return f"{start:g} to {end:g} minutes" if start else f"less than {end:g} minutes"


def _term(frame: pd.DataFrame, column: str, index: int, fitted: "object") -> Term:
    values = frame[column].to_numpy(np.float64)
    weights, center, scale = (getattr(fitted, name) for name in ("weights", "center", "scale"))
    return Term(
        column=column,
        weight=_short(float(weights[index])),
        center=_short(float(center[index])),
        scale=_short(float(scale[index])),
        least=float(values.min()),
        most=float(values.max()),
    )


def _short(value: float) -> float:
    return round(value, DIGITS)
