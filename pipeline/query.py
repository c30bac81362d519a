"""Filter expressions on columns: `corpus query`, `corpus export`, the target of a plan.

    hodoku_score in 900..1100 and hodoku_t_x_wing >= 1 and level == 'hard'

    filter     := conjunction ("or" conjunction)*
    conjunction:= negation ("and" negation)*
    negation   := "not" negation | "(" filter ")" | test
    test       := operand (("==" | "=" | "!=" | "<" | "<=" | ">" | ">=") operand)+
                | column ["not"] "in" (number ".." number | "[" literal ("," literal)* "]")
                | column "is" ["not"] "null"
                | column                                     a true/false column
    operand    := column | literal
    literal    := number | 'text' | "text" | word | true | false

A chain holds when all its parts do (900 <= hodoku_score < 1100); a range has both ends. The
column key takes its 32 hex digits as text. A test of a null does not hold, nor does its negation.
A word that is no column is a text where a text column is compared with it: level = hard.
"""

import difflib
import re
from collections.abc import Iterable
from typing import Any, NamedTuple, NoReturn, TypeAlias

import pyarrow as pa
import pyarrow.compute

from pipeline.tokens import Token, tokens
from workers.errors import ParseError

Expression: TypeAlias = Any  # pyarrow.compute.Expression
pc: Any = pyarrow.compute  # the stubs refuse plain values
WORDS = frozenset({"and", "or", "not", "in", "is", "null", "true", "false"})
COMPARE = {
    "==": lambda left, right: left == right,
    "=": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
MOST_DEEP = 50


class Operand(NamedTuple):
    """One side of a comparison."""

    value: Any  # an expression for a column, a plain value for a literal
    type: pa.DataType | None  # of a column
    token: Token


class Comparison(NamedTuple):
    """A comparison of a column with literals: `sign` is of COMPARE, or `in` for a list."""

    column: str
    sign: str
    values: tuple[Any, ...]


class Filter(NamedTuple):
    """A filter that was read."""

    expression: Expression
    columns: tuple[str, ...]  # those it reads, each once
    tests: tuple[Comparison, ...] | None  # all joined by and; None where it is more than that


def parse_filter(text: str, schema: pa.Schema) -> Expression:
    """The pyarrow expression for a filter; ParseError names what is wrong and where."""
    return read_filter(text, schema).expression


def read_filter(text: str, schema: pa.Schema) -> Filter:
    """A filter as an expression and, where it is so plain, as a list of tests."""
    parser = _Parser(text, schema)
    expression = parser.filter()
    if parser.next.sort != "end":
        parser.fail(f"expected 'and' or 'or', found {parser.next.text!r}")
    tests = tuple(parser.tests) if parser.plain else None
    return Filter(expression, tuple(dict.fromkeys(parser.columns)), tests)


def nearest(name: str, names: Iterable[str]) -> str:
    """`, did you mean 'x'?` for the most similar name, or nothing."""
    close = difflib.get_close_matches(name.lower(), list(names), n=1, cutoff=0.5)
    return f", did you mean {close[0]!r}?" if close else ""


class _Parser:
    """Recursive descent over the tokens; `next` is the token to read."""

    def __init__(self, text: str, schema: pa.Schema) -> None:
        self._tokens = tokens(text)
        self._schema = schema
        self._at = 0
        self._depth = 0
        self.columns: list[str] = []
        self.tests: list[Comparison] = []
        self.plain = True  # nothing but tests of `tests`, joined by and

    @property
    def next(self) -> Token:
        return self._tokens[self._at]

    def fail(self, what: str, token: Token | None = None) -> NoReturn:
        raise ParseError(f"filter: {what}", (token or self.next).position)

    def filter(self) -> Expression:
        result = self._conjunction()
        while self._accept("or"):
            self.plain = False
            result = result | self._conjunction()
        return result

    def _conjunction(self) -> Expression:
        result = self._negation()
        while self._accept("and"):
            result = result & self._negation()
        return result

    def _negation(self) -> Expression:
        self._depth += 1
        if self._depth > MOST_DEEP:
            self.fail("nested too deeply")
        if self._accept("not"):
            self.plain = False
            result = ~self._negation()
        elif self._accept("("):
            result = self.filter()
            self._expect(")")
        else:
            result = self._test()
        self._depth -= 1
        return result

    def _test(self) -> Expression:
        left = self._operand()
        if self.next.text in COMPARE:
            return self._chain(left)
        if left.type is None:
            self._refuse_word(left)
            self.fail(f"expected a comparison after {left.token.text}")
        if self._accept("is"):
            self.plain = False
            wanted_null = not self._accept("not")
            self._expect("null")
            return left.value.is_null() if wanted_null else left.value.is_valid()
        negated = self._accept("not")
        self.plain &= not negated
        if self._accept("in"):
            inside = self._range(left) if self.next.sort == "number" else self._list(left)
            return ~inside if negated else inside
        if negated:
            self.fail("expected 'in' after 'not'")
        if not pa.types.is_boolean(left.type):
            self.fail(f"expected a comparison after {left.token.text}")
        self.tests.append(Comparison(left.token.text, "=", (True,)))
        return left.value

    def _chain(self, left: Operand) -> Expression:
        result = None
        while self.next.text in COMPARE:
            sign = self._take()
            right = self._operand()
            test = COMPARE[sign.text](*self._pair(left, right, sign))
            result = test if result is None else result & test
            left = right
        return result

    def _pair(self, left: Operand, right: Operand, sign: Token) -> tuple[Any, Any]:
        """Both sides as expressions that can be compared."""
        if left.type is None and right.type is None:
            for side in (left, right):
                self._refuse_word(side)
            self.fail("a comparison needs a column", left.token)
        if left.type is not None and right.type is not None:
            self.plain = False
            if _family(left.type) != _family(right.type):
                what = f"{left.token.text} ({left.type}) with {right.token.text} ({right.type})"
                self.fail(f"cannot compare {what}", sign)
            return left.value, right.value
        if left.type is None:
            self._note(right, MIRRORED.get(sign.text, sign.text), left)
            return self._literal(left, right), right.value
        self._note(left, sign.text, right)
        return left.value, self._literal(right, left)

    def _note(self, column: Operand, sign: str, *literals: Operand) -> None:
        self.tests.append(Comparison(column.token.text, sign, tuple(one.value for one in literals)))

    def _refuse_word(self, operand: Operand) -> None:
        """Fail when it is a word, because there is no column of that name."""
        word = operand.token.text
        if operand.type is None and operand.token.sort == "word" and word not in WORDS:
            self.fail(f"no column {word!r}{nearest(word, self._schema.names)}", operand.token)

    def _literal(self, literal: Operand, column: Operand) -> Any:
        """The literal as a scalar that fits the column."""
        kind: Any = column.type
        value: Any = literal.value
        fits = {"number": (int, float), "text": (str,), "bool": (bool,), "key": (str,)}
        family = _family(kind)
        if family != "text":
            self._refuse_word(literal)
        if not isinstance(value, fits.get(family, ())) or (
            isinstance(value, bool) and family != "bool"
        ):
            what = f"{column.token.text} is {_said(family, kind)}, {literal.token.text} is not"
            self.fail(what, literal.token)
        if family != "key":
            return pc.scalar(self._number(literal, column) if family == "number" else value)
        if not re.fullmatch(f"[0-9a-fA-F]{{{2 * kind.byte_width}}}", str(value)):
            self.fail(f"{column.token.text} takes {2 * kind.byte_width} hex digits", literal.token)
        return pc.scalar(pa.scalar(bytes.fromhex(str(value)), kind))

    def _number(self, literal: Operand, column: Operand) -> Any:
        """A number of a type that Arrow compares with the column without loss or complaint."""
        kind: Any = column.type
        value: Any = literal.value
        if isinstance(value, float) and pa.types.is_integer(kind):
            if value.is_integer():
                value = int(value)
            elif kind.bit_width == 64:
                what = f"{column.token.text} is a whole number, {literal.token.text} is not"
                self.fail(what, literal.token)
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            self.fail(f"{literal.token.text} is out of range", literal.token)
        return pa.scalar(value, pa.float64()) if isinstance(value, float) else value

    def _range(self, column: Operand) -> Expression:
        low = self._operand()
        self._expect("..")
        high = self._operand()
        start, stop = self._literal(low, column), self._literal(high, column)
        if low.value > high.value:
            self.fail(f"the range {low.token.text}..{high.token.text} is empty", low.token)
        self._note(column, ">=", low)
        self._note(column, "<=", high)
        return (column.value >= start) & (column.value <= stop)

    def _list(self, column: Operand) -> Expression:
        closing = {"[": "]", "(": ")"}.get(self.next.text)
        if closing is None:
            self.fail("expected a range (1..5) or a list ['a', 'b'] after 'in'")
        self._take()
        literals = [self._operand()]
        result = column.value == self._literal(literals[0], column)
        while self._accept(","):
            literals.append(self._operand())
            result = result | (column.value == self._literal(literals[-1], column))
        self._expect(closing)
        self._note(column, "in", *literals)
        return result

    def _operand(self) -> Operand:
        token = self._take()
        if token.sort == "number":
            whole = re.fullmatch(r"-?\d+", token.text)
            return Operand(int(token.text) if whole else float(token.text), None, token)
        if token.sort == "text":
            return Operand(token.text[1:-1], None, token)
        if token.text in ("true", "false"):
            return Operand(token.text == "true", None, token)
        if token.sort != "word" or token.text in WORDS:
            self.fail(f"expected a column or a value, found {token.text!r}", token)
        if token.text not in self._schema.names:
            return Operand(token.text, None, token)
        self.columns.append(token.text)
        return Operand(pc.field(token.text), self._schema.field(token.text).type, token)

    def _take(self) -> Token:
        token = self.next
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def _accept(self, text: str) -> bool:
        if self.next.text != text or self.next.sort not in ("word", "sign"):
            return False
        self._take()
        return True

    def _expect(self, text: str) -> None:
        if not self._accept(text):
            found = self.next.text
            self.fail(
                f"expected {text!r}, found {found if self.next.sort == 'end' else repr(found)}"
            )


def _family(kind: Any) -> str:
    """What a column can be compared with: number, text, bool, key, or nothing ("other")."""
    if pa.types.is_boolean(kind):
        return "bool"
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return "number"
    if pa.types.is_string(kind):
        return "text"
    return "key" if pa.types.is_fixed_size_binary(kind) else "other"


def _said(family: str, kind: Any) -> str:
    names = {"number": "a number", "text": "text (in quotes)", "bool": "true or false"}
    return names.get(family, str(kind))
