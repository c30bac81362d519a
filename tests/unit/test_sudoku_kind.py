"""What a Sudoku row says: of sound puzzles, of broken ones, of those that ran out of a budget."""

import hashlib

import msgspec
import numpy as np
import pytest

from workers.contracts import JobSpec
from workers.errors import BudgetError, ManySolutions, NoSolution, ParamsError, ParseError
from workers.kinds import sudoku_columns
from workers.kinds.sudoku import EASY, HARD, KIND, SudokuParams
from workers.tables import Origin, shard_schema, table_from_columns

SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
RATERS = ("basic", "hodoku")


def rows(*texts, raters=RATERS):
    packed = np.array([list(text.encode()) for text in texts], np.uint8)
    columns = KIND.grade(packed, SudokuParams(), raters)
    schema = shard_schema(KIND.schema(raters))
    return table_from_columns(columns, schema, Origin(0, None, np.arange(len(texts)))).to_pylist()


def hodoku_columns(row):
    return {name: row[name] for name in row if name.startswith(("hodoku", "hard"))}


def test_a_sound_puzzle_has_every_basic_column():
    (row,) = rows(EASY)
    assert row["solution"] == SOLVED
    assert (row["n_solutions"], row["reason"], row["clues"]) == (1, None, 30)
    assert (row["minimal"], row["symmetry"], row["automorphisms"]) == (False, "rotate180", 1)
    assert row["guesses"] == 0
    assert row["search_nodes"] >= 1


def test_the_key_is_the_hash_of_the_canonical_text():
    puzzle, grid = rows(EASY, SOLVED)
    for row in (puzzle, grid):
        text = row["canonical"].encode()
        assert row["key"] == hashlib.blake2b(text, digest_size=16).digest()
    assert puzzle["solution_key"] == grid["key"] == grid["solution_key"]
    assert len(puzzle["canonical"]) == 81


def test_a_graded_puzzle_has_score_level_and_counts():
    (row,) = rows(EASY)
    counts = {name: n for name, n in row.items() if name.startswith("hodoku_t_")}
    assert row["hodoku_level"] == "easy"
    assert sum(counts.values()) == row["hodoku_steps"] == 51
    assert row["hardest_technique"] in {"naked_single", "hidden_single"}
    assert len(counts) > 10


def test_a_puzzle_beyond_the_techniques_has_counts_but_no_score():
    (row,) = rows(HARD)
    assert row["n_solutions"] == 1
    assert row["reason"] is None
    assert row["hodoku_score"] is None
    assert row["hodoku_level"] is None
    assert row["hodoku_steps"] is not None


@pytest.mark.parametrize(
    ("text", "reason", "count"),
    [
        ("." * 81, "several solutions", 2),
        (EASY[:60].ljust(81, "."), "several solutions", 2),
        ("12345678.........9".ljust(81, "."), "no solution", 0),
        ("1.1".ljust(81, "."), "a digit twice in row 1", 0),
        ("1........1".ljust(81, "."), "a digit twice in column 1", 0),
        ("1.........1".ljust(81, "."), "a digit twice in box 1", 0),
        ("1" * 81, "a digit twice in row 1", 0),
    ],
)
def test_a_broken_puzzle_keeps_its_row_and_says_why(text, reason, count):
    (row,) = rows(text)
    assert (row["reason"], row["n_solutions"]) == (reason, count)
    assert row["puzzle"] == text
    nothing = ("solution", "solution_key", "minimal", *hodoku_columns(row))
    assert {row[name] for name in nothing} == {None}
    assert row["key"] is not None


def test_a_puzzle_over_the_canonical_budget_has_a_key_of_its_own(monkeypatch):
    whole = rows(EASY)[0]
    real = sudoku_columns.canonical_batch
    monkeypatch.setattr(sudoku_columns, "canonical_batch", lambda puzzles: real(puzzles, 3))
    over, same, other = rows(EASY, EASY, EASY[::-1])
    assert over["canonical"] is None
    assert over["automorphisms"] is None
    assert over["key"] == same["key"]
    assert over["key"] not in {whole["key"], other["key"]}
    packed = np.array([list(EASY.encode())], np.uint8)
    assert bytes(KIND.key(packed)[0]) == over["key"]


