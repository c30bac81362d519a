"""Levels files: what they accept, what they say when wrong, and the levels they give."""

from pathlib import Path

import pyarrow as pa
import pytest

from pipeline.levels import Levels, load_levels
from workers.errors import ConfigError

CUTS = """
name = "cuts"
[[level]]
name = "gentle"
when = { score = { below = 2.5 } }
[[level]]
name = "fair"
when = { score = { from = 2.5, below = 4.0 } }
[[level]]
name = "tough"
when = { score = { from = 4.0 } }
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "own.toml"
    path.write_text(text)
    return path


def test_levels_1_names_the_levels_of_hodoku_and_one_beyond() -> None:
    levels = load_levels("levels-1")
    assert levels.names == ["easy", "medium", "hard", "expert", "extreme", "beyond"]
    assert levels.columns == ["n_solutions", "hodoku_level"]


def test_levels_1_knows_every_level_that_the_grader_gives() -> None:
    from workers.engines.sudoku.grade import LEVEL_NAMES

    rows = {"n_solutions": [1] * len(LEVEL_NAMES), "hodoku_level": list(LEVEL_NAMES)}
    assert load_levels("levels-1").rank(pa.table(rows)).tolist() == [1, 2, 3, 4, 5]


def test_levels_1_gives_a_level_to_every_puzzle_with_one_solution() -> None:
    rows = {
        "n_solutions": [1, 1, 1, 1, 1, 1, 2, 0, None],
        "hodoku_level": ["easy", "medium", "hard", "unfair", "extreme", None, None, "easy", "hard"],
    }
    level, rank = load_levels("levels-1").apply(pa.table(rows))
    expected = ["easy", "medium", "hard", "expert", "extreme", "beyond", None, None, None]
    assert level.to_pylist() == expected
    assert rank.to_pylist() == [1, 2, 3, 4, 5, 6, None, None, None]
    assert (level.type, rank.type) == (pa.string(), pa.int8())


def test_rows_have_no_level_when_the_rater_was_not_run() -> None:
    level, rank = load_levels("levels-1").apply(pa.table({"n_solutions": [1, 2]}))
    assert level.to_pylist() == rank.to_pylist() == [None, None]


def test_cut_points_are_closed_below_and_open_above(tmp_path: Path) -> None:
    levels = load_levels(written(tmp_path, CUTS))
    scores = pa.table({"score": [0.0, 2.4999, 2.5, 3.9, 4.0, 99.0, None]})
    assert levels.rank(scores).tolist() == [1, 1, 2, 2, 3, 3, 0]


def test_the_first_level_whose_tests_hold_wins(tmp_path: Path) -> None:
    text = CUTS.replace("{ from = 2.5, below = 4.0 }", "{ from = 1, below = 4 }")
    levels = load_levels(written(tmp_path, text))
    assert levels.rank(pa.table({"score": [1.5]})).tolist() == [1]


def test_a_list_matches_any_of_its_values() -> None:
    levels = Levels.from_table(
        {"name": "x", "level": [{"name": "a", "when": {"colour": ["red", "blue"]}}]}
    )
    assert levels.rank(pa.table({"colour": ["blue", "green", None, "red"]})).tolist() == [
        1,
        0,
        0,
        1,
    ]


def test_an_empty_table_gives_empty_columns() -> None:
    level, rank = load_levels("levels-1").apply(
        pa.table(
            {"n_solutions": pa.array([], pa.int8()), "hodoku_level": pa.array([], pa.string())}
        )
    )
    assert len(level) == len(rank) == 0


def test_a_levels_file_survives_the_run_record(tmp_path: Path) -> None:
    for levels in (load_levels("levels-1"), load_levels(written(tmp_path, CUTS))):
        assert Levels.from_table(levels.table) == levels


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = 'x'", "missing required field `level`"),
        ("name = 'x'\nlevel = []", "length >= 1"),
        (CUTS.replace('"fair"', '"gentle"'), "level 'gentle' stands twice"),
        (CUTS.replace('"fair"', '"Fair One"'), "$.level[1].name"),
        (CUTS.replace("from = 2.5, below = 4.0", "from = 5, below = 4.0"), "from 5 is not below 4"),
        (CUTS.replace("from = 2.5, below = 4.0", "null = true, below = 4.0"), "null = true alone"),
        (CUTS.replace("from = 2.5", "form = 2.5"), "unknown field `form`"),
        (CUTS.replace("{ score = { below = 2.5 } }", "{}"), "length >= 1"),
        ("name = ", "not TOML"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line_that_names_it(
    tmp_path: Path, text: str, said: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load_levels(path)
    assert str(path) in str(caught.value)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="levels-1"):
        load_levels("levels-11")


def test_a_test_of_another_type_than_its_column_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"easy: column hodoku_level \(int8\)"):
        load_levels("levels-1").rank(
            pa.table({"n_solutions": [1], "hodoku_level": pa.array([1], pa.int8())})
        )
