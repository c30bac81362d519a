"""Models of levels: ordered logit on log features, and how far its levels are from the true ones.

What was observed are labels, or else fifths of the target. Levels run from 0 in these arrays.
"""

import warnings
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pipeline.calibrate.extra import need
from pipeline.calibrate.features import columns_of
from pipeline.calibrate.models import SEED, fold_numbers

Floats = NDArray[np.float64]
Ranks = NDArray[np.int64]
FEATURES: Final = ("search_cost", "refutation_sum", "filled_box", "rounds_line", "rounds_cell")
LEVELS: Final = 5


def fifths(target: Floats, levels: int = LEVELS) -> Ranks:
    """Level 0.. of each value: equal shares of the rows."""
    edges = np.quantile(target, np.arange(1, levels) / levels)
    return np.searchsorted(edges, target, side="right")


def ordinal_levels(frame: pd.DataFrame, truth: Ranks, folds: int) -> Ranks:
    """Levels of rows as predicted by ordered logits that were fitted on the other folds."""
    numbers = fold_numbers(len(frame), folds, SEED)
    found = np.empty(len(frame), np.int64)
    for fold in range(folds):
        test = numbers == fold
        found[test] = _fit(frame[~test], truth[~test])(frame[test])
    return found


def _fit(frame: pd.DataFrame, truth: Ranks) -> Any:
    """An ordered logit; its levels are the median ones of the predicted distribution."""
    columns = columns_of(frame, FEATURES)
    center, scale = columns.mean(axis=0), columns.std(axis=0)
    used = scale > 0
    known = np.unique(truth)
    model = need("statsmodels.miscmodels.ordinal_model").OrderedModel
    scaled = (columns[:, used] - center[used]) / scale[used]
    dense = np.searchsorted(known, truth)
    with warnings.catch_warnings():  # of standard errors, which nobody asks for here
        warnings.simplefilter("ignore")
        fitted = model(dense, scaled, distr="logit").fit(method="bfgs", disp=0, maxiter=300,
                                                     warn_convergence=False)  # fmt: skip

    def predict(rows: pd.DataFrame) -> Ranks:
        plain = (columns_of(rows, FEATURES)[:, used] - center[used]) / scale[used]
        chances = np.cumsum(np.asarray(fitted.predict(plain)), axis=1)
        median: Ranks = known[np.minimum((chances < 0.5).sum(axis=1), len(known) - 1)]
        return median

    return predict


def level_figures(truth: Ranks, found: Ranks) -> dict[str, float]:
    """Accuracy, share within one level, and quadratically weighted kappa."""
    size = int(max(truth.max(), found.max())) + 1
    table = np.zeros((size, size))
    np.add.at(table, (truth, found), 1.0)
    distance = (np.arange(size)[:, None] - np.arange(size)[None]) ** 2
    chance = table.sum(axis=1)[:, None] * table.sum(axis=0)[None] / table.sum()
    lost, expected = float((table * distance).sum()), float((chance * distance).sum())
    return {
        "accuracy": float((truth == found).mean()),
        "within_one": float((np.abs(truth - found) <= 1).mean()),
        "kappa_quadratic": 1 - lost / expected if expected else float("nan"),
    }
