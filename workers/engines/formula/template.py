"""A subject domain: its variables, formulas and constraints.

A name of a variable ends in no digit, because digits at the end are an index: x1 is a copy of x.
Constants are numbers with a name; indices pass them by. A formula gives its target from other
variables; one with several roots gives several candidates, of which constraints choose.
"""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct

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

LANGUAGES = ("en", "de", "fr")
"""Languages that every domain speaks."""
SECTIONS = ("template", "data", "rules", "goals", "environment")
VARIABLE = re.compile(r"[A-Za-z](?:_?[A-Za-z0-9])*(?<![0-9])")
Word = Annotated[str, Meta(min_length=1, max_length=40)]
Text = Annotated[str, Meta(min_length=1, max_length=500)]
COMPARISON = re.compile(r"(>=|<=|>|<)")


class Comparison(NamedTuple):
    """Two expressions and a sign of comparison between them, as folded trees, and their text."""

    left: Node
    sign: str
    right: Node
    text: str
    stated: bool = False  # worth saying in words

    @property
    def names(self) -> tuple[str, ...]:
        """Variables on both sides."""
        return tuple(dict.fromkeys((*names(self.left), *names(self.right))))


class Variable(NamedTuple):
    """A quantity of the domain."""

    name: str
    unit: str
    sample: tuple[float, float] | None  # where values are drawn, for a variable of the base
    decimals: int
    posed: bool  # given or sought in generated tasks
    texts: Mapping[str, str]  # language -> what it is, with its article


class Formula(NamedTuple):
    """One way to a variable; `trees` have numbers in place of constants, `shown` their names."""

    target: str
    trees: tuple[Node, ...]
    shown: tuple[Node, ...]

    @property
    def needs(self) -> tuple[str, ...]:
        """Variables of all roots, in the order of their first appearance."""
        return tuple(dict.fromkeys(name for tree in self.trees for name in names(tree)))

    @property
    def text(self) -> str:
        """`t = (v - vs)/astart`; roots are separated by `or`."""
        return f"{self.target} = {' or '.join(map(format_expression, self.shown))}"


@dataclass(frozen=True, eq=False)
class Template:
    """A checked domain; two are equal when they are the same object."""

    id: str
    version: int
    variables: tuple[Variable, ...]
    constants: Mapping[str, "Constant"]
    formulas: tuple[Formula, ...]
    constraints: tuple[Comparison, ...]
    base: tuple[str, ...]
    texts: Mapping[str, "Situation"]
    examples: tuple["Example", ...]
    source: str

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the variables, in their order."""
        return tuple(variable.name for variable in self.variables)


class Constant(Struct, frozen=True, forbid_unknown_fields=True):
    """A number with a name."""

    value: float
    unit: Word = "1"


class Situation(Struct, frozen=True, forbid_unknown_fields=True):
    """A domain in one language."""

    title: Text
    situation: Text


class Example(Struct, frozen=True, forbid_unknown_fields=True):
    """A worked example: a task, and what comes out (None: no value that the constraints allow)."""

    data: dict[str, float]
    goals: list[Word]
    answers: dict[str, float | Literal["none"]]
    rules: list[Word] = []
    environment: list[Word] = []
    source: str = ""


def folded(tree: Node, constants: Mapping[str, float]) -> Node:
    """The tree with numbers in place of the names of constants."""
    match tree:
        case Name(name, _) if name in constants:
            return Number(float(constants[name]))
        case Negation(operand):
            return Negation(folded(operand, constants))
        case Binary(sign, left, right):
            return Binary(sign, folded(left, constants), folded(right, constants))
        case Call(function, arguments):
            return Call(function, tuple(folded(one, constants) for one in arguments))
    return tree
