"""The raters of the documents' systems: what their columns say of one puzzle and of many."""

import numpy as np
import pytest

from workers.engines.sudoku.seeds.analytic import METHOD_NAMES
from workers.kinds.sudoku import EASY, HARD, KIND, SudokuParams
from workers.tables import Origin, shard_schema, table_from_columns

LEO = "900104002080060070000000000400000001070000030300000007000000000030070080100209004"
NEAR_WORST = "000000000000003085001020000000507000004000100090000000500000073002010000000040009"
FRENCH = "080400000007010600500003040300002500001070000000500009005300007020008030000060900"
FULL = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
BROKEN = ("." * 81, "11".ljust(81, "."), EASY[:60].ljust(81, "."))
OWN = ("brute", "analytic", "human-path")


def rows(*texts, raters=OWN, **params):
    packed = np.array([list(KIND.parse(text).encode()) for text in texts], np.uint8)
    columns = KIND.grade(packed, SudokuParams(**params), raters)
    schema = shard_schema(KIND.schema(raters))
    return table_from_columns(columns, schema, Origin(0, None, np.arange(len(texts)))).to_pylist()


def names_of(rater):
    basic = set(KIND.schema(()).names)
    return [name for name in KIND.schema((rater,)).names if name not in basic]


def test_a_rater_has_its_columns_and_a_plan_may_leave_it_out():
    for rater in OWN:
        assert all(name.startswith(rater.replace("-", "_")) for name in names_of(rater))
        assert rater not in KIND.default_raters
    assert {"brute_iterations", "brute_digit_tests", "brute_censored"} == set(names_of("brute"))
    (row,) = rows(EASY, raters=("basic",))
    assert not any(name.startswith(("brute", "analytic", "human")) for name in row)


def test_the_documents_grids_have_their_figures():
    leo, worst, french = rows(LEO, NEAR_WORST, FRENCH, brute_budget=100_000_000)
    assert (leo["brute_iterations"], leo["brute_digit_tests"]) == (483_974, 4_355_517)
    assert (worst["brute_iterations"], worst["brute_digit_tests"]) == (69_175_317, 622_577_597)
    assert {row["brute_censored"] for row in (leo, worst, french)} == {False}
    assert [row["analytic_level"] for row in (leo, worst, french)] == [2, 0, 3]
    assert (leo["human_path_guesses"], worst["human_path_guesses"]) == (0, 0)
    assert french["human_path_guesses"] >= 1
    assert french["human_path_hardest"] == 11


@pytest.mark.parametrize("text", [EASY, HARD, LEO, FRENCH])
def test_columns_are_what_solving_tells(text):
    (row,) = rows(text)
    brute, analytic, human = (KIND.solve(text, method) for method in OWN)
    assert row["brute_iterations"] == brute["iterations"]
    assert row["brute_digit_tests"] == brute["digit_tests"]
    assert row["analytic_level"] == analytic["level"]
    assert row["analytic_filled"] == analytic["filled"]
    assert row["analytic_suppositions"] == analytic["suppositions"]
    for name, times in analytic["counts"].items():
        assert row[f"analytic_t_{name}"] == times
    assert row["human_path_score"] == human["score"]
    assert row["human_path_hardest"] == human["hardest"]
    assert row["human_path_guesses"] == human["counts"].pop("guess")
    for name, times in human["counts"].items():
        assert row[f"human_path_t_{name}"] == times


def test_a_puzzle_that_is_not_sound_has_nulls():
    for row in rows(*BROKEN):
        assert {row[name] for rater in OWN for name in names_of(rater)} == {None}


def test_a_full_grid_needs_nothing():
    (row,) = rows(FULL)
    assert (row["brute_iterations"], row["brute_digit_tests"]) == (1, 0)
    assert (row["analytic_level"], row["analytic_filled"]) == (0, 81)
    assert {row[f"analytic_t_{name}"] for name in METHOD_NAMES} == {0}
    assert (row["human_path_score"], row["human_path_hardest"]) == (0, None)


def test_a_count_over_its_budget_is_censored_and_a_lower_bound():
    easy, leo = rows(EASY, LEO, brute_budget=10_000)
    assert easy["brute_censored"] is False
    assert (leo["brute_iterations"], leo["brute_censored"]) == (10_000, True)
    assert KIND.params_type().brute_budget == 10_000_000


def test_reasoning_over_its_budget_says_so():
    easy, french = rows(EASY, FRENCH, analytic_budget=20, human_path_budget=40)
    assert (easy["analytic_level"], easy["analytic_censored"]) == (0, False)
    assert (french["analytic_level"], french["analytic_censored"]) == (None, True)
    assert french["analytic_suppositions"] == 20
    assert french["analytic_filled"] < 81
    assert french["human_path_score"] is None
    assert french["human_path_guesses"] is not None


def test_raters_do_not_depend_on_the_batch():
    texts = [EASY, LEO, *BROKEN, FRENCH, HARD, FULL]
    together = rows(*texts)
    apart = [rows(text)[0] for text in texts]
    rated = [name for rater in OWN for name in names_of(rater)]
    for one, other in zip(together, apart, strict=True):
        assert {name: one[name] for name in rated} == {name: other[name] for name in rated}
