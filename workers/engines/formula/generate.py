"""Tasks made to order: a hidden world, a goal, a minimal set of givens, distractors.

A draw is kept when the task, read anew with its rounded givens, has exactly one answer, found by
a derivation of the wanted size and depth, and near the hidden world's. The document's search must
come to the same answer. Draws follow one another from one seed, so that equal seeds give equal
tasks.
"""

import functools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from workers.engines.formula.draws import Draws, Worlds
from workers.engines.formula.freedom import independent
from workers.engines.formula.minimal import Posing, Sets, closures, posings
from workers.engines.formula.network import mask_of
from workers.engines.formula.search import close
from workers.engines.formula.solve import Solved, network_of, solve
from workers.engines.formula.task import Task
from workers.engines.formula.template import Template
from workers.errors import BudgetError, ParamsError

Span = tuple[int, int]
Sizes = tuple[tuple[Posing, ...], ...]
NEAR = 0.02
"""How far rounded givens may move the answer: beyond, the task is too sensitive to be posed."""
SMALLEST = 1e-6


class Order(NamedTuple):
    """What is wanted: fewest and most formulas, depth and distractors."""

    templates: tuple[Template, ...]
    formulas: Span
    depth: Span
    distractors: Span = (0, 0)
    constraint: bool | None = None  # whether a constraint must be needed to choose the answer
    attempts: int = 10_000


class Made(NamedTuple):
    """A task and both searches' results."""

    task: Task
    best: Solved
    seed: Solved


def made_tasks(seed: int, count: int, order: Order) -> Iterator[Made]:
    """`count` tasks as ordered; equal arguments give equal tasks.

    Raises ParamsError when no domain has such derivations, BudgetError when an order is so rare
    that the attempts ran out.
    """
    draws = Draws(seed)
    menu = [(one, sizes) for one in order.templates if (sizes := _sizes(one, order))]
    if not menu:
        raise ParamsError("formulas", _none_such(order))
    for _ in range(count):
        for _ in range(order.attempts):
            made = _drawn(draws, menu, order)
            if made is not None:
                yield made
                break
        else:
            raise BudgetError("the order is too rare", f"{order.attempts} draws gave no task")


def _sizes(template: Template, order: Order) -> Sizes:
    return _fitting(template, order.formulas, order.depth, order.distractors[0])


@functools.lru_cache(maxsize=256)
def _fitting(template: Template, formulas: Span, depth: Span, idle: int) -> Sizes:
    """The posings of a domain that fit an order, by the number of their formulas."""
    by_size: dict[int, list[Posing]] = {}
    for one in posings(template):
        size = len(one.derivation.edges)
        fits = formulas[0] <= size <= formulas[1] and depth[0] <= one.derivation.depth <= depth[1]
        if fits and len(one.idle) >= idle:
            by_size.setdefault(size, []).append(one)
    return tuple(tuple(by_size[size]) for size in sorted(by_size))


def _none_such(order: Order) -> str:
    known = sorted({(len(one.derivation.edges), one.derivation.depth)
                    for template in order.templates for one in posings(template)})  # fmt: skip
    listed = ", ".join(f"{size} of depth {depth}" for size, depth in known)
    return f"no derivation fits, or none with so many distractors (there are {listed})"


def _drawn(draws: Draws, menu: Sequence[tuple[Template, Sizes]], order: Order) -> Made | None:
    """One draw; None where it does not fit."""
    template, sizes = menu[draws.below(len(menu))]
    same = sizes[draws.below(len(sizes))]
    posing = same[draws.below(len(same))]
    values = _worlds(template).draw(draws)
    idle = _distractors(draws, template, posing, draws.between(order.distractors))
    if values is None or len(idle) < order.distractors[0]:
        return None
    variables = template.variables
    data = tuple(
        (variables[place].name, round(values[place], variables[place].decimals) + 0.0)
        for place in sorted((*posing.givens, *idle))
    )
    task = Task(template, data, (), (variables[posing.goal].name,), ())
    return _kept(task, posing, values[posing.goal], order)


def _kept(task: Task, posing: Posing, hidden: float, order: Order) -> Made | None:
    """The task with its results, when it is as ordered and has one answer."""
    best = solve(task, "best")
    (answers,) = best.answers
    if len(answers) != 1 or abs(answers[0]) < SMALLEST or not close(answers[0], hidden, NEAR):
        return None
    derivation = best.walk.end.derivations[0]
    size, depth = len(posing.derivation.edges), posing.derivation.depth
    if (len(derivation.edges), derivation.depth) != (size, depth):
        return None
    idle = mask_of(best.pattern.given) & ~mask_of(posing.givens)
    if derivation.used & idle:  # another derivation of the same size
        return None
    if order.constraint is not None and order.constraint != constraint_needed(best):
        return None
    seed = solve(task, "seed")
    if not seed.walk.end.limited and not _same(seed.answers[0], answers[0]):
        return None
    return Made(task, best, seed)


def _same(found: Sequence[float], answer: float) -> bool:
    return len(found) == 1 and close(found[0], answer)


def constraint_needed(best: Solved) -> bool:
    """True when a task with one answer has several without its constraints."""
    if not best.walk.end.rejected:
        return False
    free = solve(best.task, "best", constrained=False)
    return any(len(answers) > 1 for answers in free.answers)


def _distractors(draws: Draws, template: Template, posing: Posing, wanted: int) -> tuple[int, ...]:
    """Up to `wanted` variables that are of no use, alone or together."""
    left: list[int] = list(posing.idle)
    taken: list[int] = []
    reach = _closures(template)
    while left and len(taken) < wanted:
        one = left.pop(draws.below(len(left)))
        every = (*posing.givens, *taken, one)
        if independent(template, every) and _useless(reach, posing, [*taken, one]):
            taken.append(one)
    return tuple(taken)


def _useless(reach: Sets, posing: Posing, idle: Sequence[int]) -> bool:
    """True when no given and none of these follows from the others, and all givens are needed."""
    every = mask_of((*posing.givens, *idle))
    for place in (*posing.givens, *idle):
        rest = int(reach[every & ~(1 << place)])
        if rest >> place & 1 or (place in posing.givens and rest >> posing.goal & 1):
            return False
    return True


@functools.cache
def _closures(template: Template) -> Sets:
    return closures(network_of(template, ("",)))


@functools.cache
def _worlds(template: Template) -> Worlds:
    return Worlds(template)
