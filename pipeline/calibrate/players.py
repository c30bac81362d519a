"""Typical times of puzzles from the games of many players: crossed random effects.

    ln(seconds) = mean + player + puzzle + rest,  player ~ N(0, a), puzzle ~ N(0, b), rest ~ N(0, e)

Variances by restricted maximum likelihood, effects as best linear unbiased predictions, both from
Henderson's mixed model equations (1950), which cost the cube of players + puzzles and not of games.
A puzzle that few solved is drawn to the mean; unfinished games are left out.
"""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pipeline.calibrate.extra import need
from workers.errors import UsageError

Floats = NDArray[np.float64]
LEAST_GAMES = 10


class Crossed(NamedTuple):
    """A fitted model of games."""

    mean: float
    puzzles: pd.Series  # effect by key, in ln(seconds)
    players: pd.Series  # effect by player
    variances: dict[str, float]  # player, puzzle, rest
    games: int

    def seconds(self) -> pd.Series:
        """Time of a typical player for each puzzle, by key."""
        times: pd.Series = np.exp(self.mean + self.puzzles)
        return times


class _Equations(NamedTuple):
    """Sums of the games that the likelihood needs."""

    products: Floats  # of the design [1, players, puzzles] with itself
    right: Floats  # of the design with ln(seconds)
    squares: float
    games: int
    players: int


def crossed_effects(games: pd.DataFrame) -> Crossed:
    """Fit columns key, player, seconds, completed; UsageError when there are too few games."""
    done = games[games["completed"].astype(bool)]
    players, who = np.unique(done["player"].to_numpy(str), return_inverse=True)
    keys, which = np.unique(done["key"].to_numpy(str), return_inverse=True)
    if len(done) < LEAST_GAMES or len(players) < 2 or len(keys) < 2:
        what = f"{len(done)} finished games of {len(players)} players on {len(keys)} puzzles"
        raise UsageError("observations", f"{what} are too few for a model of players")
    logs = np.log(done["seconds"].to_numpy(np.float64))
    equations = _equations(logs, who, which, len(players), len(keys))
    ratios = _best_ratios(equations)
    solution, rest, _ = _solved(equations, ratios)
    effects = solution[1:]
    variances = {"player": rest * ratios[0], "puzzle": rest * ratios[1], "rest": rest}
    return Crossed(
        mean=float(solution[0]),
        puzzles=pd.Series(effects[len(players) :], index=keys),
        players=pd.Series(effects[: len(players)], index=players),
        variances={name: float(value) for name, value in variances.items()},
        games=len(done),
    )


def _equations(logs: Floats, who: Any, which: Any, players: int, puzzles: int) -> _Equations:
    size = 1 + players + puzzles
    products, right = np.zeros((size, size)), np.zeros(size)
    places = (np.zeros(len(logs), np.int64), 1 + who, 1 + players + which)
    for one in places:
        np.add.at(right, one, logs)
        for other in places:
            np.add.at(products, (one, other), 1.0)
    return _Equations(products, right, float(logs @ logs), len(logs), players)


def _system(equations: _Equations, ratios: Floats) -> Floats:
    """Henderson's matrix for variances in units of the rest's."""
    matrix = equations.products.copy()
    size, players = len(matrix), equations.players
    penalty = np.repeat(1 / ratios, [players, size - 1 - players])
    matrix[np.arange(1, size), np.arange(1, size)] += penalty
    return matrix


def _solved(equations: _Equations, ratios: Floats) -> tuple[Floats, float, float]:
    """Mean and effects, the variance of the rest, and the logarithm of the determinant."""
    linalg = need("scipy.linalg")
    factor = linalg.cho_factor(_system(equations, ratios))
    solution: Floats = linalg.cho_solve(factor, equations.right)
    explained = float(solution @ equations.right)
    rest = (equations.squares - explained) / (equations.games - 1)
    return solution, rest, 2 * float(np.log(np.diag(factor[0])).sum())


def _criterion(logs: Floats, equations: _Equations) -> float:
    """Minus twice the restricted log-likelihood, up to a constant."""
    _, rest, logdet = _solved(equations, np.exp(logs))
    players = equations.players
    counts = np.array([players, len(equations.right) - 1 - players])
    return float((equations.games - 1) * np.log(max(rest, 1e-300)) + logdet + counts @ logs)


def _best_ratios(equations: _Equations) -> Floats:
    optimize = need("scipy.optimize")
    found = optimize.minimize(_criterion, np.zeros(2), args=(equations,), method="L-BFGS-B",
                              bounds=[(-12.0, 12.0)] * 2)  # fmt: skip
    ratios: Floats = np.exp(found.x)
    return ratios
