"""The tree of moves that solving walks.

How a search goes on depends on the outcomes of its evaluations only, not on the values. So what it
does for one set of names of givens is kept as a tree: a node is a move, a branch an outcome. The
tree grows where a walk comes first; after that a task of the same names costs its evaluations and
little else. What happened is told by running the search again along the outcomes of a walk.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from workers.engines.formula.code import Function, Test
from workers.engines.formula.network import Check, Edge, Network, mask_of
from workers.engines.formula.search import (
    AGREES,
    BY_ZERO,
    DONE,
    ERROR,
    OUTSIDE,
    TOO_LARGE,
    UNDEFINED,
    Answer,
    Begin,
    End,
    Event,
    Search,
    Try,
)

NOTHING = 1e-9
"""Share of the numbers in a formula below which a difference is nothing."""


class Walk(NamedTuple):
    """What came of one task: the end, values and outcomes of all evaluations, answers."""

    end: End
    trail: list[tuple[float, int, int]]  # value, outcome, and what said no: see `_evaluated`
    answers: dict[int, list[float]]  # goal -> its answers, in order
    values: list[float]  # of all variables in the branches of the first answers, NaN where unknown


class Node:
    """A move, and what follows from each outcome."""

    __slots__ = ("after", "call", "crossed", "end", "goal", "place", "tests")

    def __init__(self) -> None:
        self.end: End | None = None
        self.goal = -1
        self.place = -1
        self.call: Function = _nothing
        self.tests: tuple[Test, ...] = ()
        self.crossed: tuple[Edge, ...] = ()
        self.after: list[Node | None] = [None, None, None]


class Pattern:
    """A search for goals from givens of certain names, whatever their values."""

    def __init__(
        self, network: Network, given: Sequence[int], goals: Sequence[int], begin: Begin
    ) -> None:
        self.network = network
        self.given = tuple(given)
        have = mask_of(given)
        self._given_checks = [check for check in network.checks if not check.mask & ~have]
        self.goals = tuple(goals)
        self.journals: dict[Any, list[list[Any]]] = {}
        """What `journal` keeps for each way of a walk."""
        self._begin = begin
        self._blank = [math.nan] * len(network.names)
        self._start = _Growing(self, ()).first

    def walk(self, data: Sequence[float]) -> Walk:
        """Solve the task whose givens have these values, in the order of `given`."""
        values = self._blank.copy()
        for place, value in zip(self.given, data, strict=True):
            values[place] = value
        first: list[list[float]] = []
        trail: list[tuple[float, int, int]] = []
        answers: dict[int, list[float]] = {}
        path: list[int] = []
        node, growing = self._start, None
        while node.end is None:
            outcome = DONE
            if node.goal >= 0:
                if node.goal not in answers:
                    first.append(values.copy())
                answers.setdefault(node.goal, []).append(values[node.goal])
            else:
                value, outcome, which = _evaluated(node, values)
                trail.append((value, outcome, which))
            path.append(outcome)
            after = node.after[outcome]
            if after is None:  # from here on every node is new
                growing = growing or _Growing(self, path[:-1])
                after = node.after[outcome] = growing.node(outcome)
            node = after
        return Walk(node.end, trail, answers, _merged(first or [values]))

    def broken(self, values: Sequence[float]) -> Check | None:
        """The first constraint that the givens among `values` break by themselves."""
        for check in self._given_checks:
            try:
                if check.holds(values):
                    continue
            except (ArithmeticError, ValueError):
                pass
            return check
        return None

    def begun(self, events: list[Event]) -> Search:
        """The search from its start, which says what it does to `events`."""
        return self._begin(self.network, mask_of(self.given), self.goals, events)

    def replayed(self, walk: Walk) -> list[Event]:
        """What the search said along a walk; an event `try` stands for every evaluation."""
        events: list[Event] = []
        search = self.begun(events)
        outcomes = iter([outcome for _, outcome, _ in walk.trail])
        try:
            move = next(search)
            while True:
                if isinstance(move, Try):
                    events.append(Event("try", move.edge.target, move.edge, (move,)))
                    move = search.send(next(outcomes))
                else:
                    events.append(Event("answer", move.goal))
                    move = search.send(DONE)
        except StopIteration:
            return events


class _Growing:
    """A search that runs along a path of outcomes and on, giving a node for each further one."""

    def __init__(self, pattern: Pattern, path: Sequence[int]) -> None:
        self._network = pattern.network
        self._search = pattern.begun([])
        self.first = self.node(None)
        for outcome in path:
            self._search.send(outcome)

    def node(self, outcome: int | None) -> Node:
        """The node after an outcome; the first one after none."""
        node = Node()
        try:
            move = next(self._search) if outcome is None else self._search.send(outcome)
        except StopIteration as stop:
            node.end = stop.value
            return node
        if isinstance(move, Answer):
            node.goal = move.goal
            return node
        node.call = move.edge.roots[move.root]
        node.place = move.edge.target
        checks = self._network.checks_for(node.place, move.known)
        node.tests = tuple(check.holds for check in checks)
        node.crossed = move.crossed
        return node


def _evaluated(node: Node, values: list[float]) -> tuple[float, int, int]:
    """Value, outcome and what said no: a test's number, and after the tests a formula's; of an
    error its sort."""
    try:
        value = node.call(values)
    except ZeroDivisionError:
        return math.nan, ERROR, BY_ZERO
    except OverflowError:
        return math.nan, ERROR, TOO_LARGE
    except ValueError:
        return math.nan, ERROR, UNDEFINED
    if value - value != 0.0:  # an infinity
        return math.nan, ERROR, TOO_LARGE
    values[node.place] = value
    which = _objection(node, values)
    if which < 0:
        return value, DONE, -1
    values[node.place] = math.nan
    return value, OUTSIDE, which


def _objection(node: Node, values: list[float]) -> int:
    """The number of the first constraint or formula that says no to the new value, or -1."""
    which = 0
    try:
        for test in node.tests:
            if not test(values):
                return which
            which += 1
    except (ArithmeticError, ValueError):
        return which
    for edge in node.crossed:
        if not _agrees(edge, values):
            return which
        which += 1
    return -1


def _merged(branches: list[list[float]]) -> list[float]:
    """What is known in the first branch, and what the others know beside it."""
    found = branches[0]
    for other in branches[1:]:
        found = [two if math.isnan(one) else one for one, two in zip(found, other, strict=True)]
    return found


def _agrees(edge: Edge, values: list[float]) -> bool:
    """True when a root of the formula gives the value that its target has.

    A difference of large numbers may be small: what is too little beside them counts as nothing.
    """
    wanted = values[edge.target]
    least = NOTHING * max([abs(values[need]) for need in edge.needs], default=0.0)
    for root in edge.roots:
        try:
            found = root(values)
        except (ArithmeticError, ValueError):
            continue
        if abs(found - wanted) <= max(AGREES * abs(wanted), least):
            return True
    return False


def _nothing(values: Sequence[float]) -> float:
    return math.nan
