"""Sudokus by opening and by cutting: one solution each, as ordered, from the seed alone."""

import hashlib

import msgspec
import numpy as np
import pytest

from workers.errors import BudgetError, ParamsError
from workers.kinds import sudoku_generate
from workers.kinds.sudoku import KIND, SudokuParams
from workers.kinds.sudoku_generate import made_puzzles

DOCUMENTS = ("opening", "cut")


def made(raters=(), seed=5, count=8, **params):
    return KIND.generate(seed, count, msgspec.convert(params, SudokuParams), raters)


@pytest.mark.parametrize("method", DOCUMENTS)
def test_every_puzzle_has_one_solution_and_another_seed_gives_others(method):
    columns = made(method=method)
    assert (columns["n_solutions"] == 1).all()
    assert np.ma.getmaskarray(columns["reason"]).all()
    assert (columns["puzzle"] == made(method=method)["puzzle"]).all()
    assert (columns["puzzle"] != made(method=method, seed=6)["puzzle"]).any()
    assert len({row.tobytes() for row in columns["puzzle"]}) == 8


@pytest.mark.parametrize(
    "order",
    [
        {"method": "opening", "analytic_level": 1},
        {"method": "opening", "clues": [30, 40]},
        {"method": "cut", "clues": [23, 23]},
        {"method": "cut", "iterations": [50_000, 500_000]},
    ],
)
def test_puzzles_do_not_depend_on_how_many_are_drawn_at_a_time(order, monkeypatch):
    params = msgspec.convert(order, SudokuParams)
    whole = made_puzzles(3, 5, params)
    assert (made_puzzles(3, 2, params) == whole[:2]).all()
    monkeypatch.setattr(sudoku_generate, "BATCH", 1)
    assert (made_puzzles(3, 5, params) == whole).all()


def test_cut_puzzles_are_minimal_when_nothing_is_wanted():
    assert made(method="cut")["minimal"].all()


@pytest.mark.parametrize("method", DOCUMENTS)
def test_clues_stay_in_a_range(method):
    least, most = (36, 42) if method == "opening" else (24, 26)
    clues = made(method=method, clues=[least, most])["clues"]
    assert ((clues >= least) & (clues <= most)).all()


def test_cutting_ends_with_the_wanted_number_of_clues():
    assert set(made(method="cut", clues=[27, 27])["clues"]) == {27}


def test_opening_begins_with_the_wanted_number_and_goes_on_until_there_is_one_solution():
    clues = made(method="opening", clues=[30, 30])["clues"]
    assert clues.min() >= 30
    assert clues.max() > 30
    assert set(made(method="opening", clues=[70, 70])["clues"]) == {70}


@pytest.mark.parametrize("method", DOCUMENTS)
@pytest.mark.parametrize("level", [0, 1, 2])
def test_the_wanted_level_is_met(method, level):
    columns = made(("analytic",), count=3, method=method, analytic_level=level)
    assert set(columns["analytic_level"]) == {level}


@pytest.mark.parametrize("method", DOCUMENTS)
def test_iterations_stay_in_their_bounds(method):
    columns = made(("brute",), method=method, iterations=[200, 4000])
    assert columns["brute_iterations"].min() >= 200
    assert columns["brute_iterations"].max() <= 4000


@pytest.mark.parametrize("method", DOCUMENTS)
def test_an_order_that_is_too_rare_is_given_up_and_said(method):
    with pytest.raises(BudgetError) as caught:
        made(method=method, clues=[17, 18], attempts=20)
    assert str(caught.value) == (
        f"no such puzzle: 20 grids tried for method {method}, clues (17, 18)"
    )


def test_the_path_leads_to_the_puzzles_that_are_generated():
    params = SudokuParams(method="cut", clues=(25, 30), analytic_level=1)
    rows = KIND.cut_path(9, params, 3)
    texts = ["".join(map(chr, row)) for row in KIND.generate(9, 3, params, ())["puzzle"]]
    assert [row["number"] for row in rows] == sorted(row["number"] for row in rows)
    for number, text in enumerate(texts):
        own = [row for row in rows if row["number"] == number]
        assert [row["removal"] for row in own] == list(range(1, len(own) + 1))
        assert [row["clues"] for row in own] == list(range(80, 80 - len(own), -1))
        assert own[-1]["puzzle"] == text
        assert own[-1]["analytic_level"] == 1
        assert all(0 <= row["analytic_level"] <= 1 for row in own)


def test_a_path_measures_as_the_raters_do():
    rows = KIND.cut_path(4, SudokuParams(method="cut"))[40::5]
    packed = np.array([list(row["puzzle"].encode()) for row in rows], np.uint8)
    rated = KIND.grade(packed, SudokuParams(), ("brute", "analytic"))
    assert [row["iterations"] for row in rows] == rated["brute_iterations"].tolist()
    assert [row["analytic_level"] for row in rows] == rated["analytic_level"].tolist()
    assert [row["suppositions"] for row in rows] == rated["analytic_suppositions"].tolist()
    name = "analytic_t_hidden_single"
    assert [row[name] for row in rows] == rated[name].tolist()


@pytest.mark.parametrize("method", ["removal", "opening"])
def test_only_cutting_has_a_path(method):
    with pytest.raises(ParamsError, match="only cut has"):
        KIND.cut_path(1, SudokuParams(method=method))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"method": "magic"}, "magic"),
        ({"method": "cut", "analytic_level": 4}, "<= 3"),
        ({"method": "cut", "iterations": [9, 8]}, "iterations: 9 is more than 8"),
        ({"method": "cut", "iterations": [-1, 8]}, ">= 0"),
        ({"method": "cut", "symmetry": "rotate180"}, "symmetry: cannot be ordered with method cut"),
        ({"method": "opening", "minimal": True}, "minimal: cannot be ordered with method opening"),
        ({"analytic_level": 2}, "analytic_level: cannot be ordered with method removal"),
        ({"iterations": [1, 2]}, "iterations: cannot be ordered with method removal"),
        ({"brute_budget": 0}, ">= 1"),
    ],
)
def test_orders_that_make_no_sense_are_refused(params, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert(params, SudokuParams)


def test_removal_is_the_default_and_minimal_means_what_it_did():
    assert (made()["puzzle"] == made(method="removal", minimal=True)["puzzle"]).all()
    assert made()["minimal"].all()
    assert not made(minimal=False, clues=[30, 32])["minimal"].all()


@pytest.mark.parametrize(
    ("order", "digest"),
    [
        ({"method": "opening"}, "0726aeb5dba9b69f"),
        (
            {"method": "opening", "clues": [32, 40], "analytic_level": 0},
            "b3f23f58f4eef102",
        ),
        ({"method": "cut"}, "a435c8c22515d37e"),
        ({"method": "cut", "analytic_level": 2}, "57a77e7eae1b5cff"),
    ],
)
def test_puzzles_change_only_with_the_version_of_the_kind(order, digest):
    """A digest that differs means: raise the version of the kind, put the new one here."""
    assert KIND.version == 2
    puzzles = made_puzzles(20261201, 5, msgspec.convert(order, SudokuParams))
    assert hashlib.sha256(puzzles.tobytes()).hexdigest()[:16] == digest
