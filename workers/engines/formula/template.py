"""A subject domain: its variables, formulas and constraints, read from a TOML table and checked.

A name of a variable ends in no digit, because digits at the end are an index: x1 is a copy of x.
Constants are numbers with a name; indices pass them by. A formula gives its target from other
variables; one with several `roots` gives several candidates, of which constraints choose. What is
wrong is refused as ConfigError(file, "key: reason").
"""

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from workers.engines.formula.code import COMPARISONS
from workers.engines.formula.expression import (
    FUNCTIONS,
    NAMED_NUMBERS,
    Binary,
    Call,
    ExpressionError,
    Name,
    Negation,
    Node,
    Number,
    format_expression,
    names,
    parse_expression,
)
from workers.errors import ConfigError

MOST_VARIABLES = 16
LANGUAGES = ("en", "de", "fr")
"""Languages that every domain speaks."""
SECTIONS = ("template", "data", "rules", "goals", "environment")
VARIABLE = re.compile(r"[A-Za-z](?:_?[A-Za-z0-9])*(?<![0-9])")
COMPARISON = re.compile(r"(>=|<=|>|<)")
Word = Annotated[str, Meta(min_length=1, max_length=40)]
Text = Annotated[str, Meta(min_length=1, max_length=500)]
Bounds = tuple[float, float]
MOST_ROOTS = 4


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


class RawVariable(Struct, frozen=True, forbid_unknown_fields=True):
    """`[[variable]]` of a file."""

    name: Word
    text: dict[str, Text]
    unit: Word = "1"
    sample: Bounds | None = None
    decimals: Annotated[int, Meta(ge=0, le=12)] = 2
    domain: list[Word] = []
    posed: bool = True


class RawFormula(Struct, frozen=True, forbid_unknown_fields=True):
    """`[[formula]]` of a file: `expression`, or `roots`."""

    target: Word
    expression: str | None = None
    roots: Annotated[list[str], Meta(max_length=MOST_ROOTS)] = []


