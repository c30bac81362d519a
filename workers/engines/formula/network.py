"""Which formula gives which variable from which others: the formulas of a task as a hypergraph.

A task that names x1 has a copy of the domain whose variables all carry the index 1; a task that
names x and x1 has two copies, joined by its rules only. Every variable has a place in one list of
values; a set of variables is a number whose bit `place` is 1. A rule is the only formula of its
left-hand name.
"""

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from workers.engines.formula.code import Function, Test, compiled, compiled_test
from workers.engines.formula.expression import (
    Node,
    format_expression,
    names,
    nonlinear_operations,
    renamed,
)
from workers.engines.formula.template import Comparison, Formula, Template

MOST_CHOICES = 20_000
MOST_FORMULAS = 16
"""Of a derivation; longer ones are not looked for."""


class Rule(NamedTuple):
    """`target = expression`, which replaces the domain's formulas for its target."""

    target: str
    tree: Node  # with numbers in place of constants
    shown: Node


class Edge(NamedTuple):
    """A formula between places."""

    number: int
    target: int
    needs: tuple[int, ...]  # in the order of their first appearance
    mask: int  # the needs as a set
    roots: tuple[Function, ...]
    texts: tuple[str, ...]  # right-hand side of every root
    rule: bool
    nonlinear: int


class Check(NamedTuple):
    """A comparison that holds or not as soon as its variables are known."""

    mask: int
    holds: Test
    text: str


class Network:
    """All variables, formulas and constraints of a task."""

    def __init__(
        self,
        template: Template,
        indices: Sequence[str],
        rules: Sequence[Rule] = (),
        environment: Sequence[Comparison] = (),
        constrained: bool = True,
    ) -> None:
        self.template = template
        self.names = tuple(name + index for index in indices for name in template.names)
        self.places = {name: place for place, name in enumerate(self.names)}
        self.rules = [self._rule_edge(number, rule) for number, rule in enumerate(rules)]
        ruled = {edge.target for edge in self.rules}
        self.edges = list(self.rules)
        for offset, index in zip(self._offsets(indices), indices, strict=True):
            for number, formula in enumerate(template.formulas):
                if offset + template.names.index(formula.target) not in ruled:
                    self.edges.append(
                        _edge(template, number, formula, index, offset, len(self.edges))
                    )
        self.edges_of = [
            tuple(edge for edge in self.edges if edge.target == place)
            for place in range(len(self.names))
        ]
        own = [_constraint(template, one, index, offset)
               for offset, index in zip(self._offsets(indices), indices, strict=True)
               for one in range(len(template.constraints))]  # fmt: skip
        own += [_check(one, self.places) for one in environment]
        self.checks = own if constrained else []

    def _offsets(self, indices: Sequence[str]) -> range:
        size = len(self.template.names)
        return range(0, size * len(indices), size)

    def _rule_edge(self, number: int, rule: Rule) -> Edge:
        needs = tuple(self.places[name] for name in names(rule.tree))
        return Edge(number, self.places[rule.target], needs, mask_of(needs),
                    (compiled(rule.tree, self.places),), (format_expression(rule.shown),), True,
                    nonlinear_operations(rule.tree))  # fmt: skip

    def checks_for(self, place: int, known: int) -> tuple[Check, ...]:
        """The constraints on a variable that can be checked when `known` (with it) are known."""
        bit = 1 << place
        return tuple(check for check in self.checks if check.mask & bit and not check.mask & ~known)

    def text(self, edge: Edge, root: int | None = None) -> str:
        """`x = xs + vs*t`, of one root or of all."""
        texts = edge.texts if root is None else edge.texts[root : root + 1]
        return f"{self.names[edge.target]} = {' or '.join(texts)}"


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


def mask_of(places: Iterable[int]) -> int:
    """The set of places as a number."""
    return functools.reduce(int.__or__, (1 << place for place in places), 0)


def closure(network: Network, known: int, banned: frozenset[int] = frozenset()) -> int:
    """All that can be derived from `known` without the banned edges, as far as formulas go."""
    before = -1
    while before != known:
        before = known
        for edge in network.edges:
            if not edge.mask & ~known and edge.number not in banned:
                known |= 1 << edge.target
    return known


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


@functools.lru_cache(maxsize=4096)
def _code(template: Template, number: int, root: int, offset: int) -> Function:
    """A formula as a function, compiled once for each copy of its domain."""
    places = {name: offset + place for place, name in enumerate(template.names)}
    return compiled(template.formulas[number].trees[root], places)


def _edge(
    template: Template, number: int, formula: Formula, index: str, offset: int, edge_number: int
) -> Edge:
    places = {name: offset + place for place, name in enumerate(template.names)}
    needs = tuple(places[name] for name in formula.needs)
    roots = range(len(formula.trees))
    new = {name: name + index for name in template.names}
    return Edge(
        edge_number,
        places[formula.target],
        needs,
        mask_of(needs),
        tuple(_code(template, number, root, offset) for root in roots),
        tuple(format_expression(renamed(tree, new)) for tree in formula.shown),
        False,
        nonlinear_operations(formula.trees[0]),
    )


@functools.lru_cache(maxsize=1024)
def _constraint(template: Template, number: int, index: str, offset: int) -> Check:
    one = template.constraints[number]
    places = {name: offset + place for place, name in enumerate(template.names)}
    new = {name: name + index for name in template.names}
    text = one.text
    if index:
        left, right = renamed(one.left, new), renamed(one.right, new)
        text = f"{format_expression(left)} {one.sign} {format_expression(right)}"
    return _check(one._replace(text=text), places)


def _check(one: Comparison, places: Mapping[str, int]) -> Check:
    mask = mask_of(places[name] for name in one.names)
    return Check(mask, compiled_test(one.left, one.sign, one.right, places), one.text)
