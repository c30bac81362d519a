"""A domain's formulas against each other: each must hold in worlds that the others give."""

from workers.engines.formula.draws import Draws, Worlds
from workers.engines.formula.network import Edge, Network
from workers.engines.formula.search import AGREES, close
from workers.engines.formula.template import Template
from workers.errors import ConfigError

WORLDS = 24
DRAWS = 480
SEED = 1


def check_formulas(template: Template) -> None:
    """ConfigError names a formula that disagrees with the others on random points, or says that
    the sample ranges hardly ever give a world."""
    worlds, draws = Worlds(template), Draws(SEED)
    found = 0
    for _ in range(DRAWS):
        values = worlds.draw(draws)
        if values is None:
            continue
        found += 1
        for edge in worlds.network.edges:
            _check(template, worlds.network, edge, values)
        if found == WORLDS:
            return
    what = f"of {DRAWS} draws from the samples only {found} are within the constraints"
    raise ConfigError(template.source, f"base: {what}")


def _check(template: Template, network: Network, edge: Edge, values: list[float]) -> None:
    wanted = values[edge.target]
    got = None
    for root in edge.roots:
        try:
            got = root(values)
        except (ArithmeticError, ValueError):
            continue
        if close(got, wanted, AGREES) or abs(got - wanted) < AGREES * _size(edge, values):
            return
    shown = ", ".join(f"{network.names[need]}={values[need]:g}" for need in edge.needs)
    found = "no value" if got is None else f"{got:g}"
    what = f"{network.text(edge)} gives {found}, the others {wanted:g} ({shown})"
    raise ConfigError(template.source, f"formula[{edge.number}]: {what}")


def _size(edge: Edge, values: list[float]) -> float:
    """The size of what a formula is made from: a difference of large numbers may be small."""
    return max((abs(values[need]) for need in edge.needs), default=0.0)
