"""Drift: the ratings of a frozen panel of puzzles, as they were and as they are.

A panel is a CSV file of puzzles with their ratings, and the version of each rater in its first line
as a comment: `# basic 1, hodoku 2, human-model 1, static 1; 30 runs`.
"""

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pipeline.calibrate.agreement import draw_samples
from pipeline.calibrate.features import METRICS, STUDY_RUNS, grade_features, rater_versions
from workers.errors import UsageError

FROZEN = ("puzzle", "clues", *(name for name in METRICS if name != "clues"), "inf_steps",
          "rounds_box", "filled_box", "rounds_line", "filled_line", "rounds_cell",
          "filled_cell")  # fmt: skip
FIRST_LINE = re.compile(r"# ([\w-]+ \d+(?:, [\w-]+ \d+)*); (\d+) runs")


class Panel(NamedTuple):
    """A panel and what rated it."""

    rows: pd.DataFrame
    versions: dict[str, int]
    runs: int


def read_panel(path: Path) -> Panel:
    """The panel in a file; UsageError when it is none."""
    try:
        first = path.read_text(encoding="utf-8").partition("\n")[0].strip()
    except (OSError, UnicodeDecodeError) as wrong:
        raise UsageError(path, str(wrong)) from None
    found = FIRST_LINE.fullmatch(first)
    if found is None:
        raise UsageError(f"{path}:1", "does not say which rater versions rated this panel")
    versions = dict(part.split(" ") for part in found[1].split(", "))
    rows = pd.read_csv(path, comment="#")
    if "puzzle" not in rows:
        raise UsageError(path, "has no column puzzle")
    return Panel(rows, {rater: int(version) for rater, version in versions.items()}, int(found[2]))


def panel_text(texts: list[str], runs: int = STUDY_RUNS) -> str:
    """A panel of these puzzles as rated here and now."""
    versions = ", ".join(f"{rater} {version}" for rater, version in rater_versions().items())
    rated = grade_features(texts, runs)[list(FROZEN)]
    return f"# {versions}; {runs} runs\n" + rated.to_csv(index=False, lineterminator="\n")


def drift(panel: Panel, workers: int = 1) -> pd.DataFrame:
    """For each numeric column of a panel: what changed since it was frozen.

    Columns: column, n, changed (rows), changed_share, mean_difference with its 95 % bootstrap
    interval, worst (the largest difference), spearman of then and now.
    """
    now = grade_features(panel.rows["puzzle"].tolist(), panel.runs, workers)
    names = [name for name in panel.rows.columns if name != "puzzle" and name in now]
    return pd.DataFrame([_row(name, panel.rows[name], now[name]) for name in names])


def version_table(panel: Panel) -> pd.DataFrame:
    """Rater versions then and now."""
    here = rater_versions()
    names = sorted(set(panel.versions) | set(here))
    rows = [[name, panel.versions.get(name), here.get(name)] for name in names]
    return pd.DataFrame(rows, columns=["rater", "then", "now"])


def _row(name: str, then: pd.Series, now: pd.Series) -> dict[str, Any]:
    one, other = then.astype("float64").to_numpy(), now.astype("float64").to_numpy()
    known = ~np.isnan(one) & ~np.isnan(other)
    shift = (other - one)[known]
    changed = int((np.abs(shift) > 0).sum() + (np.isnan(one) != np.isnan(other)).sum())
    samples = draw_samples(len(shift), 1000, 1) if len(shift) else np.empty((0, 0))
    means = samples @ shift / max(len(shift), 1)
    low, high = np.percentile(means, [2.5, 97.5]) if len(shift) else (np.nan, np.nan)
    first, second = (pd.Series(values[known]).rank() for values in (one, other))
    constant = not len(shift) or first.nunique() < 2 or second.nunique() < 2
    return {
        "column": name, "n": len(one), "changed": changed,
        "changed_share": changed / max(len(one), 1),
        "mean_difference": float(shift.mean()) if len(shift) else np.nan, "low": float(low),
        "high": float(high), "worst": float(np.abs(shift).max()) if len(shift) else np.nan,
        "spearman": np.nan if constant else float(first.corr(second)),
    }  # fmt: skip
