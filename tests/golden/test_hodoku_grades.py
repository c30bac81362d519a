"""Score, level and technique counts equal HoDoKu's."""

import csv
from pathlib import Path

import numpy as np
import pytest

from workers.engines.sudoku.grade import (
    CATALOGUE,
    LEVEL_NAMES,
    SOLVED,
    STUCK,
    find_steps,
    grade_batch,
    open_board,
)
from workers.engines.sudoku.techniques.catalogue import TIER1
from workers.engines.sudoku.text import parse_text

GOLDEN = Path(__file__).with_name("hodoku_grades.txt")


def test_technique_counts_of_golden_puzzles_equal_hodokus():
    lines = [
        line.split(" : ")
        for line in GOLDEN.read_text(encoding="ascii").splitlines()
        if not line.startswith("#")
    ]
    grades = grade_batch(np.array([parse_text(line[0]) for line in lines]))
    for row, (_, expected, source) in enumerate(lines):
        used = [
            f"{technique.name}={count}"
            for technique, count in zip(CATALOGUE, grades.counts[row], strict=True)
            if count
        ]
        level = LEVEL_NAMES[grades.level[row]]
        assert " ".join([str(grades.score[row]), level, *used]) == expected, source


def test_score_and_level_equal_hodokus_on_the_rated_list(shared_data):
    with (shared_data / "hodoku_ratings_dev.csv").open(encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    grades = grade_batch(np.array([parse_text(row["puzzle"]) for row in rows]), max_tier=1)
    differ = [
        row["puzzle"]
        for row, status, score, level in zip(
            rows, grades.status, grades.score, grades.level, strict=True
        )
        if status == SOLVED
        and (score, LEVEL_NAMES[level]) != (int(row["score"]), row["level"].lower())
    ]
    unsolved = [
        row["puzzle"]
        for row, status in zip(rows, grades.status, strict=True)
        if status != SOLVED and row["level"] in ("Easy", "Medium")
    ]
    assert differ == []
    assert unsolved == []
    assert set(grades.status.tolist()) == {SOLVED, STUCK}


def library(path: Path):
    """Lines of the regression library: code, variant, digits, grid, deleted, outcome."""
    for line in path.read_text(encoding="latin-1").splitlines():
        if line.startswith(":"):
            _, code, digits, grid, deleted, eliminated, placed, *_ = line.split(":")
            code, _, variant = code.partition("-")
            outcome = set((eliminated or placed).split())
            yield code, variant, digits, grid.replace("+", ""), deleted, outcome


@pytest.mark.parametrize("technique", TIER1, ids=lambda technique: technique.name)
def test_the_boards_of_the_regression_library_are_found(shared_data, technique):
    boards = 0
    for code, variant, digits, grid, deleted, outcome in library(shared_data / "reglib.txt"):
        if code != technique.code:
            continue
        masks = np.full(81, 0x1FF, dtype=np.int64)
        for digit, row, column in deleted.split():
            masks[9 * int(row) + int(column) - 10] &= ~(1 << (int(digit) - 1))
        outcomes = [
            {f"{digit}{cell // 9 + 1}{cell % 9 + 1}" for cell, digit in candidates}
            for step in find_steps(open_board(parse_text(grid), masks), technique)
            for candidates in (step.eliminations or step.placements,)
            if set(digits) == {str(digit) for digit in step.digits}
        ]
        assert outcomes == ([] if variant == "x" else [outcome]), grid
        boards += 1
    assert boards > 0
