"""The document's search: depth first, the first missing name becomes the auxiliary task.

A formula of the goal is attempted; when a name in it is not known, that name is looked for first
by the same means, then the formula is attempted again. Every attempt is one iteration. Three
things differ from the document, which logs them at most: a value outside its constraint is
dropped and the next root or formula tried; a name that is being looked for already is a cycle,
named, and ends the formula; and when nothing is left, the last root chosen among several is
taken back.
"""

from collections.abc import Generator

from workers.engines.formula.network import Edge, Network
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

LIMIT = 2000
"""Attempts for one task, after which it is given up."""
Part = Generator[Move, int, bool]


def seed_search(
    network: Network, known: int, goals: tuple[int, ...], events: list[Event]
) -> Search:
    """Look for the goals in order; what one finds is known to the next."""
    search = _Seed(network, known, events)
    search.known, search.rules = yield from apply_rules(network, known, events)
    found = []
    for goal in goals:
        if search.known >> goal & 1:
            events.append(Event("known", goal))
            have = True
        else:
            events.append(Event("goal", goal))
            have = yield from search.goal(goal)
        if have:
            yield Answer(goal)
        found.append(have)
    return search.end(found)


class _Seed:
    """One search: what is known, what was chosen, and the counts."""

    def __init__(self, network: Network, known: int, events: list[Event]) -> None:
        self.network = network
        self.known = known
        self.events = events
        self.attempts = self.tried = self.failed = self.auxiliary = 0
        self.rules = self.rejected = 0
        self.limited = False
        self.chosen: list[tuple[Edge, int]] = []  # values in the order in which they were found
        self.next_root: dict[int, int] = {}  # edge -> root to begin with

    def end(self, found: list[bool]) -> End:
        return End(tuple(found), self.attempts, self.tried, self.failed, self.auxiliary,
                   self.rules, self.rejected, self.limited)  # fmt: skip

    def goal(self, place: int) -> Part:
        """Look for a goal, taking back choices of roots until there is none left."""
        first = len(self.chosen)
        while True:
            if (yield from self._task(place, ())):
                return True
            if self.limited or not self._take_back(first):
                return False

    def _take_back(self, first: int) -> bool:
        """Undo all from the last choice among several roots on, and begin with its next root."""
        while len(self.chosen) > first:
            edge, root = self.chosen.pop()
            self.known &= ~(1 << edge.target)
            if root + 1 < len(edge.roots):
                self.next_root[edge.number] = root + 1
                self.events.append(Event("back", edge.target, edge, (root,)))
                return True
            self.next_root.pop(edge.number, None)
        return False

    def _task(self, place: int, chain: tuple[int, ...]) -> Part:
        if chain:
            self.auxiliary += 1
            self.events.append(Event("auxiliary", place, None, chain))
        open_names = (*chain, place)
        if not self.network.edges_of[place]:
            self.events.append(Event("no formula", place))
        for edge in self.network.edges_of[place]:
            self.tried += 1
            ready = yield from self._prepared(edge, open_names)
            if ready and (yield from self._evaluated(edge)):
                return True
            self.failed += 1
            if self.limited:
                return False
        return False

    def _prepared(self, edge: Edge, open_names: tuple[int, ...]) -> Part:
        """Attempt a formula until all its names are known; False when one cannot be found."""
        while True:
            if not self._counted():
                return False
            missing = next((need for need in edge.needs if not self.known >> need & 1), None)
            if missing is None:
                return True
            if missing in open_names:
                at = open_names.index(missing)
                self.events.append(Event("cycle", missing, edge, (*open_names[at:], missing)))
                return False
            self.events.append(Event("missing", missing, edge))
            if not (yield from self._task(missing, open_names)):
                self.events.append(Event("gives up", edge.target, edge, (missing,)))
                return False

    def _evaluated(self, edge: Edge) -> Part:
        known = self.known | 1 << edge.target
        start = self.next_root.pop(edge.number, 0)
        for root in range(start, len(edge.roots)):
            if root > start and not self._counted():
                return False
            outcome = yield Try(edge, root, known)
            if outcome == DONE:
                self.known = known
                self.chosen.append((edge, root))
                self.rules += edge.rule
                return True
            self.rejected += outcome == OUTSIDE
        return False

    def _counted(self) -> bool:
        """Count an attempt; False when there were too many."""
        if self.attempts >= LIMIT:
            if not self.limited:
                self.events.append(Event("limit"))
            self.limited = True
            return False
        self.attempts += 1
        return True
