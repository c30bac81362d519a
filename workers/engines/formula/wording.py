"""A task in words: English, German, French, and any language a domain brings phrases for.

The sentences are the same for all domains; what the quantities are called stands in the domain.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from workers.engines.formula.expression import format_expression, format_number
from workers.engines.formula.task import Task, split_name
from workers.engines.formula.template import Variable


class Phrases(NamedTuple):
    """The fixed words of a language."""

    given: str
    sought: str
    rule: str
    condition: str
    copy: str  # of an indexed copy of the domain
    joint: str
    point: str  # between whole and decimal digits
    comma: str  # between parts, where a comma may stand in numbers
    colon: str


PHRASES: Mapping[str, Phrases] = {
    "en": Phrases("Given", "Find", "Besides", "Condition", "case {index}", " and ", ".", ", ", ":"),
    "de": Phrases("Gegeben", "Gesucht", "Außerdem gilt", "Bedingung", "Fall {index}", " und ",
                  ",", "; ", ":"),
    "fr": Phrases("On donne", "On cherche", "De plus", "Condition", "cas {index}", " et ", ",",
                  " ; ", " :"),
}  # fmt: skip
"""Language -> its words."""
UNITS = {"1": "", "ohm": "Ω", "currency": "€"}
"""Units that readers know by another sign."""


def wording(task: Task, language: str = "en") -> str:
    """The task as a text of a few sentences in one of `LANGUAGES`."""
    words = PHRASES[language]
    sentences = [task.template.texts[language].situation]
    if task.data:
        given = (f"{_called(task, name, language)} = {_number(value, words)}{_unit(task, name)}"
                 for name, value in task.data)  # fmt: skip
        sentences.append(f"{words.given}{words.colon} {_listed(given, words)}.")
    if task.rules:
        rules = (f"{rule.target} = {format_expression(rule.shown)}" for rule in task.rules)
        sentences.append(f"{words.rule}{words.colon} {_listed(rules, words)}.")
    goals = (_called(task, name, language) for name in task.goals)
    sentences.append(f"{words.sought}{words.colon} {_listed(goals, words)}.")
    conditions = [*_constraints(task), *(one.text for one in task.environment)]
    if conditions:
        sentences.append(f"{words.condition}{words.colon} {_listed(conditions, words)}.")
    return " ".join(sentences)


def _constraints(task: Task) -> list[str]:
    """What the domain demands of a goal, where it is worth saying."""
    return [one.text for one in task.template.constraints
            if one.stated and len(one.names) == 1 and one.names[0] in task.goals]  # fmt: skip


def _listed(parts: Iterable[str], words: Phrases) -> str:
    """`a, b and c`."""
    listed = list(parts)
    return words.joint.join(filter(None, (words.comma.join(listed[:-1]), listed[-1])))


def _called(task: Task, name: str, language: str) -> str:
    """What a variable is, and its name: `the final position x`, with the case of a copy."""
    base, index = split_name(name)
    text = _by_name(task, base).texts[language]
    case = f" ({PHRASES[language].copy.format(index=index)})" if index else ""
    return f"{text}{case} {name}"


def _by_name(task: Task, base: str) -> Variable:
    return task.template.variables[task.template.names.index(base)]


def _unit(task: Task, name: str) -> str:
    unit = _by_name(task, split_name(name)[0]).unit
    shown = UNITS.get(unit, unit.replace("**2", "²").replace("**3", "³").replace("*", "·"))
    return f" {shown}" if shown else ""


def _number(value: float, words: Phrases) -> str:
    """A number in the language's way of writing it."""
    text = format_number(value)
    if "e" in text:
        digits, _, power = text.partition("e")
        text = f"{digits}·10^{int(power)}"
    return text.replace(".", words.point).replace("-", "−")
