"""A checked tree as a Python function of a list of values.

The tree becomes nodes of `ast`, built here and compiled; no text of a user is ever evaluated.
Constants are floats, so that no power can grow beyond a float, and a power is `math.pow`, which
refuses what would be complex.
"""

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from types import CodeType, FunctionType
from typing import Any, TypeAlias

from workers.engines.formula.expression import Binary, Call, Name, Negation, Node, Number

Values: TypeAlias = "Sequence[float]"
Function: TypeAlias = Callable[[Values], float]
Test: TypeAlias = Callable[[Values], bool]
COMPARISONS: Mapping[str, type[ast.cmpop]] = {
    ">": ast.Gt,
    ">=": ast.GtE,
    "<": ast.Lt,
    "<=": ast.LtE,
}
SIGNS: Mapping[str, type[ast.operator]] = {
    "+": ast.Add,
    "-": ast.Sub,
    "*": ast.Mult,
    "/": ast.Div,
}
KNOWN: Mapping[str, Any] = {
    "abs": abs,
    "acos": math.acos,
    "asin": math.asin,
    "atan": math.atan,
    "atan2": math.atan2,
    "cos": math.cos,
    "exp": math.exp,
    "hypot": math.hypot,
    "log": math.log,
    "log10": math.log10,
    "pow": math.pow,
    "sin": math.sin,
    "sqrt": math.sqrt,
    "tan": math.tan,
    "__builtins__": {},
}
ARGUMENT = "values"


def compiled(node: Node, places: Mapping[str, int]) -> Function:
    """The expression as a function of a list that has the variable `name` at `places[name]`.

    The function raises ZeroDivisionError, ValueError or OverflowError where the value does not
    exist, and may return an infinity.
    """
    function: Function = _function(_tree(node, places))
    return function


def compiled_test(left: Node, comparison: str, right: Node, places: Mapping[str, int]) -> Test:
    """A comparison of two expressions as a function of the same form."""
    operands = [_tree(left, places), _tree(right, places)]
    test: Test = _function(ast.Compare(operands[0], [COMPARISONS[comparison]()], operands[1:]))
    return test


def _function(body: ast.expr) -> Any:
    arguments = ast.arguments([], [ast.arg(ARGUMENT)], None, [], [], None, [])
    whole = ast.Expression(ast.Lambda(arguments, body))
    outer = compile(ast.fix_missing_locations(whole), "<formula>", "eval")
    inner = next(part for part in outer.co_consts if isinstance(part, CodeType))
    return FunctionType(inner, dict(KNOWN))


def _tree(node: Node, places: Mapping[str, int]) -> ast.expr:
    match node:
        case Number(value):
            return ast.Constant(float(value))
        case Name(name, _):
            place = ast.Constant(places[name])
            return ast.Subscript(ast.Name(ARGUMENT, ast.Load()), place, ast.Load())
        case Negation(operand):
            return ast.UnaryOp(ast.USub(), _tree(operand, places))
        case Call(function, arguments):
            return _call(function, [_tree(one, places) for one in arguments])
        case Binary("**", left, right):
            return _power(left, right, places)
        case Binary(sign, left, right):
            return ast.BinOp(_tree(left, places), SIGNS[sign](), _tree(right, places))


def _power(left: Node, right: Node, places: Mapping[str, int]) -> ast.expr:
    if right == Number(2.0) and isinstance(left, Name):  # the same value, without a call
        return ast.BinOp(_tree(left, places), ast.Mult(), _tree(left, places))
    return _call("pow", [_tree(left, places), _tree(right, places)])


def _call(function: str, arguments: list[ast.expr]) -> ast.expr:
    return ast.Call(ast.Name(function, ast.Load()), arguments, [])
