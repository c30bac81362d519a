"""Puzzlemill from Python: kinds told from texts, frames of rows, errors that name the cause."""

import doctest

import numpy as np
import pyarrow as pa
import pytest

from pipeline import api
from workers.errors import ParamsError, ParseError, UsageError
from workers.kinds import registry


def test_the_docstring_gives_what_it_shows() -> None:
    result = doctest.testmod(api)
    assert result.failed == 0
    assert result.attempted > 3


def test_every_public_function_is_there_and_documented() -> None:
    assert all(getattr(api, name).__doc__ for name in api.__all__)


def test_the_kind_is_told_from_the_texts() -> None:
    assert api.find_kind(None, ["123", "45"]).name == "null"
    assert api.find_kind(None, ["." * 81]).name == "sudoku"
    assert api.find_kind(None, ["neither of them"]).name == api.DEFAULT_KIND
    assert api.find_kind("null", ["." * 81]).name == "null"


def test_one_text_or_many_give_a_frame_in_order() -> None:
    assert api.grade("7", kind="null")["number"].tolist() == [7]
    frame = api.grade(["3", "1", "2"], kind="null")
    assert frame["number"].tolist() == [3, 1, 2]
    assert "job" not in frame


def test_a_null_stays_a_null_and_an_integer_an_integer() -> None:
    frame = api.generate(count=2, seed=1, kind="null")
    assert frame["reason"].isna().all()
    assert frame["source_line"].isna().all()
    assert str(frame["row"].dtype) == "int32[pyarrow]"


def test_a_seed_gives_the_rows_of_a_plan_with_that_seed() -> None:
    frame = api.generate(count=api.JOB_ROWS + 2, seed=4, kind="null")
    kind = registry.get("null")
    second = kind.generate(api.job_seed(4, 1), 2, kind.params_type(), ("basic",))
    assert frame["number"].tolist()[-2:] == second["number"].tolist()
    assert frame["job"].tolist() == [0] * api.JOB_ROWS + [1, 1]


def test_without_a_seed_puzzles_differ() -> None:
    first, second = (api.generate(count=3, kind="null")["number"].tolist() for _ in range(2))
    assert first != second


def test_parameters_are_those_of_the_kind() -> None:
    assert api.generate(count=20, seed=1, kind="null", limit=10)["number"].max() < 10
    with pytest.raises(ParamsError, match="nonesuch"):
        api.generate(count=1, kind="null", nonesuch=1)
    with pytest.raises(ParamsError, match="limit"):
        api.generate(count=1, kind="null", limit="x")


def test_wrong_input_is_a_usage_error() -> None:
    with pytest.raises(ParseError, match="81"):
        api.grade("." * 80, kind="sudoku")
    with pytest.raises(UsageError, match="nonesuch"):
        api.solve("1", kind="nonesuch")
    with pytest.raises(UsageError, match="known: basic"):
        api.grade("1", kind="null", raters=["nonesuch"])
    with pytest.raises(UsageError, match="canonical"):
        api.canonical("1", kind="null")
    with pytest.raises(UsageError, match="seed"):
        api.generate(seed=-1, kind="null")


def test_texts_are_packed_with_blanks_on_the_right() -> None:
    packed = api.packed(["1", "22"])
    assert packed.dtype == np.uint8
    assert [row.tobytes() for row in packed] == [b"1 ", b"22"]


def test_long_lists_come_in_parts() -> None:
    texts = (str(number) for number in range(api.GRADE_ROWS + 1))
    tables = list(api.graded(registry.get("null"), texts))
    assert [table.num_rows for table in tables] == [api.GRADE_ROWS, 1]
    assert pa.concat_tables(tables).column("number").to_pylist() == list(range(api.GRADE_ROWS + 1))
