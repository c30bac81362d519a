"""Grading: what a step does to the board, score and level, and the path people read."""

import numpy as np
import pytest

from workers.engines.sudoku.board import apply, new_board, new_marks
from workers.engines.sudoku.geometry import CELL_UNITS, UNITS
from workers.engines.sudoku.grade import (
    CATALOGUE,
    CONTRADICTION,
    LEVEL_NAMES,
    SOLVED,
    STUCK,
    explain,
    find_steps,
    grade_batch,
    open_board,
    solve_path,
)
from workers.engines.sudoku.techniques.catalogue import tables, technique_named, tier_module
from workers.engines.sudoku.techniques.rows import new_results
from workers.engines.sudoku.text import parse_text
from workers.errors import ParamsError

# QQWing: easy no. 119, intermediate no. 39 (a naked pair), expert no. 1.
EASY = "..3....6............8.764.19......8..723...496....9....8..6.1..2..7.3...4.6....9."
MEDIUM = ".7.8.46....69.54.3.8..3..9...9..8.....451.86.......7.4...........76...1.3.8..1..."
EXPERT = ".....9.8....7.4......2....4.5.8..2....7.3..5..3697.....4......3...528..6..5.9..78"
PUZZLES = np.array([parse_text(text) for text in (EASY, MEDIUM, EXPERT)])

pytestmark = pytest.mark.nojit


def assert_views_agree(board) -> None:
    """Candidates by cell, by place and the counters tell the same story."""
    for cell in range(81):
        assert (board.values[cell] == 0) or (board.cells[cell] == 0)
    for unit in range(27):
        cells = UNITS[unit]
        unsolved = sum(1 << i for i in range(9) if board.values[cells[i]] == 0)
        assert board.unsolved[unit] == unsolved
        assert bool((board.last_cells >> unit) & 1) == (unsolved.bit_count() == 1)
        for digit in range(9):
            places = sum(1 << i for i in range(9) if (board.cells[cells[i]] >> digit) & 1)
            assert board.places[unit, digit] == places
    assert board.open == np.count_nonzero(board.values == 0)


def test_the_views_of_a_board_agree_after_every_step():
    board, marks = open_board(PUZZLES[1]), new_marks()
    assert_views_agree(board)
    while tier_module(1).next_step(board, marks, tables(1)) >= 0:
        apply(board, marks)
        assert_views_agree(board)
    assert board.open == 0


def test_a_batch_counts_the_steps_of_each_path():
    grades = grade_batch(PUZZLES)
    for row, puzzle in enumerate(PUZZLES):
        path = solve_path(puzzle)
        assert grades.steps[row] == len(path)
        for index, technique in enumerate(CATALOGUE):
            used = sum(step.technique is technique for step in path)
            assert grades.counts[row, index] == used
        assert grades.score[row] == sum(step.technique.score for step in path)


def test_a_path_solves_the_puzzle_it_is_graded_as_solving():
    solution = PUZZLES[1].copy()
    for step in solve_path(PUZZLES[1]):
        for cell, digit in step.placements:
            solution[cell] = digit
    for cells in UNITS:
        assert sorted(solution[cells]) == list(range(1, 10))


def test_rows_do_not_depend_on_their_batch():
    together = grade_batch(PUZZLES)
    for row, puzzle in enumerate(PUZZLES):
        alone = grade_batch(puzzle[np.newaxis])
        for column, values in zip(together, alone, strict=True):
            assert np.array_equal(column[row], values[0])


def test_a_puzzle_beyond_the_techniques_is_stuck_and_has_no_level():
    grades = grade_batch(PUZZLES[2:], max_tier=1)
    assert (grades.status[0], grades.level[0]) == (STUCK, -1)
    assert grades.steps[0] == grades.counts[0].sum()


def test_the_hardest_technique_is_the_last_of_the_highest_level():
    grades = grade_batch(PUZZLES[:2])
    assert CATALOGUE[grades.hardest[0]].name == "hidden_single"
    assert CATALOGUE[grades.hardest[1]].name == "naked_pair"


def test_a_disabled_technique_is_not_used():
    grades = grade_batch(PUZZLES[1:2], max_tier=1, disabled=["naked_pair"])
    assert grades.counts[0, CATALOGUE.index(technique_named("naked_pair"))] == 0
    assert grades.counts[0].sum() > 0


@pytest.mark.parametrize(
    ("each", "level"),
    [(14, "easy"), (15, "medium"), (20, "hard"), (30, "unfair"), (40, "extreme")],
)
def test_a_score_above_the_limit_raises_the_level(each, level):
    table = tables(1)
    table["score"] = each
    results = new_results(1, len(CATALOGUE))
    tier_module(1).grade_rows(PUZZLES[:1], table, results, new_board(), new_marks())
    assert results.steps[0] == 56
    assert results.score[0] == 56 * each  # limits: 800, 1000, 1600, 1800
    assert LEVEL_NAMES[results.level[0]] == level


@pytest.mark.parametrize(
    "text",
    [
        "11" + "." * 79,  # a digit twice in a row
        "12345678." + "." * 17 + "9" + "." * 54,  # r1c9 can only be 9, which r3c9 holds
        "1" + "." * 9 + "1" + "." * 70,  # a digit twice in a box
    ],
)
def test_clues_that_clash_end_in_a_contradiction(text):
    assert grade_batch(parse_text(text)[np.newaxis]).status[0] == CONTRADICTION
    assert solve_path(parse_text(text)) == []


def test_an_empty_grid_is_stuck_at_once():
    grades = grade_batch(np.zeros((1, 81), dtype=np.uint8), max_tier=2)
    assert (grades.status[0], grades.steps[0], grades.hardest[0]) == (STUCK, 0, -1)


def test_a_solved_grid_takes_no_step():
    solution = PUZZLES[0].copy()
    for step in solve_path(PUZZLES[0]):
        for cell, digit in step.placements:
            solution[cell] = digit
    grades = grade_batch(solution[np.newaxis])
    assert (grades.status[0], grades.score[0], grades.level[0]) == (SOLVED, 0, 0)


def test_no_puzzles_give_no_rows():
    grades = grade_batch(np.zeros((0, 81), dtype=np.uint8))
    assert grades.counts.shape == (0, len(CATALOGUE))


def test_a_value_that_is_no_digit_is_refused():
    with pytest.raises(ParamsError, match="12 is not a digit"):
        grade_batch(np.full((1, 81), 12, dtype=np.uint8))


def test_a_single_names_the_unit_it_is_seen_in():
    for step in solve_path(PUZZLES[0]):
        for unit in step.units:
            assert unit in CELL_UNITS[step.cells[0]]
        assert len(step.units) == (step.technique.name != "naked_single")


def test_finding_steps_changes_nothing():
    board = open_board(PUZZLES[2])
    before = board.cells.copy(), board.values.copy(), board.places.copy()
    for technique in filter(lambda technique: technique.enabled, CATALOGUE):
        find_steps(board, technique, most=5)
    for old, new in zip(before, (board.cells, board.values, board.places), strict=True):
        assert np.array_equal(old, new)


def test_a_step_reads_as_a_sentence():
    sentences = [explain(step) for step in solve_path(PUZZLES[1])]
    assert all(sentence.isprintable() and "{" not in sentence for sentence in sentences)
    assert "Naked Pair 5,9 in r9c5, r9c7 (row 9): removes 9 from r9c2" in sentences
