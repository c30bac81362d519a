"""A domain in a TOML file, read and checked.

What is wrong is refused as ConfigError(file, "key: reason"). Units and the agreement of the
formulas are checked apart (`units`, `soundness`).
"""

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from workers.engines.formula.code import COMPARISONS
from workers.engines.formula.expression import (
    FUNCTIONS,
    NAMED_NUMBERS,
    Node,
    format_expression,
    names,
)
from workers.engines.formula.parser import ExpressionError, parse_expression
from workers.engines.formula.template import (
    COMPARISON,
    LANGUAGES,
    SECTIONS,
    VARIABLE,
    Comparison,
    Constant,
    Example,
    Formula,
    Situation,
    Template,
    Text,
    Variable,
    Word,
    folded,
)
from workers.errors import ConfigError

MOST_VARIABLES = 16


Bounds = tuple[float, float]
MOST_ROOTS = 4


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
        self._check_numbers()
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

    def _check_numbers(self) -> None:
        numbers = [(f"constants.{name}.value", one.value) for name, one in
                   self.raw.constants.items()]  # fmt: skip
        for place, variable in enumerate(self.raw.variable):
            numbers += [(f"variable[{place}].sample", end) for end in variable.sample or ()]
        for key, number in numbers:
            if not math.isfinite(number):
                raise self.refuse(key, f"{number} is no number to compute with")

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


def _variable(raw: RawVariable) -> Variable:
    return Variable(raw.name, raw.unit, raw.sample, raw.decimals, raw.posed, raw.text)
