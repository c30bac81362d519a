"""Formula tasks against an independent route: many digits, and formulas that were not used."""

from collections.abc import Iterator, Mapping
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workers.engines.formula.code import compiled
from workers.engines.formula.expression import (
    Binary,
    Call,
    Name,
    Negation,
    Node,
    Number,
    format_expression,
    names,
)
from workers.engines.formula.generate import Made, Order, made_tasks
from workers.engines.formula.parser import parse_expression
from workers.engines.formula.shipped import shipped_names, template_named
from workers.engines.formula.solve import solve
from workers.engines.formula.task import Task
from workers.engines.formula.template import Template

DOMAINS = tuple(found for name in shipped_names() if (found := template_named(name)))
DIGITS = 40
CLOSE = mpmath.mpf(10) ** -9
SIGNS: Mapping[str, Any] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": lambda a, b: mpmath.power(a, b),
}


def precise(node: Node, values: Mapping[str, Any]) -> Any:
    """The value of an expression with 40 digits, straight from the tree."""
    match node:
        case Number(value):
            return mpmath.pi if value == float(mpmath.pi) else mpmath.mpf(value)
        case Name(name, _):
            return values[name]
        case Negation(operand):
            return -precise(operand, values)
        case Call("abs", (one,)):
            return abs(precise(one, values))
        case Call(function, arguments):
            return getattr(mpmath, function)(*(precise(one, values) for one in arguments))
        case Binary(sign, left, right):
            return SIGNS[sign](precise(left, values), precise(right, values))


def residuals(template: Template, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """For every formula whose variables are all known, how far its nearest root is off, as a
    share of the largest number in it."""
    for formula in template.formulas:
        if not {formula.target, *formula.needs} <= set(values):
            continue
        wanted = values[formula.target]
        size = max(abs(values[name]) for name in (formula.target, *formula.needs))
        found = []
        for tree in formula.trees:
            try:
                value = precise(tree, values)
            except (ZeroDivisionError, ValueError):
                continue
            if mpmath.im(value) == 0:
                found.append(abs(value - wanted))
        if found:
            yield formula.text, min(found) / max(abs(wanted), size * mpmath.mpf(10) ** -6)


def solved_again(task: Task, derivation: Any) -> dict[str, Any]:
    """The world of a task with 40 digits: givens, then the formulas of its derivation, every root
    tried until all formulas of the domain agree."""
    template = task.template
    worlds = [{name: mpmath.mpf(repr(value)) for name, value in task.data}]
    for edge in derivation.edges:
        formula = next(one for one in template.formulas
                       if one.target == template.names[edge.target]
                       and tuple(map(format_expression, one.shown)) == edge.texts)  # fmt: skip
        worlds = [{**world, formula.target: precise(tree, world)}
                  for world in worlds for tree in formula.trees]  # fmt: skip
    real = [world for world in worlds if all(mpmath.im(value) == 0 for value in world.values())]
    allowed = [world for world in real if all(
        holds(one.left, one.sign, one.right, world) for one in template.constraints
        if set(one.names) <= set(world)
    )]  # fmt: skip
    agreeing = [world for world in allowed
                if all(off < CLOSE for _, off in residuals(template, world))]  # fmt: skip
    return agreeing[0] if agreeing else {}


def holds(left: Node, sign: str, right: Node, world: Mapping[str, Any]) -> bool:
    difference = precise(left, world) - precise(right, world)
    return bool({">": difference > 0, ">=": difference >= 0, "<": difference < 0,
                 "<=": difference <= 0}[sign])  # fmt: skip


def check(made: Made) -> None:
    """The answer is that of a world with 40 digits in which every formula of the domain holds to
    1e-9, and no given that is used can be dropped."""
    task, derivation = made.task, made.best.walk.end.derivations[0]
    goal = task.goals[0]
    (answer,) = made.best.answers[0]
    with mpmath.workdps(DIGITS):
        world = solved_again(task, derivation)
        assert world, task
        assert abs(world[goal] - answer) <= CLOSE * abs(answer), (task.data, goal)
    used = {task.template.names[need] for edge in derivation.edges for need in edge.needs}
    for place, (name, _) in enumerate(task.data):
        rest = task._replace(data=task.data[:place] + task.data[place + 1 :])
        assert bool(solve(rest).answers[0]) is (name not in used), (task.data, name)


def test_generated_tasks_hold_to_many_digits_and_are_minimal() -> None:
    order = Order(DOMAINS, (1, 8), (1, 8), (0, 2))
    for made in made_tasks(7, 150, order):
        check(made)


@pytest.mark.slow
def test_ten_thousand_generated_tasks_hold_to_many_digits_and_are_minimal() -> None:
    order = Order(DOMAINS, (1, 8), (1, 8), (0, 2))
    for made in made_tasks(20261201, 10_000, order):
        check(made)


LEAVES = st.one_of(
    st.sampled_from(["x", "y", "z"]).map(lambda name: Name(name, 0)),
    st.integers(1, 800).map(lambda eighths: eighths / 16).map(Number),
)


def branches(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    return st.one_of(
        st.builds(Binary, st.sampled_from("+-*/"), children, children),
        st.builds(Negation, children),
        st.builds(lambda one: Call("sqrt", (one,)), children),
        st.builds(lambda one: Call("sin", (one,)), children),
        st.builds(lambda one, power: Binary("**", one, Number(power)), children,
                  st.sampled_from([2.0, 3.0, -1.0, 0.5])),
    )  # fmt: skip


def settled(node: Node) -> Node:
    """The node as a parser gives it: minus a number is a number."""
    return parse_expression(format_expression(node))


@settings(max_examples=150, deadline=None, database=None)
@given(st.recursive(LEAVES, branches, max_leaves=12))
def test_any_tree_survives_its_text_and_computes_as_with_many_digits(tree: Node) -> None:
    text = format_expression(tree)
    read = parse_expression(text)
    assert format_expression(read) == format_expression(settled(read))
    places = {"x": 0, "y": 1, "z": 2}
    values = [1.5, -2.25, 3.75]
    try:
        found = compiled(tree, places)(values)
    except (ArithmeticError, ValueError):
        return
    assert compiled(read, places)(values) == pytest.approx(found, rel=1e-12, nan_ok=True)
    assert set(names(read)) == set(names(tree))
