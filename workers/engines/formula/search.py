"""The moves of a search and their outcomes.

A search is a generator that yields moves and is sent outcomes; it says what it does as events.
`pattern` carries it out.
"""

from collections.abc import Callable, Generator
from typing import Any, NamedTuple, TypeAlias

from workers.engines.formula.network import Edge, Network

DONE, ERROR, OUTSIDE = range(3)
"""Outcomes: a value; no value; a value that a constraint rejects."""
BY_ZERO, TOO_LARGE, UNDEFINED = range(3)
"""Sorts of errors: of the last a root, a logarithm or an angle that does not exist."""
SAME = 1e-9
"""Relative difference below which two values are one."""
AGREES = 1e-6
"""The same for a value and a formula of the domain that gives it too."""


class Try(NamedTuple):
    """Evaluate a root of a formula; `known` are the variables known after it, with its target."""

    edge: Edge
    root: int
    known: int
    crossed: tuple[Edge, ...] = ()  # formulas that must give the same value


class Answer(NamedTuple):
    """Take the value of a goal as one of its answers; its outcome is always DONE."""

    goal: int


class Event(NamedTuple):
    """Something a search says of itself; `edge`, `root` and `names` as the code needs them."""

    code: str
    place: int = -1
    edge: Edge | None = None
    others: tuple[Any, ...] = ()


class End(NamedTuple):
    """How a search ended: counts, and for every goal whether it was found."""

    found: tuple[bool, ...]
    attempts: int = 0  # evaluations tried or begun: the document's iterations
    tried: int = 0  # formulas
    failed: int = 0  # formulas that gave nothing
    auxiliary: int = 0  # auxiliary tasks
    rules: int = 0
    rejected: int = 0  # values outside a constraint
    limited: bool = False  # the limit of attempts was reached
    derivations: tuple[Any, ...] = ()  # of each goal, where the search plans


Move: TypeAlias = Try | Answer
Search: TypeAlias = Generator[Move, int, End]
Begin: TypeAlias = Callable[[Network, int, tuple[int, ...], "list[Event]"], Search]


def apply_rules(
    network: Network, known: int, events: list[Event]
) -> Generator[Move, int, tuple[int, int]]:
    """Evaluate the rules whose right-hand names are known, until none is left: before all goals.

    Returns what is known then, and how many rules were applied.
    """
    waiting, applied = list(network.rules), 0
    while True:
        ready = next((edge for edge in waiting if not edge.mask & ~known), None)
        if ready is None:
            return known, applied
        waiting.remove(ready)
        events.append(Event("rule", ready.target, ready))
        applied += 1
        after = known | 1 << ready.target
        if (yield Try(ready, 0, after)) == DONE:
            known = after


def close(one: float, other: float, tolerance: float = SAME) -> bool:
    """True when two values differ by less than a share of the larger one."""
    return abs(one - other) <= tolerance * max(abs(one), abs(other))
