"""A text becomes a tree of `expression` or is refused: a parser of our own.

There are limits on length, depth, parts and constant exponents, so that no text is costly.
"""

import math
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from workers.engines.formula.expression import (
    BINDING,
    FUNCTIONS,
    NAMED_NUMBERS,
    UNARY,
    Binary,
    Call,
    Name,
    Negation,
    Node,
    Number,
    names,
    nodes,
)

LONGEST = 400
DEEPEST = 40
MOST_NODES = 200
LARGEST_EXPONENT = 64.0
"""Of a constant: a larger one is an attack or a slip."""
NAME = re.compile(r"[A-Za-z](?:_?[A-Za-z0-9])*")
NUMBER = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])", re.ASCII)
TOKEN = re.compile(rf"\s*(?:(?P<number>{NUMBER.pattern})|(?P<name>{NAME.pattern})|"
                   r"(?P<sign>\*\*|[-+*/(),]))", re.ASCII)  # fmt: skip


class ExpressionError(Exception):
    """A text that is no expression of the language; args = (what, position from 0)."""

    @property
    def what(self) -> str:
        return str(self.args[0])

    @property
    def position(self) -> int:
        return int(self.args[1])


class Token(NamedTuple):
    """A number, a name, a sign or the end of the text, and where it starts."""

    sort: str
    text: str
    position: int


def parse_expression(text: str, functions: Mapping[str, int] = FUNCTIONS) -> Node:
    """The tree of an expression; ExpressionError says what is wrong with it and where."""
    if len(text) > LONGEST:
        raise ExpressionError(f"longer than {LONGEST} characters", LONGEST)
    node = _Parser(list(_tokens(text)), functions).whole()
    if sum(1 for _ in nodes(node)) > MOST_NODES:
        raise ExpressionError(f"more than {MOST_NODES} parts", 0)
    return node


def _tokens(text: str) -> Iterator[Token]:
    position, end = 0, len(text.rstrip())
    while position < end:
        found = TOKEN.match(text, position)
        if found is None:
            start = position + len(text[position:]) - len(text[position:].lstrip())
            raise ExpressionError(_strange(text, start), start)
        sort = str(found.lastgroup)
        yield Token(sort, found[sort], found.start(sort))
        position = found.end()
    yield Token("end", "", len(text))


def _strange(text: str, start: int) -> str:
    if text[start].isdigit() or text[start] == ".":
        return f"{text[start : start + 20]!r} is not a number"
    return f"{text[start]!r} is no sign of a formula"


class _Parser:
    """Precedence climbing over tokens."""

    def __init__(self, tokens: list[Token], functions: Mapping[str, int]) -> None:
        self._tokens = tokens
        self._functions = functions
        self._at = 0
        self._depth = 0

    def whole(self) -> Node:
        node = self._binary(1)
        rest = self._peek()
        if rest.sort != "end":
            raise ExpressionError(f"{rest.text!r} is not expected here", rest.position)
        return node

    def _peek(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def _expect(self, sign: str) -> None:
        found = self._take()
        if found.text != sign:
            shown = repr(found.text) if found.text else "the end"
            raise ExpressionError(f"{sign!r} is expected, not {shown}", found.position)

    def _binary(self, least: int) -> Node:
        self._depth += 1
        if self._depth > DEEPEST:
            raise ExpressionError(f"nested deeper than {DEEPEST}", self._peek().position)
        node = self._operand()
        while BINDING.get(self._peek().text, 0) >= least:
            sign = self._take()
            strength = BINDING[sign.text]
            right = self._binary(UNARY if sign.text == "**" else strength + 1)
            if sign.text == "**":
                _check_exponent(right, sign.position)
            node = Binary(sign.text, node, right)
        self._depth -= 1
        return node

    def _operand(self) -> Node:
        token = self._take()
        if token.sort == "number":
            return _number(token)
        if token.sort == "name":
            return self._named(token)
        if token.text in ("-", "+"):
            operand = self._binary(UNARY)
            return _negated(operand) if token.text == "-" else operand
        if token.text == "(":
            node = self._binary(1)
            self._expect(")")
            return node
        shown = repr(token.text) if token.text else "the end"
        raise ExpressionError(f"an operand is expected, not {shown}", token.position)

    def _named(self, token: Token) -> Node:
        if self._peek().text != "(":
            if token.text in NAMED_NUMBERS:
                return Number(NAMED_NUMBERS[token.text])
            if token.text in self._functions:
                raise ExpressionError(f"{token.text!r} is a function: give it its argument",
                                      token.position)  # fmt: skip
            return Name(token.text, token.position)
        if token.text not in self._functions:
            listed = ", ".join(self._functions)
            raise ExpressionError(f"{token.text!r} is no function (known: {listed})",
                                  token.position)  # fmt: skip
        self._expect("(")
        arguments = [self._binary(1)]
        while self._peek().text == ",":
            self._take()
            arguments.append(self._binary(1))
        self._expect(")")
        wanted = self._functions[token.text]
        if len(arguments) != wanted:
            what = f"{token.text} takes {wanted} argument{'s' * (wanted > 1)}, not {len(arguments)}"
            raise ExpressionError(what, token.position)
        return Call(token.text, tuple(arguments))


def _number(token: Token) -> Number:
    value = float(token.text)
    if not math.isfinite(value):
        raise ExpressionError(f"{token.text} is too large", token.position)
    return Number(value)


def _negated(operand: Node) -> Node:
    return Number(-operand.value) if isinstance(operand, Number) else Negation(operand)


def _check_exponent(node: Node, position: int) -> None:
    """Refuse a constant exponent beyond the limit, and a tower of constants."""
    if names(node):
        return
    if isinstance(node, Number):
        value = node.value
    elif isinstance(node, Binary) and node.sign == "/" and _both_numbers(node):
        value = _quotient(node)
    else:
        raise ExpressionError("an exponent is a number, a fraction or has a variable", position)
    if not abs(value) <= LARGEST_EXPONENT:
        raise ExpressionError(f"an exponent beyond {LARGEST_EXPONENT:g}", position)


def _both_numbers(node: Binary) -> bool:
    return isinstance(node.left, Number) and isinstance(node.right, Number)


def _quotient(node: Binary) -> float:
    assert isinstance(node.left, Number)
    assert isinstance(node.right, Number)
    return node.left.value / node.right.value if node.right.value else math.inf
