"""The shortest derivation, with all its branches.

The goal is reached by the fewest formulas, of those by the least depth. Where a formula has
several roots, each is followed to its end, so that all answers are found which the constraints
allow. When no branch survives, the formula where the last one ended is set aside and the next
best derivation taken.
"""

from collections.abc import Generator

from workers.engines.formula.derivation import Derivation, shortest
from workers.engines.formula.network import Edge, Network, closure
from workers.engines.formula.search import (
    DONE,
    OUTSIDE,
    Answer,
    End,
    Event,
    Move,
    Search,
    Try,
    apply_rules,
)

LIMIT = 500
"""Evaluations for one task, after which it is given up."""


def best_search(
    network: Network, known: int, goals: tuple[int, ...], events: list[Event]
) -> Search:
    """Look for all answers of each goal by itself."""
    search = _Best(network, known, events)
    search.known, search.rules = yield from apply_rules(network, known, events)
    found = []
    for goal in goals:
        found.append((yield from search.goal(goal)))
    return search.end(found)


class _Best:
    """One search: what is known from givens and rules, and the counts."""

    def __init__(self, network: Network, known: int, events: list[Event]) -> None:
        self.network = network
        self.known = known
        self.events = events
        self.attempts = self.tried = self.failed = self.rules = self.rejected = 0
        self.derivations: list[Derivation | None] = []
        self.furthest = 0
        self.limited = False

    def end(self, found: list[bool]) -> End:
        chosen = {edge.number for one in self.derivations if one for edge in one.edges}
        return End(tuple(found), self.attempts, self.tried, self.failed,
                   max(len(chosen) - sum(map(bool, self.derivations)), 0), self.rules,
                   self.rejected, self.limited, tuple(self.derivations))  # fmt: skip

    def goal(self, place: int) -> Generator[Move, int, bool]:
        """Follow the best derivation that has a branch to its end; False when none has."""
        if self.known >> place & 1:
            self.events.append(Event("known", place))
            self.derivations.append(Derivation((), 0))
            yield Answer(place)
            return True
        banned: frozenset[int] = frozenset()
        while True:
            plan = shortest(self.network, self.known, place, banned)
            if plan is None or self.attempts >= LIMIT:
                reach = closure(self.network, self.known, banned)
                self.limited |= plan is not None or bool(reach >> place & 1)
                self.events.append(Event("no derivation", place))
                self.derivations.append(None)
                return False
            self.events.append(Event("derivation", place, None, plan.edges))
            self.tried += len(plan.edges)
            self.furthest = 0
            if (yield from self._branches(plan, 0, self.known)):
                self.derivations.append(plan)
                self.rules += sum(edge.rule for edge in plan.edges)
                return True
            self.failed += 1
            banned |= {plan.edges[self.furthest].number}

    def _branches(self, plan: Derivation, step: int, known: int) -> Generator[Move, int, int]:
        """Follow every root from a step on; how many branches reach the goal."""
        if step == len(plan.edges):
            yield Answer(plan.edges[-1].target)
            return 1
        self.furthest = max(self.furthest, step)
        edge = plan.edges[step]
        after = known | 1 << edge.target
        reached = 0
        for root in range(len(edge.roots)):
            if self.attempts >= LIMIT:
                break
            self.attempts += 1
            outcome = yield Try(edge, root, after, self._crossed(plan, edge, after))
            if outcome == DONE:
                reached += yield from self._branches(plan, step + 1, after)
            self.rejected += outcome == OUTSIDE
        return reached

    def _crossed(self, plan: Derivation, edge: Edge, known: int) -> tuple[Edge, ...]:
        """The formulas that join the branches of several formulas with roots: all whose
        variables are known with this one."""
        if sum(len(one.roots) > 1 for one in plan.edges) < 2:
            return ()
        bit = 1 << edge.target
        own = {one.number for one in plan.edges}
        return tuple(
            other
            for other in self.network.edges
            if other.number not in own
            and (other.mask | 1 << other.target) & bit
            and not (other.mask | 1 << other.target) & ~known
        )
