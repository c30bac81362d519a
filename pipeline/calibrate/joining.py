"""Observations meet columns: one row a canonical form, and a word on everything that fell out."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from pipeline.calibrate.observations import Observations

REJECT_COLUMNS = ["line", "puzzle", "reason"]


class Joined(NamedTuple):
    """Observed puzzles with their columns."""

    frame: pd.DataFrame
    """One row a canonical form, by key: the columns of `features`, n, and the targets."""
    targets: tuple[str, ...]
    games: pd.DataFrame
    """Long observations: key, player, seconds, completed; empty for other forms."""
    rejects: pd.DataFrame
    """line, puzzle, reason: malformed, ambiguous, unmatched, double."""
    match: dict[str, int]
    """How many lines and puzzles there were, and what became of them."""


def join(observed: Observations, features: pd.DataFrame, listed: pd.DataFrame) -> Joined:
    """Join by canonical form.

    `listed` says for each observed text (`puzzle`) its `key` and `n_solutions`, `features` has a
    row for each key. Equal puzzles of aggregated observations become their mean, weighted by n;
    of labelled ones the first line counts when the labels agree, else none does. Lines that are
    merged into another are rejects too, with the reason `double`.
    """
    rows = observed.rows.merge(listed.drop_duplicates("puzzle"), on="puzzle", how="left")
    known = rows["key"].isin(set(features["key"].dropna()))
    sound = rows["n_solutions"] == 1
    reasons = np.select(
        [rows["n_solutions"] == 0, ~sound, ~known],
        ["no solution", "ambiguous: more than one solution", "unmatched: not in the corpus"],
        default="",
    )
    lost = rows.loc[reasons != "", ["line", "puzzle"]].assign(reason=reasons[reasons != ""])
    rows = rows[reasons == ""]
    games = pd.DataFrame(columns=["key", "player", "seconds", "completed"])
    if observed.form == "long":
        games, doubles = _first_attempts(rows)
        kept = games.groupby("key", sort=True).agg(n=("player", "nunique")).reset_index()
        kept["completion"] = games.groupby("key", sort=True)["completed"].mean().to_numpy()
    else:
        kept, doubles = _one_a_key(rows, observed)
    frame = kept.merge(features.drop_duplicates("key"), on="key", how="inner").sort_values("key")
    rejects = pd.concat([observed.rejects, lost, doubles], ignore_index=True)
    match = {
        "lines": len(observed.rows) + len(observed.rejects),
        "malformed": len(observed.rejects),
        "ambiguous or unmatched": len(lost),
        "doubles": len(doubles),
        "puzzles": len(frame),
    }
    rejects = rejects[REJECT_COLUMNS].sort_values(["line", "reason"]).reset_index(drop=True)
    return Joined(frame.reset_index(drop=True), observed.targets, games, rejects, match)


def _first_attempts(rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The first game of each player on each puzzle; later ones, also on isomorphs, are doubles."""
    again = rows.duplicated(["key", "player"])
    games = rows.loc[~again, ["key", "player", "seconds", "completed"]].reset_index(drop=True)
    doubles = rows.loc[again, ["line", "puzzle"]].assign(reason="double: solved before by player")
    return games, doubles


def _one_a_key(rows: pd.DataFrame, observed: Observations) -> tuple[pd.DataFrame, pd.DataFrame]:
    """One row a key, and the lines that were merged or dropped."""
    again = rows.duplicated("key")
    doubles = rows.loc[again, ["line", "puzzle"]].assign(reason="double: merged with its isomorph")
    if observed.form == "labels":
        quarrel = rows.groupby("key")["label"].transform("nunique") > 1
        dropped = rows.loc[quarrel, ["line", "puzzle"]].assign(reason="double: labels differ")
        doubles = pd.concat([doubles, dropped]).drop_duplicates("line", keep="last")
        rows = rows[~quarrel]
    kept = rows.drop_duplicates("key")[["key"]].sort_values("key").reset_index(drop=True)
    kept["n"] = rows.groupby("key", sort=True)["n"].sum().to_numpy()
    for target in observed.targets:
        weight = rows["n"].where(rows[target].notna())
        sums = (rows[target] * weight).groupby(rows["key"], sort=True).sum(min_count=1)
        weights = weight.groupby(rows["key"], sort=True).sum(min_count=1)
        kept[target] = (sums / weights).to_numpy()
    return kept, doubles
