"""One task of a domain, and its text.

    uniform-acceleration data: xs=30 vs=10 astart=-9.8 rules: v=0 goals: x environment: t>0

A task has initial data (name = number), rules (name = expression, applied before the goals),
goals (names to find) and an environment (comparisons that must hold). Blanks may stand around
signs; what is left of them separates. A section that is empty is left out.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, NoReturn

from workers.engines.formula.expression import (
    FUNCTIONS,
    Node,
    format_expression,
    format_number,
    names,
)
from workers.engines.formula.faults import Fault
from workers.engines.formula.network import Rule
from workers.engines.formula.parser import ExpressionError, parse_expression
from workers.engines.formula.template import COMPARISON, SECTIONS, Comparison, Template, folded

LONGEST_TEXT = 2000
MOST_COPIES = 8
LARGEST = 1e100
HEAD = re.compile(rf"(?<!\S)(?:\[({'|'.join(SECTIONS)})\]|({'|'.join(SECTIONS)})[ \t]*:)")
GAP = re.compile(r"(?<![=<>+\-*/(,\s])\s+(?![=<>+\-*/),\s])|[;\n]+|,(?![^(]*\))")
SPACED = re.compile(r"[;,\n]|\s[=<>+\-*/),]|[=<>+\-*/(,]\s|[^\x00-\x7f]")
WORD = re.compile(r"\S+")
FIGURES = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
INDEXED = re.compile(r"([A-Za-z](?:_?[A-Za-z0-9])*?)(?<![0-9])([1-9][0-9]{0,2})?")
RULE_FUNCTIONS = {name: count for name, count in FUNCTIONS.items() if count == 1}
"""A comma separates in lists of tasks, so that rules do without it."""


class TaskError(Exception):
    """A text that is no task; args = (fault, sentence, position from 0 or None)."""

    @property
    def fault(self) -> Fault:
        found: Fault = self.args[0]
        return found

    @property
    def sentence(self) -> str:
        return str(self.args[1])

    @property
    def position(self) -> int | None:
        position: int | None = self.args[2]
        return position


class Task(NamedTuple):
    """A task as it was read; names are those of its text."""

    template: Template
    data: tuple[tuple[str, float], ...]
    rules: tuple[Rule, ...]
    goals: tuple[str, ...]
    environment: tuple[Comparison, ...]

    @property
    def indices(self) -> tuple[str, ...]:
        """Indices of the copies of the domain that are named, "" for none, in order."""
        used = [name for name, _ in self.data] + list(self.goals)
        for rule in self.rules:
            used += [rule.target, *names(rule.tree)]
        for one in self.environment:
            used += one.names
        found = {split_name(name)[1] for name in used}
        return tuple(sorted(found, key=lambda index: int(index or 0)))


class Statement(NamedTuple):
    """A piece of a section without blanks, and where each of its characters stood."""

    text: str
    positions: Sequence[int]

    def at(self, place: int) -> int:
        """Position of a character in the whole text."""
        return self.positions[min(place, len(self.positions) - 1)]


def split_name(name: str) -> tuple[str, str]:
    """The variable of the domain and the index: ("x", "1") for x1; ("", "") for no name."""
    found = INDEXED.fullmatch(name)
    return (found[1], found[2] or "") if found else ("", "")


def sections(text: str) -> dict[str, list[Statement]]:
    """The statements of each section of a text, unread; what stands before the first section
    belongs to `template`. Raises TaskError for a section that stands twice."""
    heads = list(HEAD.finditer(text))
    starts = [0, *(head.end() for head in heads)]
    ends = [*(head.start() for head in heads), len(text)]
    names_of = ["template", *((head[1] or head[2]) for head in heads)]
    found: dict[str, list[Statement]] = {}
    for name, start, end in zip(names_of, starts, ends, strict=True):
        pieces = list(_statements(text, start, end))
        if pieces and found.get(name):
            _fail(Fault.LINE, pieces[0].at(0), what=repr(pieces[0].text[:40]))
        found[name] = found.get(name) or pieces
    return found


def read_task(parts: dict[str, list[Statement]], template: Template) -> Task:
    """The task of these sections in a domain; TaskError says what is wrong, and where."""
    data = tuple(_data(parts.get("data", []), template))
    given = {name for name, _ in data}
    rules = tuple(_rules(parts.get("rules", []), template, given))
    goals = []
    for one in parts.get("goals", []):
        name = _variable(one, one.text, 0, template, Fault.UNKNOWN_NAME)
        if name in goals:
            _fail(Fault.LINE, one.at(0), what=f"{name!r}: a goal stands once")
        goals.append(name)
    if not goals:
        raise TaskError(Fault.NOT_SET, Fault.NOT_SET.says(what="the goal"), None)
    environment = tuple(_comparison(one, template) for one in parts.get("environment", []))
    task = Task(template, data, rules, tuple(goals), environment)
    if len(task.indices) > MOST_COPIES:
        what = f"more than {MOST_COPIES} different indices"
        raise TaskError(Fault.LINE, Fault.LINE.says(what=what), None)
    return task


def format_task(task: Task) -> str:
    """The text of a task in one line; `read_task` reads it as the same task."""
    parts = [task.template.id]
    if task.data:
        parts += ["data:", *(f"{name}={format_number(value)}" for name, value in task.data)]
    if task.rules:
        parts += ["rules:", *(f"{rule.target}={format_expression(rule.shown, '')}"
                              for rule in task.rules)]  # fmt: skip
    parts += ["goals:", *task.goals]
    if task.environment:
        parts += ["environment:", *(one.text for one in task.environment)]
    return " ".join(parts)


def _statements(text: str, start: int, end: int) -> Iterator[Statement]:
    if not SPACED.search(text, start, end):  # as `format_task` writes it
        for word in WORD.finditer(text, start, end):
            yield Statement(word[0], range(word.start(), word.end()))
        return
    for gap in GAP.finditer(text, start, end):
        yield from _statement(text, start, gap.start())
        start = gap.end()
    yield from _statement(text, start, end)


def _statement(text: str, start: int, end: int) -> Iterator[Statement]:
    kept = [place for place in range(start, end) if not text[place].isspace()]
    if kept:
        yield Statement("".join(text[place] for place in kept), tuple(kept))


def _fail(fault: Fault, position: int | None, **blanks: object) -> NoReturn:
    raise TaskError(fault, fault.says(**blanks), position)


def _variable(statement: Statement, name: str, place: int, template: Template, fault: Fault) -> str:
    """The name, when it is one of the domain's variables, indexed or not."""
    if split_name(name)[0] not in template.names:
        known = " ".join(template.names)
        _fail(fault, statement.at(place), name=repr(name[:40]), known=known)
    return name


