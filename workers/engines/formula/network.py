"""Which formula gives which variable from which others: the formulas of a task as a hypergraph.

A task that names x1 has a copy of the domain whose variables all carry the index 1; a task that
names x and x1 has two copies, joined by its rules only. Every variable has a place in one list of
values; a set of variables is a number whose bit `place` is 1. A rule is the only formula of its
left-hand name.
"""

import functools
from collections.abc import Iterable, Mapping, Sequence
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
