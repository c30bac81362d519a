"""The smallest sets of givens for each goal of a domain, with their derivations.

A set is minimal when the goal follows from it, as far as the formulas go, and from no part of it.
Its variables are free of each other, so that any values near those of a world agree.
All sets of a domain are looked at once, as numbers in one array: 2**16 at most.
"""

import functools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.formula.derivation import Derivation, shortest
from workers.engines.formula.freedom import independent
from workers.engines.formula.network import Network, mask_of
from workers.engines.formula.solve import network_of
from workers.engines.formula.template import Template

Sets = NDArray[np.int64]
MOST_GIVENS = 6


class Posing(NamedTuple):
    """A goal and a minimal set of givens, as places, with the shortest derivation."""

    goal: int
    givens: tuple[int, ...]
    derivation: Derivation
    idle: tuple[int, ...]  # variables that may be given too without being of any use


@functools.cache
def posings(template: Template) -> tuple[Posing, ...]:
    """Every goal with every minimal set of at most 6 givens, in the order of places."""
    network = network_of(template, ("",))
    reach = closures(network)
    posed = [place for place, one in enumerate(template.variables) if one.posed]
    found = []
    for goal in posed:
        for given in _minimal(reach, goal, mask_of(posed)).tolist():
            givens = tuple(_places(given))
            plan = shortest(network, given, goal) if independent(template, givens) else None
            if plan is not None:
                idle = tuple(one for one in _idle(reach, given, goal, posed)
                             if independent(template, (*givens, one)))  # fmt: skip
                found.append(Posing(goal, givens, plan, idle))
    return tuple(found)


def closures(network: Network) -> Sets:
    """For every set of variables, all that follows from it: (2**variables,) int64."""
    reach = np.arange(1 << len(network.names), dtype=np.int64)
    while True:
        before = reach.copy()
        for edge in network.edges:
            ready = (reach & edge.mask) == edge.mask
            reach |= ready.astype(np.int64) << edge.target
        if (reach == before).all():
            return reach


def _minimal(reach: Sets, goal: int, posed: int) -> Sets:
    """The minimal sets of a goal."""
    every = np.arange(len(reach), dtype=np.int64)
    given = every[(reach >> goal & 1 == 1) & (every >> goal & 1 == 0) & (every & ~posed == 0)]
    keep = np.ones(len(given), np.bool_)
    size = np.zeros(len(given), np.int64)
    for place in range(len(reach).bit_length() - 1):
        has = given >> place & 1 == 1
        size += has
        without = reach[given & ~(1 << place)] >> goal & 1 == 1
        keep &= ~(has & without)
    found: Sets = given[keep & (size <= MOST_GIVENS)]
    return found


def _idle(reach: Sets, given: int, goal: int, posed: list[int]) -> Iterator[int]:
    """Variables that do not follow from the givens and take the place of none of them."""
    for place in posed:
        bit = 1 << place
        if place == goal or reach[given] & bit:
            continue
        parts = [given & ~(1 << one) | bit for one in _places(given)]
        if not any(reach[part] >> goal & 1 for part in parts):
            yield place


def _places(given: int) -> Iterator[int]:
    while given:
        bit = given & -given
        yield bit.bit_length() - 1
        given ^= bit
