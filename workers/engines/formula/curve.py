"""A found formula over the range of a given: the graph window of the document.

The derivation of the answer is evaluated again with other values of one given, all others as they
are, along the roots that led to the answer. Where it has no value, or one that a constraint
rejects, the curve has a gap.
"""

import math
from typing import NamedTuple

from workers.engines.formula.network import Edge, Network
from workers.engines.formula.search import DONE, Try
from workers.engines.formula.solve import Solved, solve
from workers.engines.formula.task import Task, split_name
from workers.errors import ParamsError, PuzzleStateError

POINTS = 241


class Curve(NamedTuple):
    """Values of `name` over `over`; NaN where there is none."""

    name: str
    over: str
    formula: str  # the last one of the derivation
    inputs: list[float]
    values: list[float]
    at: tuple[float, float]  # the given and the answer of the task itself


def curve(task: Task, name: str, over: str | None = None, points: int = POINTS) -> Curve:
    """The curve of `name` over a given (the first that is used, when None).

    Raises ParamsError when `over` is no given that is used, PuzzleStateError when `name` has no
    value.
    """
    if split_name(name)[0] not in task.template.names:
        raise ParamsError("plot", f"{name!r} is none of {' '.join(task.template.names)}")
    solved = solve(task._replace(goals=(name,)), "best")
    if not solved.answers[0]:
        raise PuzzleStateError(name, "has no value to plot")
    steps = _steps(solved)
    network = solved.pattern.network
    given = [one for one, _ in task.data]
    used = [one for one in given if any(network.places[one] in edge.needs for edge, _ in steps)]
    chosen = over or next(iter(used), None)
    if chosen not in used:
        listed = " ".join(used) or "none"
        raise ParamsError("over", f"{over or name!r}: {name} depends on no such given ({listed})")
    values = list(solved.walk.values)
    place = network.places[chosen]
    at = (values[place], values[network.places[name]])
    inputs = _range(task, chosen, at[0], points)
    found = [_value(network, steps, values, (place, one)) for one in inputs]
    return Curve(name, chosen, network.text(*steps[-1]), inputs, found, at)


def _steps(solved: Solved) -> list[tuple[Edge, int]]:
    """The formulas and roots that led to the first answer, in order."""
    taken: dict[int, tuple[Edge, int]] = {}
    trail = iter(solved.walk.trail)
    for event in solved.events:
        if event.code == "answer":
            break
        if event.code == "try":
            move: Try = event.others[0]
            taken.pop(event.place, None)
            if next(trail)[1] == DONE:
                taken[event.place] = (move.edge, move.root)
    return list(taken.values())


def _range(task: Task, name: str, value: float, points: int) -> list[float]:
    """The sample range of a variable, widened to hold the value; else around the value."""
    variable = task.template.variables[task.template.names.index(split_name(name)[0])]
    least, most = variable.sample or (value - (abs(value) or 1), value + (abs(value) or 1))
    least, most = min(least, value), max(most, value)
    step = (most - least) / (points - 1)
    return [least + step * number for number in range(points)]


def _value(
    network: Network, steps: list[tuple[Edge, int]], values: list[float], given: tuple[int, float]
) -> float:
    values[given[0]] = given[1]
    try:
        for edge, root in steps:
            values[edge.target] = edge.roots[root](values)
        known = 0
        for place, value in enumerate(values):
            known |= (not math.isnan(value)) << place
        for check in network.checks:
            if not check.mask & ~known and not check.holds(values):
                return math.nan
    except (ArithmeticError, ValueError):
        return math.nan
    answer = values[steps[-1][0].target]
    return answer if math.isfinite(answer) else math.nan
