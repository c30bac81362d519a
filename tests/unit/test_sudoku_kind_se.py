"""The raters of the SE scale: their columns, of one puzzle, of its isomorphs, over budget."""

import numpy as np
import pytest

from workers.engines.sudoku.se.names import TECHNIQUES
from workers.kinds import sudoku_se, sudoku_se_canonical
from workers.kinds.sudoku_params import SudokuParams

CYCLE = "..63..9...2..............53...8.9..4.951...2.7.......984..32.....7.4......39.17.."
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
FULL = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def columns(rater, texts, unique=None, **params):
    puzzles = np.array([[int(sign) if sign != "." else 0 for sign in text] for text in texts],
                       np.uint8)  # fmt: skip
    sound = np.ones(len(texts), np.bool_) if unique is None else np.array(unique)
    made = rater.columns(puzzles, sound, SudokuParams(**params))
    assert set(made) == {field.name for field in rater.fields()}
    return {name: np.ma.MaskedArray(values).tolist() for name, values in made.items()}


def test_columns_are_the_ratings_and_the_techniques_used():
    made = columns(sudoku_se, [CYCLE])
    assert (made["er"], made["ep"], made["ed"]) == ([7.2], [1.2], [1.2])
    assert made["se_status"] == ["solved"]
    assert made["er_at_least"] == [None]
    used = {t.name: made[f"se_t_{t.name}"][0] for t in TECHNIQUES}
    assert used["xy_cycle"] >= 1
    assert used["nishio"] == 0


def test_a_puzzle_that_is_not_sound_has_nulls_and_a_full_grid_no_rating():
    for rater in (sudoku_se, sudoku_se_canonical):
        made = columns(rater, ["." * 81, FULL], unique=[False, True])
        assert {values[0] for values in made.values()} == {None}
        rating = [made[name][1] for name in made if name.startswith(("er", "ep", "ed"))]
        assert set(rating) == {None}


def test_over_budget_a_row_has_a_lower_bound_and_no_er():
    made = columns(sudoku_se, [HARD], se_budget=10_000)
    assert (made["er"], made["se_status"]) == ([None], ["over budget"])
    assert made["er_at_least"] == [9.0]  # no lower producer had a hint
    assert made["ed"] == [None]


def test_canonical_ratings_are_equal_for_isomorphs(random_isomorph):
    puzzle = np.array([int(sign) if sign != "." else 0 for sign in CYCLE], np.uint8)
    rng = np.random.default_rng(7)
    texts = ["".join(map(str, random_isomorph(puzzle, rng))).replace("0", ".") for _ in range(4)]
    made = columns(sudoku_se_canonical, [CYCLE, *texts])
    for name, values in made.items():
        assert len(set(values)) == 1, name
    assert made["er_canon"][0] == pytest.approx(7.2, abs=0.4)
