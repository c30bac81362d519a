"""How much work a task is, and whether it has one answer.

The grade is that of the shortest derivation. Its score adds points for what makes a derivation
long, deep or uncertain; levels are ranges of the score.
"""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from workers.engines.formula.expression import format_number
from workers.engines.formula.network import mask_of
from workers.engines.formula.solve import Solved, derivations, distinct, indices_used, troubles
from workers.engines.formula.task import Task

POINTS = {
    "formulas": 10,
    "depth": 5,
    "nonlinear": 2,
    "branchings": 6,
    "rejected": 4,
    "distractors": 3,
    "rules_used": 3,
    "indices_used": 4,
}
"""Points for one of each."""
LEVELS = (("easy", 24), ("medium", 48), ("hard", 72), ("expert", 96), ("extreme", None))
"""Level -> the first score beyond it."""
DIGITS = 10


class Verdict(NamedTuple):
    """The answers of a task by both searches together."""

    answers: int  # 0, 1, 2 for more: of the goal with fewest, then with most
    values: tuple[float, ...]  # first value of every goal that was found
    solution: str | None  # found goals with their values; None without any
    reason: str | None  # None exactly with one answer


class Grade(NamedTuple):
    """What the shortest derivation of a task with one answer is made of."""

    score: int
    level: str
    formulas: int
    depth: int
    auxiliary_tasks: int
    branchings: int
    rejected: int
    nonlinear: int
    distractors: int
    rules_used: int
    indices_used: int


def judged(task: Task, best: Solved, seed: Solved) -> Verdict:
    """How many answers a task has: values of both searches count, as far as they differ."""
    merged = [distinct([*of_best, *of_seed])
              for of_best, of_seed in zip(best.answers, seed.answers, strict=True)]  # fmt: skip
    found = [(name, values[0]) for name, values in zip(task.goals, merged, strict=True) if values]
    fewest, most = min(map(len, merged)), max(map(len, merged))
    answers = 0 if fewest == 0 else min(most, 2)
    return Verdict(
        answers,
        tuple(value for _, value in found),
        solution_text(found),
        None if answers == 1 else _reason(task, merged, best),
    )


def solution_text(found: Sequence[tuple[str, float]]) -> str | None:
    """`x=35.10204082 t=1.020408163`: ten digits; None when nothing was found."""
    shown = [f"{name}={format_number(float(f'{value:.{DIGITS}g}'))}" for name, value in found]
    return " ".join(shown) or None


def graded(task: Task, best: Solved) -> Grade:
    """The grade of a task, from its shortest derivation; zeros for one that needs none."""
    plans = derivations(best)
    edges = {edge.number: edge for plan in plans for edge in plan.edges}.values()
    end = best.walk.end
    goals = {best.pattern.network.places[goal] for goal in task.goals}
    parts = {
        "formulas": len(edges),
        "depth": max((plan.depth for plan in plans), default=0),
        "nonlinear": sum(edge.nonlinear for edge in edges),
        "branchings": sum(len(edge.roots) > 1 for edge in edges),
        "rejected": end.rejected,
        "distractors": _idle(best),
        "rules_used": end.rules,
        "indices_used": indices_used(task),
    }
    score = sum(POINTS[name] * number for name, number in parts.items())
    level = next(name for name, beyond in LEVELS if beyond is None or score < beyond)
    auxiliary = sum(edge.target not in goals for edge in edges)
    return Grade(score=score, level=level, auxiliary_tasks=auxiliary, **parts)


def _idle(best: Solved) -> int:
    """Givens that neither a derivation nor a rule uses, and no goal is."""
    network = best.pattern.network
    used = mask_of(best.pattern.goals)
    for edge in chain(network.rules, *(plan.edges for plan in derivations(best))):
        used |= edge.mask
    return (mask_of(best.pattern.given) & ~used).bit_count()


def _reason(task: Task, merged: Sequence[Sequence[float]], best: Solved) -> str:
    """The first fault of the shortest derivation, or which goal has several values."""
    for one in troubles(best):
        return one.sentence
    several = next((name for name, values in zip(task.goals, merged, strict=True)
                    if len(values) > 1), task.goals[0])  # fmt: skip
    return f"several values for {several}"
