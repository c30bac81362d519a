"""The language of formulas: what it takes, what it refuses, and what its functions compute."""

import math
import time

import pytest

from workers.engines.formula.code import compiled, compiled_test
from workers.engines.formula.expression import (
    format_expression,
    names,
    nonlinear_operations,
    renamed,
)
from workers.engines.formula.parser import ExpressionError, parse_expression

ATTACKS = [
    "__import__('os').system('true')",
    "().__class__.__bases__",
    "x.__class__",
    "x.real",
    "x[0]",
    "x__class__",
    "_x",
    "eval(x)",
    "exec(x)",
    "open(x)",
    "getattr(x, y)",
    "lambda: 1",
    "(lambda: 1)()",
    "[x for x in y]",
    "{x: y}",
    "x if y else x",
    "x and y",
    "x == y",
    "(x := 3)",
    "'text'",
    "f'{x}'",
    "x; y",
    "1e999",
    "9**9**9",
    "9**99",
    "x**(9**9)",
    "x**1e9",
    "x**-65",
    "x**(1/0)",
    "2**x**99",
    "(" * 41 + "x" + ")" * 41,
    "-" * 60 + "x",
    "sqrt(" * 50 + "x" + ")" * 50,
    "1+" * 150 + "1",
    "x" * 401,
    "1_000",
    "0x10",
    "1j",
    "x // y",
    "x % y",
    "x @ y",
    "x << y",
    "~x",
    "x²",
    "√x",
    "１",
    "ｘ",
    "x\u200b",
    "x\x00",
]


@pytest.mark.nojit
@pytest.mark.parametrize("text", ATTACKS)
def test_whatever_is_no_plain_formula_is_refused_at_once(text: str) -> None:
    started = time.process_time()
    with pytest.raises(ExpressionError) as refused:
        parse_expression(text)
    assert time.process_time() - started < 1
    assert refused.value.what
    assert 0 <= refused.value.position <= len(text)


@pytest.mark.parametrize(
    ("text", "what", "position"),
    [
        ("x +", "an operand is expected, not the end", 3),
        ("x y", "'y' is not expected here", 2),
        ("2x", "'2x' is not a number", 0),
        ("sqrt(x", "')' is expected, not the end", 6),
        ("1 + sqrt", "'sqrt' is a function: give it its argument", 4),
        ("hypot(x)", "hypot takes 2 arguments, not 1", 0),
        ("a + f(x)", "'f' is no function (known: abs, ", 4),
        ("a**65", "an exponent beyond 64", 1),
    ],
)
def test_an_error_says_what_and_where(text: str, what: str, position: int) -> None:
    with pytest.raises(ExpressionError) as refused:
        parse_expression(text)
    assert refused.value.what.startswith(what)
    assert refused.value.position == position


FORMULAS = [
    "x",
    "x + y*2",
    "-x**2",
    "(-x)**2",
    "2**-x",
    "x**y**0.5",
    "(x**y)**2",
    "x - (y - z) - 1",
    "x/(y/z)/2",
    "x*-y",
    "--x",
    "(x + y)*(x - y)/(2*z)",
    "sqrt(x**2 + y**2) - hypot(x, y)",
    "sin(x)*cos(y) + tan(z) - asin(x/10) + acos(0.5) + atan2(x, y)",
    "exp(-x)*log(y) + log10(z) + abs(-x)",
    "1e-3*x + 2.5E+2 - .5",
    "pi*x**(1/3)",
]
VALUES = {"x": 1.25, "y": 3.5, "z": 0.75}


def reference(text: str) -> float:
    """What Python makes of a formula that this file wrote."""
    known = {name: getattr(math, name) for name in dir(math) if name[0] != "_"}
    return float(eval(text, {"__builtins__": {}}, {**known, "abs": abs, **VALUES}))


@pytest.mark.nojit
@pytest.mark.parametrize("text", FORMULAS)
def test_signs_bind_and_functions_compute_as_in_python(text: str) -> None:
    tree = parse_expression(text)
    places = {"z": 0, "x": 1, "y": 2}
    found = compiled(tree, places)([VALUES["z"], VALUES["x"], VALUES["y"]])
    assert found == pytest.approx(reference(text), rel=1e-15)


@pytest.mark.parametrize("text", FORMULAS)
def test_the_text_of_a_tree_reads_as_the_same_formula(text: str) -> None:
    tree = parse_expression(text)
    for blank in (" ", ""):
        shown = format_expression(tree, blank)
        assert format_expression(parse_expression(shown), blank) == shown
        places = {name: number for number, name in enumerate(VALUES)}
        both = [compiled(one, places)(list(VALUES.values()))
                for one in (tree, parse_expression(shown))]  # fmt: skip
        assert both[0] == both[1]


def test_as_few_parentheses_as_needed_are_written() -> None:
    shown = format_expression(parse_expression("((x)+((y*z)))/(2)-(x-(y))"))
    assert shown == "(x + y*z)/2 - (x - y)"


def test_names_are_changed_on_the_tree_and_functions_keep_theirs() -> None:
    tree = renamed(parse_expression("x + xs*sqrt(t) - t"), {"x": "x1", "t": "t1", "s": "no"})
    assert format_expression(tree) == "x1 + xs*sqrt(t1) - t1"
    assert names(tree) == ("x1", "xs", "t1")


def test_a_comparison_is_a_function_too() -> None:
    test = compiled_test(parse_expression("x + 1"), "<=", parse_expression("2*y"), {"x": 0, "y": 1})
    assert [test([1.0, 1.0]), test([1.0, 0.9])] == [True, False]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("1/x", ZeroDivisionError),
        ("sqrt(x - 1)", ValueError),
        ("log(x)", ValueError),
        ("(x - 8)**(1/3)", ValueError),  # Python itself would give a complex number
        ("exp(1e4 + x)", OverflowError),
        ("(1e100 + x)**64", OverflowError),
    ],
)
def test_what_has_no_value_raises_an_arithmetic_error(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        compiled(parse_expression(text), {"x": 0})([0.0])


def test_operations_beyond_sums_and_multiples_are_counted() -> None:
    counts = {text: nonlinear_operations(parse_expression(text))
              for text in ("x + 2*y - z/3", "x*y", "1/x", "x**2", "sqrt(x)*y")}  # fmt: skip
    assert list(counts.values()) == [0, 1, 1, 1, 2]
