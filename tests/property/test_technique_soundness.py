"""No technique ever removes a digit of the solution, on any list of real puzzles."""

import csv
import itertools
from pathlib import Path

import numpy as np
import pytest

from workers.engines.sudoku.board import apply, new_marks
from workers.engines.sudoku.grade import (
    CATALOGUE,
    CONTRADICTION,
    find_steps,
    grade_batch,
    open_board,
)
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.techniques.catalogue import LAST_TIER, tables, tier_module
from workers.engines.sudoku.text import parse_text

LISTS = (
    "17_clue_49158.txt",
    "forum_hardest_1106.txt",
    "forum_hardest_1905_11plus.txt",
    "kaggle_sample.txt",
    "nullsudoku_qqwing_se.csv",
    "norvig_hardest.txt",
    "qqwing_easy_1000.txt",
    "qqwing_expert_1000.txt",
    "qqwing_intermediate_1000.txt",
    "qqwing_simple_1000.txt",
    "top1465.txt",
    "top95.txt",
)


ALL_TECHNIQUES = tables(LAST_TIER)
next_step = tier_module(LAST_TIER).next_step


def sample(path: Path, size: int) -> np.ndarray:
    """Up to `size` puzzles with one solution, spread over the whole list."""
    with path.open(encoding="ascii") as file:
        texts = [row[0][:81] for row in csv.reader(file) if len(row[0]) >= 81]
    puzzles = np.array([parse_text(text) for text in texts[:: max(1, len(texts) // size)]])
    return puzzles[solve_batch(puzzles).counts == 1]


@pytest.mark.parametrize("name", LISTS)
def test_graded_puzzles_keep_their_solution(shared_data, name):
    puzzles = sample(shared_data / name, 30)
    solutions = solve_batch(puzzles).solutions
    for puzzle, solution in zip(puzzles, solutions, strict=True):
        board, marks = open_board(puzzle), new_marks()
        kept = 1 << (solution.astype(np.int64) - 1)
        while next_step(board, marks, ALL_TECHNIQUES) >= 0:
            apply(board, marks)
            unsolved = board.values == 0
            assert (board.values[~unsolved] == solution[~unsolved]).all()
            assert (board.cells[unsolved] & kept[unsolved]).all()


@pytest.mark.parametrize("name", LISTS)
def test_all_steps_along_a_path_agree_with_the_solution(shared_data, name):
    """Not only the step that is applied: all that every technique finds at every stage, and the
    first of what chains and ALS, with hundreds of steps a board, find at some of them.
    """
    puzzles = sample(shared_data / name, 2)
    for puzzle, solution in zip(puzzles, solve_batch(puzzles).solutions, strict=True):
        board, marks = open_board(puzzle), new_marks()
        stages = itertools.count()
        while next_step(board, marks, ALL_TECHNIQUES) >= 0:
            last = LAST_TIER if next(stages) % 16 == 8 else 2
            for technique in filter(lambda technique: technique.enabled, CATALOGUE):
                if technique.tier > last:
                    continue
                for step in find_steps(board, technique, None if technique.tier <= 2 else 10):
                    assert all(solution[cell] == digit for cell, digit in step.placements)
                    assert all(solution[cell] != digit for cell, digit in step.eliminations)
            apply(board, marks)


@pytest.mark.parametrize("name", LISTS)
def test_no_graded_puzzle_ends_in_a_contradiction(shared_data, name):
    puzzles = sample(shared_data / name, 200)
    assert CONTRADICTION not in grade_batch(puzzles, LAST_TIER).status
