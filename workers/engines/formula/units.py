"""The units of a domain, checked with pint: both sides of every formula have the same one.

A sum needs equal units (not only equal dimensions: m and km do not add up), a function takes
plain numbers, angles are in radians, and a constant has no unit unless it is declared with one.
"""

import functools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

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
from workers.engines.formula.template import Template
from workers.errors import ConfigError, UsageError

KEPT = ("abs",)
JOINED = ("hypot", "atan2")
SAME_FACTOR = 1e-9


class Unit(NamedTuple):
    """Powers of the base dimensions, and how many base units one is."""

    powers: tuple[tuple[str, Fraction], ...]
    factor: float

    def __str__(self) -> str:
        powers = " ".join(f"{name.strip('[]')}^{power}" for name, power in self.powers) or "1"
        return powers if abs(self.factor - 1) < SAME_FACTOR else f"{self.factor:g} {powers}"


class UnitError(Exception):
    """Units that do not go together."""


PLAIN = Unit((), 1.0)


def check_units(template: Template) -> None:
    """ConfigError names the formula or constraint whose units do not agree; UsageError tells how
    to get pint where it is missing."""
    units = _declared(template)
    for number, formula in enumerate(template.formulas):
        for tree in formula.shown:
            key = f"formula[{number}]"
            try:
                found = _unit(tree, units)
            except UnitError as wrong:
                raise ConfigError(template.source, f"{key}: {wrong}") from None
            if found is not None and not _same(found, units[formula.target]):
                what = f"{formula.target} is in {units[formula.target]}, its formula in {found}"
                raise ConfigError(template.source, f"{key}: {what}")
    for number, one in enumerate(template.constraints):
        try:
            _joined([_unit(one.left, units), _unit(one.right, units)], one.text)
        except UnitError as wrong:
            raise ConfigError(
                template.source, f"constraint {number} ({one.text}): {wrong}"
            ) from None


@functools.cache
def _registry() -> Any:
    import pint

    registry: Any = pint.UnitRegistry()
    registry.define("currency = [currency]")
    return registry


def _declared(template: Template) -> dict[str, Unit]:
    try:
        registry = _registry()
    except ImportError:
        raise UsageError(
            "units are checked with pint", "pip install 'puzzlemill[formula]'"
        ) from None
    found: dict[str, Unit] = {}
    pairs = [(f"variable[{n}].unit", one.name, one.unit) for n, one in
             enumerate(template.variables)]  # fmt: skip
    pairs += [(f"constants.{name}.unit", name, one.unit) for name, one in
              template.constants.items()]  # fmt: skip
    for key, name, text in pairs:
        try:
            one = registry.Quantity(1.0, text).to_base_units()
        except Exception as wrong:  # pint has many
            raise ConfigError(template.source, f"{key}: {text!r} is no unit ({wrong})") from None
        powers = {dimension: Fraction(power).limit_denominator(1000)
                  for dimension, power in one.dimensionality.items()}  # fmt: skip
        found[name] = Unit(tuple(sorted(powers.items())), float(one.magnitude))
    return found


def _unit(node: Node, units: Mapping[str, Unit]) -> Unit | None:
    """The unit of an expression; None for a constant that goes with any: zero."""
    match node:
        case Number(value):
            return None if value == 0 else PLAIN
        case Name(name, _):
            return units[name]
        case Negation(operand):
            return _unit(operand, units)
        case Call(function, arguments):
            return _call(function, [_unit(one, units) for one in arguments], node)
        case Binary("**", left, right):
            return _power(_unit(left, units), right, units)
        case Binary("+" | "-", left, right):
            return _joined([_unit(left, units), _unit(right, units)], format_expression(node))
        case Binary(sign, left, right):
            return _product(_unit(left, units) or PLAIN, _unit(right, units) or PLAIN,
                            1 if sign == "*" else -1)  # fmt: skip


def _joined(found: list[Unit | None], text: str) -> Unit | None:
    kept = [one for one in found if one is not None]
    for one in kept[1:]:
        if not _same(one, kept[0]):
            raise UnitError(f"{text!r} joins {kept[0]} and {one}")
    return kept[0] if kept else None


def _call(function: str, found: list[Unit | None], node: Call) -> Unit | None:
    text = format_expression(node)
    if function in KEPT:
        return found[0]
    if function in JOINED:
        joined = _joined(found, text)
        return PLAIN if function == "atan2" else joined
    if function == "sqrt":
        return _raised(found[0] or PLAIN, Fraction(1, 2))
    for one in found:
        if one is not None and not _same(one, PLAIN):
            raise UnitError(f"{text!r} takes a plain number (an angle in radians), not {one}")
    return PLAIN


def _power(base: Unit | None, right: Node, units: Mapping[str, Unit]) -> Unit:
    exponent = _unit(right, units) or PLAIN
    if not _same(exponent, PLAIN):
        raise UnitError(f"the exponent {format_expression(right)!r} is in {exponent}")
    if names(right):
        if base is not None and not _same(base, PLAIN):
            raise UnitError(f"{base} to a power that varies")
        return PLAIN
    return _raised(base or PLAIN, _exact(right))


def _exact(node: Node) -> Fraction:
    match node:
        case Number(value):
            return Fraction(value).limit_denominator(1000)
        case Binary("/", Number(left), Number(right)):
            return Fraction(left / right).limit_denominator(1000)
    return Fraction(1)


def _raised(unit: Unit, power: Fraction) -> Unit:
    powers = tuple((name, one * power) for name, one in unit.powers)
    return Unit(powers, unit.factor ** float(power))


def _product(left: Unit, right: Unit, sign: int) -> Unit:
    powers = dict(left.powers)
    for name, power in right.powers:
        powers[name] = powers.get(name, Fraction(0)) + sign * power
    kept = tuple(sorted((name, power) for name, power in powers.items() if power))
    return Unit(kept, left.factor * right.factor**sign)


def _same(one: Unit, other: Unit) -> bool:
    return one.powers == other.powers and abs(one.factor / other.factor - 1) < SAME_FACTOR