def _data(statements: Sequence[Statement], template: Template) -> Iterator[tuple[str, float]]:
    seen: set[str] = set()
    for one in statements:
        name, equals, figures = one.text.partition("=")
        if not equals or not name:
            _fail(Fault.BAD_DATA, one.at(0), what=f"{one.text[:40]!r} is not name=number")
        _variable(one, name, 0, template, Fault.UNKNOWN_NAME)
        if name in seen:
            _fail(Fault.BAD_DATA, one.at(0), what=f"{name} is given twice")
        place = len(name) + 1
        if not FIGURES.fullmatch(figures):
            _fail(Fault.BAD_DATA, one.at(place), what=f"{figures[:40]!r} is no number")
        value = float(figures)
        if not abs(value) <= LARGEST:
            _fail(Fault.BAD_DATA, one.at(place), what=f"{figures[:40]} is too large")
        seen.add(name)
        yield name, value + 0.0  # no minus zero


def _rules(statements: Sequence[Statement], template: Template, given: set[str]) -> Iterator[Rule]:
    taken: set[str] = set()
    for one in statements:
        target, equals, right = one.text.partition("=")
        if not (equals and target and right) or re.search(r"[=<>]", right + target):
            _fail(Fault.RULE_FORM, one.at(0), what=repr(one.text[:40]))
        if not INDEXED.fullmatch(target):
            _fail(Fault.RULE_FORM, one.at(0), what=repr(one.text[:40]))
        _variable(one, target, 0, template, Fault.UNDEFINED_IN_RULES)
        if target in given:
            _fail(Fault.BAD_RULES, one.at(0), what=f"{target} is given and has a rule")
        if target in taken:
            _fail(Fault.BAD_RULES, one.at(0), what=f"{target} has two rules")
        place = len(target) + 1
        shown = _expression(one, place, right, template, Fault.BAD_RULES)
        if target in names(shown):
            _fail(Fault.RIGHT_IS_LEFT, one.at(place), name=target)
        taken.add(target)
        yield Rule(target, _folded(shown, template), shown)


def _expression(one: Statement, place: int, text: str, template: Template, fault: Fault) -> Node:
    try:
        tree = parse_expression(text, RULE_FUNCTIONS)
    except ExpressionError as wrong:
        _fail(fault, one.at(place + wrong.position), what=f"{text[:40]!r}: {wrong.what}")
    unknown = Fault.UNDEFINED_IN_RULES if fault is Fault.BAD_RULES else Fault.UNKNOWN_NAME
    for name in names(tree):
        if name not in template.constants:
            _variable(one, name, place, template, unknown)
    return tree


def _folded(tree: Node, template: Template) -> Node:
    return folded(tree, {name: one.value for name, one in template.constants.items()})


def _comparison(one: Statement, template: Template) -> Comparison:
    parts = COMPARISON.split(one.text)
    if len(parts) != 3 or not parts[0] or not parts[2] or "=" in parts[0] + parts[2]:
        _fail(Fault.LINE, one.at(0), what=repr(one.text[:40]))
    places = (0, len(parts[0]) + len(parts[1]))
    left, right = (
        _expression(one, place, text, template, Fault.LINE)
        for place, text in zip(places, parts[::2], strict=True)
    )
    shown = f"{format_expression(left, '')}{parts[1]}{format_expression(right, '')}"
    found = Comparison(_folded(left, template), parts[1], _folded(right, template), shown)
    if not found.names:
        _fail(Fault.LINE, one.at(0), what=f"{one.text[:40]!r}: compares no variable")
    return found
