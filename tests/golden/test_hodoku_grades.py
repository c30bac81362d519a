"""Score, level and technique counts equal HoDoKu's."""

import csv
import re
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


@pytest.mark.parametrize(("tier", "levels"), [(1, LEVEL_NAMES[:2]), (2, LEVEL_NAMES[:3])])
def test_score_and_level_equal_hodokus_on_the_rated_list(shared_data, tier, levels):
    with (shared_data / "hodoku_ratings_dev.csv").open(encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    grades = grade_batch(np.array([parse_text(row["puzzle"]) for row in rows]), tier)
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
        if status != SOLVED and row["level"].lower() in levels
    ]
    assert differ == []
    assert unsolved == []
    assert set(grades.status.tolist()) == {SOLVED, STUCK}


def library(path: Path):
    """Lines of the regression library: code, variant, digits, board, outcome."""
    for line in path.read_text(encoding="latin-1").splitlines():
        if line.startswith(":"):
            _, code, digits, grid, deleted, eliminated, placed, *_ = line.split(":")
            code, _, variant = code.partition("-")
            solved = [mark.start() - k for k, mark in enumerate(re.finditer(r"\+", grid))]
            masks = np.full(81, 0x1FF, dtype=np.int64)
            for digit, row, column in deleted.split():
                masks[9 * int(row) + int(column) - 10] &= ~(1 << (int(digit) - 1))
            board = open_board(parse_text(grid.replace("+", "")), masks, solved)
            yield code, variant, digits, board, set((eliminated or placed).split())


def outcomes_of(step) -> set[str]:
    candidates = step.eliminations or step.placements
    return {f"{digit}{cell // 9 + 1}{cell % 9 + 1}" for cell, digit in candidates}


@pytest.mark.parametrize("technique", TIER1, ids=lambda technique: technique.name)
def test_the_boards_of_the_regression_library_are_found(shared_data, technique):
    boards = 0
    for code, variant, digits, board, outcome in library(shared_data / "reglib.txt"):
        if code == technique.code:
            outcomes = [
                outcomes_of(step)
                for step in find_steps(board, technique)
                if set(digits) == {str(digit) for digit in step.digits}
            ]
            assert outcomes == ([] if variant == "x" else [outcome])
            boards += 1
    assert boards > 0


# The library's variant 1 of empty rectangles, and six of its eight duals, have boxes with two
# places only, which HoDoKu takes when told to.
PATTERNS = [t for t in CATALOGUE if 200 <= t.finder < 250 and t.name != "dual_empty_rectangle"]


@pytest.mark.parametrize("technique", PATTERNS, ids=lambda technique: technique.name)
def test_the_boards_of_patterns_are_found(shared_data, technique):
    codes = {form.code for form in technique.forms} or {technique.code}
    boards = 0
    for code, variant, _, board, outcome in library(shared_data / "reglib.txt"):
        if code in codes and (code, variant) != ("0402", "1"):
            steps = [step for step in find_steps(board, technique) if step.code == code]
            found = [outcomes_of(step) for step in steps]
            assert found == [] if variant == "x" else outcome in found
            boards += 1
    assert boards > 0
