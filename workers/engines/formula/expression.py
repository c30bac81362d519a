"""The language of formulas: numbers, names, + - * / **, unary signs and listed functions.

Nothing else exists in it: a text is read by `parser` into a tree of five sorts of nodes, and only
that tree is ever compiled (`code`). Signs bind as in Python: ** before unary minus before * and /
before + and -, ** from the right, the others from the left.
"""

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

FUNCTIONS: Mapping[str, int] = {
    "abs": 1,
    "acos": 1,
    "asin": 1,
    "atan": 1,
    "atan2": 2,
    "cos": 1,
    "exp": 1,
    "hypot": 2,
    "log": 1,
    "log10": 1,
    "sin": 1,
    "sqrt": 1,
    "tan": 1,
}
"""Function -> number of its arguments."""
NAMED_NUMBERS: Mapping[str, float] = {"pi": math.pi}
BINDING = {"+": 1, "-": 1, "*": 2, "/": 2, "**": 4}
UNARY = 3


class Number(NamedTuple):
    """A constant."""

    value: float


class Name(NamedTuple):
    """A variable, and where its name stands in the text."""

    name: str
    position: int


class Call(NamedTuple):
    """A listed function of its arguments."""

    function: str
    arguments: "tuple[Node, ...]"


class Negation(NamedTuple):
    """Minus something."""

    operand: "Node"


class Binary(NamedTuple):
    """Two operands and a sign between them."""

    sign: str
    left: "Node"
    right: "Node"


Node: TypeAlias = Number | Name | Call | Negation | Binary


def nodes(node: Node) -> Iterator[Node]:
    """A node and all below it, from left to right."""
    yield node
    for child in children(node):
        yield from nodes(child)


def children(node: Node) -> tuple[Node, ...]:
    """The operands of a node."""
    match node:
        case Binary(_, left, right):
            return (left, right)
        case Call(_, arguments):
            return arguments
        case Negation(operand):
            return (operand,)
    return ()


def names(node: Node) -> tuple[str, ...]:
    """The variables of an expression, each once, in the order of their first appearance."""
    return tuple(dict.fromkeys(part.name for part in nodes(node) if isinstance(part, Name)))


def renamed(node: Node, new: Mapping[str, str]) -> Node:
    """The tree with other names for its variables, those of `new`; functions keep theirs."""
    match node:
        case Name(name, position):
            return Name(new.get(name, name), position)
        case Negation(operand):
            return Negation(renamed(operand, new))
        case Binary(sign, left, right):
            return Binary(sign, renamed(left, new), renamed(right, new))
        case Call(function, arguments):
            return Call(function, tuple(renamed(one, new) for one in arguments))
    return node


def format_expression(node: Node, blank: str = " ") -> str:
    """The text of an expression with as few parentheses as it needs, `blank` around + and -."""
    return _formatted(node, blank, 0)


def format_number(value: float) -> str:
    """The shortest text that reads as the same number: 30, -9.8, 1e+20."""
    text = repr(float(value))
    return text.removesuffix(".0")


def nonlinear_operations(node: Node) -> int:
    """Functions, powers, and products and quotients by a variable, in an expression."""
    count = 0
    for part in nodes(node):
        match part:
            case Call() | Binary("**", _, _):
                count += 1
            case Binary("*", left, right):
                count += bool(names(left) and names(right))
            case Binary("/", _, right):
                count += bool(names(right))
    return count


def _formatted(node: Node, blank: str, least: int) -> str:
    """Text of a node, in parentheses when it binds less than `least`."""
    match node:
        case Number(value):
            text, strength = _constant(value), UNARY if value < 0 else 9
        case Name(name, _):
            text, strength = name, 9
        case Call(function, arguments):
            inner = f",{blank}".join(_formatted(one, blank, 0) for one in arguments)
            text, strength = f"{function}({inner})", 9
        case Negation(operand):
            text, strength = f"-{_formatted(operand, blank, UNARY)}", UNARY
        case Binary(sign, left, right):
            strength = BINDING[sign]
            around = blank if strength == 1 else ""
            first = _formatted(left, blank, strength + (sign == "**"))
            second = _formatted(right, blank, strength + (sign != "**"))
            text = f"{first}{around}{sign}{around}{second}"
    return f"({text})" if strength < least else text


def _constant(value: float) -> str:
    named = next((name for name, known in NAMED_NUMBERS.items() if known == value), None)
    return named or format_number(value)
