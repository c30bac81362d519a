"""Twenty thousand real puzzles: steps that hold, texts that name what is there, equal grades."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workers.engines.sudoku.board import (
    CELLS,
    CHAIN,
    ENDO_FINS,
    FINS,
    PLACED,
    REMOVED,
    apply,
    new_marks,
)
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.grade import (
    CATALOGUE,
    CONTRADICTION,
    STUCK,
    explain,
    grade_batch,
    open_board,
    step_of,
)
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.techniques.catalogue import LAST_TIER, tables, tier_module
from workers.engines.sudoku.text import EMPTY_CHARACTERS, parse_text

LISTS = {
    "17_clue_49158.txt": 6500,
    "cloud_sudoku_human_times.csv": 1533,
    "forum_hardest_1106.txt": 375,
    "forum_hardest_1905_11plus.txt": 400,
    "hodoku_ratings_dev.csv": 2887,
    "kaggle_sample.txt": 400,
    "norvig_hardest.txt": 11,
    "nullsudoku_qqwing_se.csv": 6000,
    "qqwing_easy_1000.txt": 1000,
    "qqwing_expert_1000.txt": 1000,
    "qqwing_intermediate_1000.txt": 1000,
    "qqwing_simple_1000.txt": 1000,
    "top1465.txt": 1465,
    "top95.txt": 95,
}
"""List -> how many of its puzzles are taken, spread over the whole list."""
PUZZLE = re.compile(f"[1-9{re.escape(EMPTY_CHARACTERS)}]{{81}}")
CELL_NAME = re.compile(r"r([1-9])c([1-9])")
PATTERN = (CELLS, FINS, ENDO_FINS)
TABLES = [tables(tier) for tier in range(1, LAST_TIER + 1)]
SOLVED_CELLS = {"avoidable_rectangle_1", "avoidable_rectangle_2"}
"""Techniques that reason from cells which are solved, and no clues."""


def puzzles_of(folder: Path, share: float) -> Digits:
    """Different puzzles with one solution, that share of what LISTS says of each list."""
    texts = []
    for name, most in LISTS.items():
        with (folder / name).open(encoding="ascii") as file:
            fields = (field for row in csv.reader(file) for field in row)
            listed = [field for field in fields if PUZZLE.fullmatch(field)]
        texts += listed[:: max(1, int(len(listed) / (most * share)))]
    puzzles = np.array([parse_text(text) for text in dict.fromkeys(texts)])
    kept: Digits = puzzles[solve_batch(puzzles).counts == 1]
    return kept


def steps_along(board: Any, marks: Any) -> Iterator[int]:
    """Mark step by step what solves the board; the caller looks before it is applied."""
    tier = 1
    while board.open and not board.broken and tier <= LAST_TIER:
        index = tier_module(tier).next_step(board, marks, TABLES[tier - 1])
        tier = 1 if index >= 0 else tier + 1
        if index >= 0:
            yield index
            apply(board, marks)


def assert_holds(board: Any, marks: Any, solution: list[int]) -> None:
    """The step is right, changes what is there, and reasons from what is there."""
    masks, lists, counts = board.cells, marks.lists, marks.counts.tolist()
    for role, right in ((PLACED, True), (REMOVED, False)):
        for candidate in lists[role, : counts[role]].tolist():
            cell, digit = divmod(candidate, 9)
            assert int(masks[cell]) >> digit & 1
            assert (solution[cell] == digit + 1) is right
    assert counts[PLACED] or counts[REMOVED]
    assert any(counts[role] for role in (*PATTERN, CHAIN))


def assert_told(board: Any, marks: Any, index: int) -> None:
    """The explanation names cells that are unsolved, and links that are candidates."""
    step = step_of(CATALOGUE[index], marks)
    named = {9 * int(row) + int(column) - 10 for row, column in CELL_NAME.findall(explain(step))}
    assert named
    values, masks = board.values, board.cells
    solved = {cell for cell in named if values[cell]}
    if step.technique.name in SOLVED_CELLS:
        assert not any(board.clues[cell] for cell in solved)
    else:
        assert not solved
    for node in step.chain:
        assert all(masks[cell] >> (node.digit - 1) & 1 for cell in node.cells)


def check(puzzles: Digits) -> None:
    """What this file is about, for every one of the puzzles."""
    grades, again = grade_batch(puzzles), grade_batch(puzzles[::-1])
    for name, column in grades._asdict().items():
        assert np.array_equal(column, getattr(again, name)[::-1])
    assert not np.isin(grades.status, (CONTRADICTION, STUCK)).any()
    solutions = solve_batch(puzzles).solutions.tolist()
    marks = new_marks()
    for puzzle, solution, counts in zip(puzzles, solutions, grades.counts, strict=True):
        board, used = open_board(puzzle), np.zeros(len(CATALOGUE), np.int64)
        for index in steps_along(board, marks):
            assert_holds(board, marks, solution)
            assert_told(board, marks, index)
            used[index] += 1
        assert board.values.tolist() == solution
        assert np.array_equal(used, counts)


def test_steps_hold_and_are_told_of_what_is_there(shared_data: Path) -> None:
    check(puzzles_of(shared_data, 0.005))


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_steps_of_twenty_thousand_puzzles_hold_and_are_told(shared_data: Path) -> None:
    puzzles = puzzles_of(shared_data, 1)
    assert len(puzzles) >= 20_000
    check(puzzles)
