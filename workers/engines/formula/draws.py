"""Random numbers for generators, and hidden worlds drawn with them.

A hidden world has values of all variables of a domain that agree with every formula: the base is
drawn within the sample ranges, in the decimals of each variable, and all others follow from it by
the shortest derivations. A draw that a constraint rejects is no world.
"""

import math
from collections.abc import Sequence

import numpy as np

from workers.engines.formula.code import Function
from workers.engines.formula.derivation import shortest
from workers.engines.formula.network import Network, mask_of
from workers.engines.formula.template import Template
from workers.errors import ConfigError

BLOCK = 2048
SCALE = 2.0**-53


class Draws:
    """Uniform numbers from a seed: those of NumPy's PCG64, whose words are the same everywhere."""

    def __init__(self, seed: int) -> None:
        self._source = np.random.PCG64(seed)
        self._left: list[float] = []

    def uniform(self) -> float:
        """A number from 0 to below 1."""
        if not self._left:
            words = self._source.random_raw(BLOCK)
            self._left = ((words >> np.uint64(11)).astype(np.float64) * SCALE).tolist()
        return self._left.pop()

    def below(self, bound: int) -> int:
        """A whole number from 0 to bound - 1."""
        return int(self.uniform() * bound)

    def between(self, bounds: tuple[int, int]) -> int:
        """A whole number within bounds, both included."""
        return bounds[0] + self.below(bounds[1] - bounds[0] + 1)


class Worlds:
    """Draws hidden worlds of a domain."""

    def __init__(self, template: Template) -> None:
        self.network = Network(template, ("",))
        places = self.network.places
        known = mask_of(places[name] for name in template.base)
        by_name = {one.name: one for one in template.variables}
        self._base = [(places[name], *(by_name[name].sample or (0.0, 0.0)), by_name[name].decimals)
                      for name in template.base]  # fmt: skip
        self.base = [places[name] for name in template.base]
        self._order = _order(self.network, known, template)

    def draw(self, draws: Draws) -> list[float] | None:
        """The values of all variables by place, or None where a constraint rejects the draw."""
        values = [math.nan] * len(self.network.names)
        for place, least, most, decimals in self._base:
            values[place] = round(least + draws.uniform() * (most - least), decimals)
        try:
            for place, function in self._order:
                values[place] = function(values)
            for check in self.network.checks:
                if not check.holds(values):
                    return None
        except (ArithmeticError, ValueError):
            return None
        return values if all(map(math.isfinite, values)) else None

    def derived(self, values: Sequence[float], place: int, value: float) -> list[float]:
        """The values of all variables when one of the base has another value; NaN where there is
        none."""
        found = list(values)
        found[place] = value
        try:
            for target, function in self._order:
                found[target] = function(found)
        except (ArithmeticError, ValueError):
            return [math.nan] * len(found)
        return found


def _order(network: Network, known: int, template: Template) -> list[tuple[int, Function]]:
    """Every variable outside the base with the formula that gives it, in order."""
    found: list[tuple[int, Function]] = []
    for place, name in enumerate(network.names):
        if known >> place & 1:
            continue
        plan = shortest(network, known, place)
        if plan is None:
            raise ConfigError(template.source, f"base: {name} does not follow from it")
        for edge in plan.edges:
            if len(edge.roots) > 1:
                what = f"{name} follows from it only by several roots"
                raise ConfigError(template.source, f"base: {what}")
            found.append((edge.target, edge.roots[0]))
            known |= 1 << edge.target
    return found
