"""Neighbours of puzzles, and walks along them towards goals."""

import msgspec
import numpy as np
import pytest

from workers.engines.machine.kernel import JIT_DISABLED
from workers.engines.machine.random import seeded
from workers.engines.sudoku.generate import minimal_puzzles
from workers.engines.sudoku.properties import minimal
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.vicinity import neighbours
from workers.errors import ParamsError
from workers.kinds.sudoku import KIND
from workers.kinds.sudoku_params import Goal, SudokuParams
from workers.kinds.sudoku_vicinity import NULL_DISTANCE, distances

PARENTS = minimal_puzzles(seeded(1), 3 if JIT_DISABLED else 60).puzzles  # plain Python is slow


def walked(count=20, seed=3, raters=(), **params):
    order = {"method": "vicinity", "effort": 20, **params}
    return KIND.generate(seed, count, msgspec.convert(order, SudokuParams), raters)


def test_neighbours_have_one_solution_and_need_every_clue():
    found = neighbours(seeded(2), PARENTS, 3)
    assert found.made.all()
    solved = solve_batch(found.puzzles)
    assert (solved.counts == 1).all()
    assert minimal(found.puzzles, solved.solutions).all()
    kept = ((found.puzzles == PARENTS) & (PARENTS > 0)).sum(axis=1)
    assert (kept >= (PARENTS > 0).sum(axis=1) - 3 - 8).all()
    assert (found.puzzles != PARENTS).any(axis=1).mean() > 0.9


def test_dropping_three_and_adding_two_makes_puzzles_with_fewer_clues():
    found = neighbours(seeded(2), PARENTS, 3, 2)
    fewer = (PARENTS > 0).sum(axis=1) - (found.puzzles > 0).sum(axis=1)
    assert 0 < found.made.sum() < len(PARENTS)
    assert (fewer[found.made] == 1).all()
    assert (fewer[~found.made] != 1).all()


@pytest.mark.nojit
def test_equal_states_give_equal_neighbours():
    first, again = (neighbours(seeded(5), PARENTS[:3], 4) for _ in range(2))
    assert (first.puzzles == again.puzzles).all()


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("drop", "add", "name"), [(0, None, "drop"), (82, 1, "drop"), (3, -1, "add")]
)
def test_impossible_drops_are_refused(drop, add, name):
    with pytest.raises(ParamsError) as caught:
        neighbours(seeded(1), PARENTS[:1], drop, add)
    assert caught.value.args[0] == name


def test_rows_of_walks_say_so_and_others_do_not():
    columns = walked(goals={"clues": {"most": 22}})
    assert not np.ma.getmaskarray(columns["walk"]).any()
    assert columns["walk"].max() > 0
    plain = KIND.generate(3, 4, SudokuParams(), ())
    assert np.ma.getmaskarray(plain["walk"]).all()
    assert np.ma.getmaskarray(KIND.grade(plain["puzzle"], SudokuParams(), ())["walk"]).all()


def test_a_walk_reaches_what_independent_puzzles_hardly_ever_have():
    columns = walked(goals={"guesses": {"least": 5}}, effort=100)
    independent = KIND.generate(3, 300, SudokuParams(), ())
    assert (independent["guesses"] >= 5).mean() < 0.1
    assert (columns["guesses"] >= 5).all()
    assert (columns["n_solutions"] == 1).all()
    assert columns["minimal"].all()
    assert len({bytes(key) for key in columns["key"]}) == 20


def test_what_a_walk_did_not_reach_is_not_given_out_as_reached():
    columns = walked(count=5, goals={"clues": {"most": 17}}, effort=1)
    assert len(columns["clues"]) == 5
    assert (columns["clues"] > 17).all()


def test_the_first_puzzles_of_a_walk_do_not_depend_on_how_many_are_wanted():
    goals = {"clues": {"most": 23}}
    more, fewer = walked(count=20, goals=goals), walked(count=7, goals=goals)
    assert (more["puzzle"][:7] == fewer["puzzle"]).all()


@pytest.mark.nojit
def test_a_distance_is_how_far_the_bounds_are_missed():
    columns = {
        "key": np.zeros((4, 16), np.uint8),
        "number": np.ma.MaskedArray([5, 10, 21, 0], mask=[0, 0, 0, 1]),
        "name": np.array(["a", "b", "c", "a"], object),
        "holds": np.array([True, False, True, True]),
    }
    number = distances(columns, {"number": Goal(least=9, most=20)})
    assert number.tolist() == [4 / 10, 0, 1 / 21, NULL_DISTANCE]
    assert distances(columns, {"name": Goal(among=("a", "c"))}).tolist() == [0, 1, 0, 0]
    assert distances(columns, {"holds": Goal(among=(True,))}).tolist() == [0, 1, 0, 0]
    both = {"name": Goal(among=("b",)), "number": Goal(most=10)}
    assert distances(columns, both).tolist() == [1, 0, 1 + 11 / 11, 1 + NULL_DISTANCE]


@pytest.mark.nojit
@pytest.mark.parametrize(
    "goals", [{"none": Goal(least=1)}, {"name": Goal(least=1)}, {"key": Goal(among=("a",))}]
)
def test_goals_that_no_column_can_have_are_refused(goals):
    columns = {"key": np.zeros((1, 16), np.uint8), "name": np.array(["a"], object)}
    with pytest.raises(ParamsError, match="goals"):
        distances(columns, goals)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"method": "vicinity", "symmetry": "mirror"}, "symmetry: cannot be ordered"),
        ({"method": "vicinity", "clues": [20, 24]}, "clues: cannot be ordered"),
        ({"drop": 4}, "drop: cannot be ordered with method removal"),
        ({"goals": {"clues": {"most": 20}}}, "goals: cannot be ordered with method removal"),
        ({"method": "vicinity", "goals": {"clues": {}}}, "least, most or both"),
        ({"method": "vicinity", "goals": {"clues": {"least": 3, "among": ["a"]}}}, "least, most"),
        ({"method": "vicinity", "goals": {"clues": {"least": 3, "most": 2}}}, "more than most"),
        ({"pattern": "1.."}, "pattern: is not 81"),
        ({"pattern": "1" * 16 + "." * 65}, "pattern: has less than 17 clues"),
        ({"pattern": "x" * 30 + "." * 51, "clues": [20, 24]}, "clues: cannot be ordered with a"),
        ({"method": "cut", "pattern": "x" * 30 + "." * 51}, "pattern: cannot be ordered with"),
        ({"solution": "1" * 81}, "solution: is not a solved Sudoku"),
        ({"solution": "1"}, "solution: is not a solved Sudoku"),
    ],
)
def test_orders_that_make_no_sense_are_refused(params, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert(params, SudokuParams)


def test_a_pattern_and_a_solution_can_be_ordered_from_the_kind():
    pattern = "".join("x" if digit else "." for digit in PARENTS[0])
    columns = KIND.generate(1, 2, SudokuParams(pattern=pattern), ())
    assert ((columns["puzzle"] != ord(".")) == (PARENTS[0] > 0)).all()
    grid = bytes(KIND.generate(1, 1, SudokuParams(), ())["solution"].data[0]).decode()
    columns = KIND.generate(2, 3, SudokuParams(solution=grid), ())
    assert {bytes(row).decode() for row in columns["solution"].data} == {grid}