def test_a_puzzle_over_the_search_budget_says_so(monkeypatch):
    real = sudoku_columns.solve_batch
    monkeypatch.setattr(sudoku_columns, "solve_batch", lambda p, limit: real(p, limit, budget=5))
    (row,) = rows(HARD)
    assert row["reason"] == "search budget ran out"
    assert (row["n_solutions"], row["solution"], row["hodoku_level"]) == (None, None, None)


def test_other_signs_for_empty_are_read_and_dots_are_written():
    assert KIND.parse(EASY.replace(".", "0")) == KIND.parse(EASY.replace(".", "_")) == EASY
    with pytest.raises(ParseError):
        KIND.parse(EASY[:-1])


@pytest.mark.parametrize("params", [{}, {"symmetry": "rotate180"}, {"minimal": False}])
def test_generated_puzzles_are_as_ordered(params):
    made = KIND.generate(5, 8, msgspec.convert(params, SudokuParams), ())
    assert np.ma.getmaskarray(made["reason"]).all()
    assert made["minimal"].all() or not params.get("minimal", True)
    if "symmetry" in params:
        assert set(made["symmetry"]) <= {"rotate180", "rotate90", "mirrors", "diagonals", "full"}


def test_clues_stay_in_the_ordered_range():
    params = SudokuParams(clues=(30, 32), minimal=False)
    made = KIND.generate(5, 12, params, ())
    assert set(made["clues"]) <= {30, 31, 32}


def test_an_order_that_is_too_rare_is_given_up():
    with pytest.raises(BudgetError, match="3 grids tried"):
        KIND.generate(5, 2, SudokuParams(clues=(17, 17), attempts=3), ())


@pytest.mark.parametrize(
    "params",
    [{"symmetry": "round"}, {"clues": [16, 20]}, {"clues": [30, 20]}, {"attempts": 0}, {"x": 1}],
)
def test_parameters_out_of_range_are_refused(params):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(params, SudokuParams)


def test_parameters_come_from_json():
    spec = JobSpec("sudoku", "generate", RATERS, 1, {"clues": [20, 30]}, 1, 1, 1)
    again = msgspec.json.decode(msgspec.json.encode(spec), type=JobSpec)
    assert msgspec.convert(again.params, SudokuParams).clues == (20, 30)


def test_solving_counts_up_to_the_limit():
    one = KIND.solve(EASY)
    assert (one["n_solutions"], one["solution"], one["method"]) == (1, SOLVED, "search")
    assert one["nodes"] >= 1
    several = EASY[:60].ljust(81, ".")
    assert KIND.solve(several)["n_solutions"] == 2
    every = KIND.solve(several, limit=50)
    assert every["n_solutions"] == len(set(every["solutions"])) == 50
    assert KIND.solve("11".ljust(81, "."))["solution"] is None
    with pytest.raises(ParamsError, match="search"):
        KIND.solve(EASY, "magic")


def test_a_path_leads_to_the_solution():
    steps = KIND.explain(EASY)
    cells = {tuple(placed) for step in steps for placed in step["placements"]}
    assert len(cells) == 51
    assert all(SOLVED[9 * int(cell[1]) + int(cell[3]) - 10] == str(digit) for cell, digit in cells)
    assert steps[0]["text"]


def test_only_a_puzzle_with_one_solution_is_explained():
    with pytest.raises(ManySolutions):
        KIND.explain("." * 81)
    with pytest.raises(NoSolution):
        KIND.explain("11".ljust(81, "."))
    with pytest.raises(ParamsError, match="hodoku"):
        KIND.explain(EASY, "magic")
