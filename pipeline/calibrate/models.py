"""Models of time, and what they are worth on puzzles that they have not seen.

    rd          linear in refutation_sum and dependency_25, as published
    isotonic    any monotone function of search_cost
    ridge       ridge on log features; which of the FAMILIES and how strong, is chosen inside
    minutes     ridge on ten log features with the signs of what is harder: what a corpus gets
                predicted minutes from, because it cannot turn around outside what it saw

All predict ln(target). Joined rows are one a canonical form, so folds never share a puzzle, nor an
isomorph. Everything that is chosen or scaled is chosen and scaled on the training rows alone.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pipeline.calibrate.extra import need
from pipeline.calibrate.features import HUMAN, LOOKS, STATIC, columns_of

Floats = NDArray[np.float64]
Predict = Callable[[pd.DataFrame], Floats]
Fit = Callable[[pd.DataFrame, Floats], Predict]

FOLDS: Final = 5
SEED: Final = 20261201
PENALTIES: Final = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
FAMILIES: Final[Mapping[str, tuple[str, ...]]] = {
    "search": ("search_cost",),
    "human": HUMAN,
    "looks": HUMAN + LOOKS,
    "all": HUMAN + LOOKS + STATIC,
}
"""Sets of features that `ridge` may choose from."""
HARDER: Final[Mapping[str, int]] = {
    "search_cost": 1,
    "dependency_25": -1,
    "refutation_sum": 1,
    "n_stuck": 1,
    "rounds_box": 1,
    "filled_box": -1,
    "rounds_line": 1,
    "filled_line": 1,
    "rounds_cell": 1,
    "filled_cell": 1,
}
"""Features of `minutes`, and whether more of one is harder (1) or easier (-1)."""
MINUTES_PENALTIES: Final = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
INNER_FOLDS: Final = 5


def fit_rd(frame: pd.DataFrame, log_time: Floats) -> Predict:
    """Least squares on the two raw columns."""

    def design(rows: pd.DataFrame) -> Floats:
        columns = rows[["refutation_sum", "dependency_25"]].to_numpy(np.float64)
        return np.column_stack([np.ones(len(rows)), columns])

    weights = np.linalg.lstsq(design(frame), log_time, rcond=None)[0]
    return lambda rows: design(rows) @ weights


def fit_isotonic(frame: pd.DataFrame, log_time: Floats) -> Predict:
    """Monotone in search_cost."""
    fitted = need("sklearn.isotonic").IsotonicRegression(out_of_bounds="clip")
    fitted.fit(frame["search_cost"].to_numpy(np.float64), log_time)
    return lambda rows: np.asarray(fitted.predict(rows["search_cost"].to_numpy(np.float64)))


def fit_ridge(frame: pd.DataFrame, log_time: Floats) -> Predict:
    """The family and penalty with the least error when each row is left out in turn."""
    best: tuple[float, tuple[str, ...], Any] | None = None
    for names in FAMILIES.values():
        fitted = _ridge(columns_of(frame, names), log_time)
        score = float(fitted[-1].best_score_)
        if best is None or score > best[0]:
            best = (score, names, fitted)
    if best is None:
        raise ValueError("no family of features")
    _, chosen, model = best
    return lambda rows: np.asarray(model.predict(columns_of(rows, chosen)))


def _ridge(columns: Floats, log_time: Floats) -> Any:
    scaler = need("sklearn.preprocessing").StandardScaler()
    ridge = need("sklearn.linear_model").RidgeCV(np.array(PENALTIES))
    return need("sklearn.pipeline").make_pipeline(scaler, ridge).fit(columns, log_time)


class Scaled:
    """Standardised log columns of HARDER with the weights of a sign-bound ridge."""

    def __init__(self, frame: pd.DataFrame, log_time: Floats, penalty: float) -> None:
        columns = columns_of(frame, tuple(HARDER))
        self.signs = np.array(list(HARDER.values()), np.float64)
        self.center = columns.mean(axis=0)
        deviation = columns.std(axis=0)
        self.scale = np.where(deviation > 0, deviation, 1.0)
        self.intercept = float(log_time.mean())
        turned = (columns - self.center) / self.scale * self.signs
        padded = np.vstack([turned, np.sqrt(penalty) * np.eye(len(self.signs))])
        wanted = np.concatenate([log_time - self.intercept, np.zeros(len(self.signs))])
        self.weights = need("scipy.optimize").nnls(padded, wanted)[0] * self.signs

    def __call__(self, frame: pd.DataFrame) -> Floats:
        """Predicted ln(target)."""
        columns = columns_of(frame, tuple(HARDER))
        found: Floats = self.intercept + (columns - self.center) / self.scale @ self.weights
        return found


def fit_minutes(frame: pd.DataFrame, log_time: Floats) -> Scaled:
    """The penalty with the least error in folds of the training rows."""
    folds = fold_numbers(len(frame), INNER_FOLDS, SEED)
    errors = []
    for penalty in MINUTES_PENALTIES:
        seen = cross_validated(lambda f, t, p=penalty: Scaled(f, t, p), frame, log_time, folds)
        errors.append(float(((seen - log_time) ** 2).mean()))
    return Scaled(frame, log_time, MINUTES_PENALTIES[int(np.argmin(errors))])


MODELS: Final[Mapping[str, Fit]] = {
    "rd": fit_rd,
    "isotonic": fit_isotonic,
    "ridge": fit_ridge,
    "minutes": fit_minutes,
}


def fold_numbers(rows: int, folds: int, seed: int) -> NDArray[np.int64]:
    """A fold 0..folds-1 for each row, sizes equal but for one, at random."""
    rng = np.random.Generator(np.random.PCG64([seed, rows, folds]))
    return rng.permutation(np.arange(rows) % folds)


def cross_validated(
    fit: Any, frame: pd.DataFrame, log_time: Floats, folds: NDArray[np.int64]
) -> Floats:
    """Predictions of ln(target) for each row by a model that was fitted on the other folds."""
    found = np.empty(len(frame))
    for fold in np.unique(folds):
        test = folds == fold
        found[test] = fit(frame[~test], log_time[~test])(frame[test])
    return found


def rd_halves(frame: pd.DataFrame, target: Floats, splits: int = 200) -> tuple[float, float]:
    """Pearson of RD fitted on one half with the target of the other: mean and deviation.

    Targets as they are, not as logarithms, to be comparable with what was published.
    """
    rng = np.random.Generator(np.random.PCG64([SEED, splits]))
    frame = frame[["refutation_sum", "dependency_25"]]
    found = []
    for _ in range(splits):
        half = np.zeros(len(frame), np.bool_)
        half[rng.permutation(len(frame))[: len(frame) // 2]] = True
        predicted = fit_rd(frame[half], target[half])(frame[~half])
        found.append(np.corrcoef(predicted, target[~half])[0, 1])
    return float(np.mean(found)), float(np.std(found, ddof=1))
