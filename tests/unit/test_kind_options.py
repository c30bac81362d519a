"""Options of methods: defaults, and refusals that name what is wrong."""

import pytest

from workers.errors import ParamsError
from workers.kinds.options import NoOptions, chosen
from workers.kinds.sudoku import KIND
from workers.kinds.sudoku_options import METHODS, AnalyticOptions, ModelsOptions

pytestmark = pytest.mark.nojit
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_the_first_name_is_chosen_without_one():
    assert chosen("method", {"a": NoOptions, "b": NoOptions}, None, None) == ("a", NoOptions())


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(ParamsError, match="method: 'c' is not one of a, b"):
        chosen("method", {"a": NoOptions, "b": NoOptions}, "c", None)


def test_every_method_has_defaults():
    for method in METHODS:
        chosen("method", METHODS, method, {})


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("search", {"budget": 0}, "budget: Expected `int` >= 1"),
        ("search", {"max_depth": 3}, "max_depth: no option of method search"),
        ("brute", {"budget": 0}, "budget: Expected `int` >= 1"),
        ("brute", {"max_depth": 82}, "max_depth: Expected `int` <= 81"),
        ("backtrack", {"max_depth": -1}, "max_depth: Expected `int` >= 0"),
        ("backtrack", {"budget": "many"}, "budget: Expected `int`, got `str`"),
        ("analytic", {"max_level": 4}, "max_level: Expected `int` <= 3"),
        ("analytic", {"max_depth": 9}, "max_depth: Expected `int` <= 8"),
        ("analytic", {"by": "rows"}, "by: no option of method analytic"),
        ("models", {"by": "diagonals"}, "by: Invalid enum value 'diagonals'"),
        ("models", {"by": []}, "by: Expected `array` of length >= 1"),
        ("models", {"until_stable": 1}, "until_stable: Expected `bool`"),
        ("human-path", {"last": 12}, "last: Expected `int` <= 11"),
        ("human-path", {"budget": 10**13}, "budget: Expected `int` <= 10"),
    ],
)
def test_a_wrong_option_is_named(method, options, message):
    with pytest.raises(ParamsError) as caught:
        KIND.solve(PUZZLE, method, options=options)
    assert str(caught.value).startswith(message)
    assert caught.value.exit_code == 2


def test_a_wrong_option_of_a_scheme_is_named():
    with pytest.raises(ParamsError, match="max_level"):
        KIND.explain(PUZZLE, "analytic", {"max_level": 4})
    with pytest.raises(ParamsError, match="budget: no option of scheme hodoku"):
        KIND.explain(PUZZLE, "hodoku", {"budget": 4})


def test_one_kind_of_unit_or_several_are_taken():
    assert ModelsOptions(by="rows").kinds == ("rows",)
    assert chosen("method", METHODS, "models", {"by": ["rows", "boxes"]})[1].kinds == (
        "rows",
        "boxes",
    )
    assert ModelsOptions().kinds == ("rows", "columns", "boxes")


@pytest.mark.parametrize(
    ("max_level", "max_depth", "highest"),
    [(3, None, 3), (3, 0, 1), (3, 1, 2), (3, 2, 3), (3, 3, 4), (2, 0, 1), (2, 5, 2), (0, 5, 0)],
)
def test_the_depth_of_suppositions_limits_the_level_and_nests_deeper(max_level, max_depth, highest):
    assert AnalyticOptions(max_level=max_level, max_depth=max_depth).highest == highest