class RawTemplate(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole file."""

    id: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{0,31}$")]
    version: Annotated[int, Meta(ge=1)]
    base: Annotated[list[Word], Meta(min_length=1)]
    variable: Annotated[list[RawVariable], Meta(min_length=1, max_length=MOST_VARIABLES)]
    formula: Annotated[list[RawFormula], Meta(min_length=1, max_length=200)]
    text: dict[str, Situation]
    schema: Literal[1] = 1
    constants: dict[str, Constant] = {}
    constraints: list[Word] = []
    example: list[Example] = []


def template_from_table(table: Mapping[str, Any], source: str | Path) -> Template:
    """The domain in a table, as read from a TOML file; ConfigError names file, key and reason.

    Units and the agreement of the formulas are for `soundness.check_template`.
    """
    try:
        raw = msgspec.convert(dict(table), RawTemplate)
    except msgspec.ValidationError as wrong:
        what, _, where = str(wrong).partition(" - at `$")
        raise ConfigError(source, f"{where.strip('.`') or 'file'}: {what}") from None
    return _Reading(raw, str(source)).template()


class _Reading:
    """One file while it is checked."""

    def __init__(self, raw: RawTemplate, source: str) -> None:
        self.raw = raw
        self.source = source
        self.known = [variable.name for variable in raw.variable]

    def refuse(self, key: str, reason: str) -> ConfigError:
        return ConfigError(self.source, f"{key}: {reason}")

    def template(self) -> Template:
        raw = self.raw
        self._check_names()
        self._check_languages()
        return Template(
            raw.id,
            raw.version,
            tuple(map(_variable, raw.variable)),
            raw.constants,
            tuple(self._formulas()),
            tuple(self._constraints()),
            self._base(),
            raw.text,
            tuple(raw.example),
            self.source,
        )

    def _check_names(self) -> None:
        taken = {*FUNCTIONS, *NAMED_NUMBERS, *SECTIONS}
        keys = [f"variable[{n}].name" for n in range(len(self.known))]
        every = [*zip(keys, self.known, strict=True)]
        every += [(f"constants.{name}", name) for name in self.raw.constants]
        for key, name in every:
            if not VARIABLE.fullmatch(name):
                raise self.refuse(key, f"{name!r} is no name: letters and digits, no digit at "
                                  "the end")  # fmt: skip
            if name in taken:
                raise self.refuse(key, f"{name!r} is taken")
            taken.add(name)

    def _check_languages(self) -> None:
        texts: list[tuple[str, Mapping[str, Any]]] = [("text", self.raw.text)]
        texts += [(f"variable[{n}].text", one.text) for n, one in enumerate(self.raw.variable)]
        for key, by_language in texts:
            for language in LANGUAGES:
                if language not in by_language:
                    raise self.refuse(f"{key}.{language}", "missing")

    def _formulas(self) -> Iterable[Formula]:
        for number, raw in enumerate(self.raw.formula):
            key = f"formula[{number}]"
            if raw.target not in self.known:
                raise self.refuse(f"{key}.target", f"{raw.target!r} is no variable")
            if (raw.expression is None) == (not raw.roots):
                raise self.refuse(key, "give expression, or roots")
            shown = [
                self._tree(f"{key}.{name}", text, target=raw.target)
                for name, text in (
                    [("expression", raw.expression)]
                    if raw.expression is not None
                    else [(f"roots[{n}]", root) for n, root in enumerate(raw.roots)]
                )
            ]
            yield Formula(raw.target, tuple(map(self._folded, shown)), tuple(shown))

    def _tree(self, key: str, text: str, target: str | None = None) -> Node:
        try:
            tree = parse_expression(text)
        except ExpressionError as wrong:
            raise self.refuse(key, f"{wrong.what} (column {wrong.position + 1})") from None
        for name in names(tree):
            if name not in self.known and name not in self.raw.constants:
                raise self.refuse(key, f"{name!r} is neither a variable nor a constant")
            if name == target:
                raise self.refuse(key, f"{name!r} is the target itself")
        return tree

    def _folded(self, tree: Node) -> Node:
        return folded(tree, {name: one.value for name, one in self.raw.constants.items()})

    def _constraints(self) -> Iterable[Comparison]:
        for number, variable in enumerate(self.raw.variable):
            for place, text in enumerate(variable.domain):
                yield self._comparison(f"variable[{number}].domain[{place}]",
                                       f"{variable.name} {text}")  # fmt: skip
        for number, text in enumerate(self.raw.constraints):
            yield self._comparison(f"constraints[{number}]", text)._replace(stated=True)

    def _comparison(self, key: str, text: str) -> Comparison:
        parts = COMPARISON.split(text)
        if len(parts) != 3:
            raise self.refuse(key, f"{text!r} is not a comparison ({', '.join(COMPARISONS)})")
        left, right = (self._tree(key, part) for part in parts[::2])
        shown = f"{format_expression(left)} {parts[1]} {format_expression(right)}"
        found = Comparison(self._folded(left), parts[1], self._folded(right), shown)
        if not found.names:
            raise self.refuse(key, "compares no variable")
        return found

    def _base(self) -> tuple[str, ...]:
        sampled = {one.name for one in self.raw.variable if one.sample is not None}
        for number, name in enumerate(self.raw.base):
            key = f"base[{number}]"
            if name not in self.known:
                raise self.refuse(key, f"{name!r} is no variable")
            if name not in sampled:
                raise self.refuse(key, f"{name!r} has no sample range")
            if self.raw.base.count(name) > 1:
                raise self.refuse(key, f"{name!r} stands twice")
        for number, one in enumerate(self.raw.variable):
            if one.sample is not None and not one.sample[0] < one.sample[1]:
                raise self.refuse(f"variable[{number}].sample", "the first number is the smaller")
        return tuple(self.raw.base)


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


def _variable(raw: RawVariable) -> Variable:
    return Variable(raw.name, raw.unit, raw.sample, raw.decimals, raw.posed, raw.text)
