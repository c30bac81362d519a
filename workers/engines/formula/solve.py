"""A task solved by one of the two searches: values, answers, faults; its journal on demand.

Networks and trees of moves are kept for tasks that differ in their numbers only.
"""

import functools
import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from workers.engines.formula.best import best_search
from workers.engines.formula.derivation import Derivation
from workers.engines.formula.expression import names
from workers.engines.formula.faults import Fault
from workers.engines.formula.network import Check, Network, Rule, closure, mask_of
from workers.engines.formula.pattern import Pattern, Walk
from workers.engines.formula.search import (
    BY_ZERO,
    ERROR,
    OUTSIDE,
    TOO_LARGE,
    UNDEFINED,
    Begin,
    Event,
    Try,
    close,
)
from workers.engines.formula.seed import seed_search
from workers.engines.formula.task import Task
from workers.engines.formula.template import Comparison, Template

ERRORS = {
    BY_ZERO: "division by zero",
    TOO_LARGE: "a number that is too large",
    UNDEFINED: "root, logarithm or angle of a number that has none",
}
SEARCHES: Mapping[str, Begin] = {"seed": seed_search, "best": best_search}


class Trouble(NamedTuple):
    """A fault or a remark on one goal or rule, with its sentence."""

    fault: Fault
    sentence: str


class Solved(NamedTuple):
    """What a search made of a task."""

    task: Task
    pattern: Pattern
    walk: Walk
    broken: Check | None  # a constraint that the givens break

    @property
    def answers(self) -> list[list[float]]:
        """The different answers to each goal, in the order in which they were found."""
        if self.broken is not None:
            return [[] for _ in self.pattern.goals]
        return [distinct(self.walk.answers.get(goal, [])) for goal in self.pattern.goals]

    @property
    def values(self) -> dict[str, float]:
        """All that is known in the branch of the first answer, by name."""
        pairs = zip(self.pattern.network.names, self.walk.values, strict=True)
        return {name: value for name, value in pairs if not math.isnan(value)}

    @property
    def events(self) -> list[Event]:
        """What the search said, in order."""
        return self.pattern.replayed(self.walk)


def solve(task: Task, search: str = "best", constrained: bool = True) -> Solved:
    """Solve a task by `seed` or `best`; `constrained` False leaves out every constraint."""
    pattern = pattern_of(task, search, constrained)
    walk = pattern.walk([value for _, value in task.data])
    return Solved(task, pattern, walk, pattern.broken(walk.values))


def pattern_of(task: Task, search: str, constrained: bool = True) -> Pattern:
    """The search for the goals of a task from givens of its names, whatever their values."""
    given = tuple([name for name, _ in task.data])
    return _pattern(
        task.template, given, task.rules, task.goals, task.environment, search, constrained
    )


@functools.lru_cache(maxsize=16384)
def _pattern(
    template: Template,
    given: tuple[str, ...],
    rules: tuple[Rule, ...],
    goals: tuple[str, ...],
    environment: tuple[Comparison, ...],
    search: str,
    constrained: bool,
) -> Pattern:
    blank = Task(template, tuple((name, 0.0) for name in given), rules, goals, environment)
    network = network_of(template, blank.indices, rules, environment, constrained)
    places = network.places
    return Pattern(
        network, [places[name] for name in given], [places[name] for name in goals],
        SEARCHES[search],
    )  # fmt: skip


@functools.lru_cache(maxsize=1024)
def network_of(
    template: Template,
    indices: tuple[str, ...],
    rules: tuple[Rule, ...] = (),
    environment: tuple[Comparison, ...] = (),
    constrained: bool = True,
) -> Network:
    """The network of these copies of a domain with these rules and this environment."""
    return Network(template, indices, rules, environment, constrained)


def distinct(values: list[float]) -> list[float]:
    """The values without those that differ from an earlier one by a share of 1e-9 at most."""
    if len(values) < 2:
        return values
    found: list[float] = []
    for value in values:
        if not any(close(value, other) for other in found):
            found.append(value)
    return found


def derivations(solved: Solved) -> list[Derivation]:
    """The derivations that search `best` followed for the goals that it found."""
    return [one for one in solved.walk.end.derivations if one is not None]


