"""The formula kind: rows of solve, raters, parameters, levels."""

import math

import msgspec
import numpy as np
import pytest

from pipeline import api
from pipeline.levels import load_levels
from pipeline.schemas import value_faults
from workers.compile import needs_kernels
from workers.errors import ParamsError, ParseError
from workers.kinds import registry
from workers.kinds.formula import FormulaKind
from workers.kinds.formula_params import FormulaParams

FIRST = "uniform-acceleration data: xs=30 vs=10 astart=-10 x=10 goals: to tt environment: to>0"
SECOND = "uniform-acceleration data: xs=30 vs=10 astart=-9.8 rules: v=0 goals: x"
CYCLE = "uniform-acceleration data: xs=30 vs=10 goals: x"
KIND = registry.get("formula")


def test_the_kind_needs_no_kernels_and_others_do() -> None:
    assert isinstance(KIND, FormulaKind)
    assert [needs_kernels(name) for name in ("formula", "null", "sudoku")] == [False, False, True]


def test_a_solved_row_has_answers_errors_and_the_journal() -> None:
    row = KIND.solve(FIRST, "seed")
    assert (row["status"], row["n_solutions"]) == ("not found", 0)
    assert row["solution"] == "tt=3.236067977"
    assert row["answers"] == {"to": [], "tt": [pytest.approx(3.23606797749979)]}
    assert row["errors"] == [
        {"error": "no-value", "text": "constraint leaves no value for to (to>0)"}
    ]
    assert row["log"][-3:] == ["to = not found", "tt = 3.23606798", f"error: {row['reason']}"]
    row = KIND.solve(SECOND, "seed")
    assert (row["iterations"], row["counts"]["auxiliary"]) == (3, 1)
    assert row["values"]["x"] == pytest.approx(35.10204082, abs=1e-8)
    assert row["units"]["x"] == "m"
    assert [step["technique"] for step in row["steps"]] == [
        "rule", "value", "goal", "missing", "auxiliary", "value", "value",
    ]  # fmt: skip


def test_remarks_are_no_errors() -> None:
    row = KIND.solve("uniform-acceleration data: v=5 goals: v")
    assert (row["solution"], row["errors"], row["n_solutions"]) == ("v=5", [], 1)
    assert row["remarks"] == [
        {"error": "given-and-sought", "text": "v is given and sought (redundant)"}
    ]


def test_an_explanation_ends_with_the_fault() -> None:
    steps = KIND.explain(CYCLE, "best")
    assert steps[-1] == {"technique": "fault", "text": "cycle: v > astart > v", "cells": []}


def test_a_malformed_task_says_where() -> None:
    with pytest.raises(ParseError) as refused:
        KIND.parse(SECOND.replace("v=0", "q=0"))
    assert refused.value.position == SECOND.index("v=0")
    assert "undefined name in rules: 'q'" in str(refused.value)


def test_the_kind_is_told_from_a_text_even_a_malformed_one() -> None:
    assert api.find_kind(None, [SECOND]).name == "formula"
    assert api.find_kind(None, ["nowhere data: x=1 goals: y"]).name == "formula"
    assert api.find_kind(None, ["." * 81]).name == "sudoku"
    assert api.find_kind(None, ["what is this"]).name == "sudoku"


def test_graded_rows_have_levels_units_and_reasons() -> None:
    rows = api.grade([SECOND, FIRST, CYCLE, "projectile data: v=20 w=30 goals: alpha"])
    assert rows["n_solutions"].tolist() == [1, 0, 0, 2]
    assert rows["level"].tolist()[0] == "medium"
    assert rows["level"].isna().tolist() == [False, True, True, True]
    assert rows["reason"].tolist()[1:] == [
        "constraint leaves no value for to (to>0)",
        "cycle: v > astart > v",
        "several values for alpha",
    ]
    assert rows["answer"].tolist()[0] == pytest.approx(35.1020408163)
    assert rows["unit"].tolist()[0] == "m"
    assert rows["rules_used"].tolist()[0] == 1
    assert rows["seed_iterations"].tolist()[0] == 3


def test_batches_give_what_single_tasks_give() -> None:
    texts = api.generate(40, seed=3, kind="formula")["puzzle"].tolist()
    raters = list(KIND.rater_versions)
    together = api.grade(texts, "formula", raters)
    for number, text in enumerate(texts):
        alone = api.grade(text, "formula", raters)
        assert alone.equals(together.iloc[[number]].reset_index(drop=True))


def test_generated_rows_are_within_the_ranges_of_a_corpus() -> None:
    params = FormulaParams(formulas=(2, 3), distractors=(1, 1))
    (table,) = api.generated(KIND, 50, 11, params, tuple(KIND.rater_versions))
    assert value_faults(table) == []
    assert set(table.column("n_solutions").to_pylist()) == {1}
    assert set(table.column("formulas").to_pylist()) == {2, 3}
    assert set(table.column("distractors").to_pylist()) == {1}
    assert all(map(math.isfinite, table.column("answer").to_pylist()))
    assert table.column("level").null_count == 0
    words = table.column("wording_de").to_pylist()
    assert all("Gegeben:" in text and "Gesucht:" in text for text in words)


def test_levels_rise_with_the_score() -> None:
    (table,) = api.generated(KIND, 250, 5, FormulaParams(), ("basic", "derivation"))
    ranks = np.array(table.column("level_rank").to_pylist())
    scores = np.array(table.column("formula_score").to_pylist())
    order = np.argsort(scores, kind="stable")
    assert (np.diff(ranks[order]) >= 0).all()
    assert set(ranks) == set(range(1, 6))
    assert load_levels("formulas-levels-1").names[0] == "easy"


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"templates": ["nowhere"]}, "'nowhere' is none of compound-interest"),
        ({"templates": []}, "length >= 1"),
        ({"formulas": [3, 2]}, "formulas: 3 is more than 2"),
        ({"formulas": [0, 2]}, ">= 1"),
        ({"distractors": [0, 99]}, "<= 8"),
        ({"oops": 1}, "unknown"),
    ],
)
def test_wrong_parameters_are_named(params: dict[str, object], said: str) -> None:
    with pytest.raises(ParamsError, match=said):
        api.checked_params(KIND, params)


def test_parameters_have_limits_when_read_from_a_plan() -> None:
    with pytest.raises(msgspec.ValidationError, match="distractors"):
        msgspec.convert({"distractors": [4, 2]}, FormulaParams)


def test_an_unknown_limit_is_refused() -> None:
    with pytest.raises(ParamsError, match="limit"):
        KIND.solve(SECOND, limit=0)
