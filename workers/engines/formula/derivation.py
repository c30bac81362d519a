"""The shortest derivation of a goal: which formulas, in which order."""

import functools
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from workers.engines.formula.network import Edge, Network, closure, mask_of

MOST_CHOICES = 20_000
MOST_FORMULAS = 16
"""Of a derivation; longer ones are not looked for."""


class Derivation(NamedTuple):
    """Formulas in the order in which they can be evaluated, the last one gives the goal."""

    edges: tuple[Edge, ...]
    depth: int  # formulas of the longest chain

    @property
    def nonlinear(self) -> int:
        """Operations beyond sums and products by a constant."""
        return sum(edge.nonlinear for edge in self.edges)

    @property
    def used(self) -> int:
        """The set of variables on the right-hand sides."""
        return functools.reduce(int.__or__, (edge.mask for edge in self.edges), 0)


@functools.lru_cache(maxsize=16384)
def shortest(
    network: Network, known: int, goal: int, banned: frozenset[int] = frozenset()
) -> Derivation | None:
    """The derivation of `goal` with the fewest formulas, of those the one of least depth.

    Ties go to the formulas that stand first. `banned` are numbers of edges that must not be used;
    None when no derivation of at most 16 formulas is left, or none was found among 20,000 choices.
    """
    reach = closure(network, known, banned)
    if not reach >> goal & 1:
        return None
    most = min((reach & ~known).bit_count(), MOST_FORMULAS)
    given = _Given(known, reach, banned, [MOST_CHOICES])
    for size in range(1, most + 1):
        best: Derivation | None = None
        for chosen in _choices(network, given, 1 << goal, {}, size):
            found = _ordered(network, known, chosen)
            if found is not None and (best is None or found.depth < best.depth):
                best = found
        if best is not None:
            return best
    return None


class _Given(NamedTuple):
    """What a derivation starts from, and how many more choices may be looked at."""

    known: int
    reach: int
    banned: frozenset[int]
    left: list[int]


def _choices(
    network: Network,
    given: _Given,
    pending: int,
    chosen: Mapping[int, Edge],
    size: int,
) -> Iterator[Mapping[int, Edge]]:
    """Every choice of one formula for each variable that is needed, at most `size` of them."""
    if len(chosen) + pending.bit_count() > size or not given.left[0]:
        return
    given.left[0] -= 1
    if not pending:
        yield chosen
        return
    known, reach, banned, _ = given
    place = (pending & -pending).bit_length() - 1
    for edge in network.edges_of[place]:
        if edge.mask & ~reach or edge.number in banned or _circular(chosen, edge):
            continue
        more = {**chosen, place: edge}
        left = (pending | (edge.mask & ~known & ~mask_of(more))) & ~(1 << place)
        yield from _choices(network, given, left, more, size)


def _circular(chosen: Mapping[int, Edge], edge: Edge) -> bool:
    """True when the formula needs what is made from its own target."""
    wanted = edge.mask
    looked = 0
    while True:
        if wanted >> edge.target & 1:
            return True
        left = wanted & ~looked
        if not left:
            return False
        place = (left & -left).bit_length() - 1
        looked |= 1 << place
        if place in chosen:
            wanted |= chosen[place].mask


def _ordered(network: Network, known: int, chosen: Mapping[int, Edge]) -> Derivation | None:
    """The chosen formulas in an order in which each finds its variables; None for a circle."""
    depth: dict[int, int] = {}
    ordered: list[Edge] = []
    have = known
    while len(ordered) < len(chosen):
        ready = [edge for place, edge in chosen.items()
                 if place not in depth and not edge.mask & ~have]  # fmt: skip
        if not ready:
            return None
        for edge in sorted(ready, key=lambda edge: edge.target):
            depth[edge.target] = 1 + max((depth.get(need, 0) for need in edge.needs), default=0)
            ordered.append(edge)
        have |= mask_of(edge.target for edge in ready)
    return Derivation(tuple(ordered), max(depth.values(), default=0))