def troubles(solved: Solved) -> list[Trouble]:
    """Why goals were not found, or have several values; empty when all is well."""
    found: list[Trouble] = []
    if solved.broken is not None:
        first = next(name for name, _ in solved.task.data
                     if solved.broken.mask >> solved.pattern.network.places[name] & 1)  # fmt: skip
        return [_trouble(Fault.NO_VALUE, name=first, constraint=solved.broken.text)]
    for name, have, answers in zip(
        solved.task.goals, solved.walk.end.found, solved.answers, strict=True
    ):
        if not have:
            found.append(_why_not(solved, name))
        elif len(answers) > 1:
            found.append(_trouble(Fault.SEVERAL_VALUES, name=name))
    return found


def remarks(task: Task) -> list[Trouble]:
    """What is odd about a task, though it can be solved."""
    given = {name for name, _ in task.data}
    ruled = {rule.target for rule in task.rules}
    in_rules = {name for rule in task.rules for name in names(rule.tree)}
    tests: tuple[tuple[Fault, Callable[[str], bool]], ...] = (
        (Fault.GIVEN_AND_SOUGHT, given.__contains__),
        (Fault.SET_BY_RULE, ruled.__contains__),
        (Fault.SOUGHT_IN_RULE, in_rules.__contains__),
    )
    return [_trouble(fault, name=goal) for goal in task.goals for fault, holds in tests
            if holds(goal)]  # fmt: skip


def _why_not(solved: Solved, goal: str) -> Trouble:
    network = solved.pattern.network
    if solved.walk.end.limited:
        return _trouble(Fault.LIMIT, name=goal)
    known = mask_of(solved.pattern.given)
    if not closure(network, known) >> network.places[goal] & 1:
        return _unreachable(network, known, goal)
    return _rejected(solved, goal)


def _unreachable(network: Network, known: int, goal: str) -> Trouble:
    """Follow the first missing names down to one that nothing gives, or around a cycle."""
    reach = closure(network, known)
    path = [network.places[goal]]
    while True:
        edges = network.edges_of[path[-1]]
        if not edges:
            name = network.names[path[-1]]
            fault = Fault.NOT_FOUND if len(path) == 1 else Fault.USED_NOT_GIVEN
            return _trouble(fault, name=name)
        missing = next(need for need in edges[0].needs if not reach >> need & 1)
        if edges[0].rule:
            return _trouble(Fault.RIGHT_NOT_FOUND, name=network.names[missing],
                            target=network.names[path[-1]])  # fmt: skip
        if missing in path:
            circle = [*path[path.index(missing) :], missing]
            return _trouble(Fault.CYCLE, chain=" > ".join(network.names[one] for one in circle))
        path.append(missing)


def _rejected(solved: Solved, goal: str) -> Trouble:
    """The last value on the way to a goal that a constraint rejected; else the last error."""
    network = solved.pattern.network
    found: dict[int, Trouble] = {}
    trail = iter(solved.walk.trail)
    for event in solved.events:
        if event.code in ("goal", "derivation") and event.place == network.places[goal]:
            found = {}
        if event.code != "try":
            continue
        _, outcome, which = next(trail)
        move: Try = event.others[0]
        name = network.names[event.place]
        if outcome == OUTSIDE:
            found[OUTSIDE] = _outside(network, move, which, name)
        elif outcome == ERROR:
            found[ERROR] = _trouble(Fault.EVALUATION, name=name, what=error_words(move, which))
    default = _trouble(Fault.NOT_FOUND, name=goal)
    return found.get(OUTSIDE) or found.get(ERROR) or default


def _outside(network: Network, move: Try, which: int, name: str) -> Trouble:
    checks = network.checks_for(move.edge.target, move.known)
    if which < len(checks):
        return _trouble(Fault.NO_VALUE, name=name, constraint=checks[which].text)
    formula = network.text(move.crossed[which - len(checks)])
    return _trouble(Fault.CONTRADICTION, name=name, formula=formula)


def error_words(move: Try, sort: int) -> str:
    """Why an evaluation has no value."""
    return f"{ERRORS[sort]} in {move.edge.texts[move.root]}"


def _trouble(fault: Fault, **blanks: object) -> Trouble:
    return Trouble(fault, fault.says(**blanks))


def indices_used(task: Task) -> int:
    """How many different indices the names of a task carry."""
    return sum(bool(index) for index in task.indices)
