"""Chains, loops and almost locked sets, against what HoDoKu answers and its regression library."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from workers.engines.sudoku.board import REMOVED, new_marks
from workers.engines.sudoku.grade import LEVEL_NAMES, SOLVED, find_steps, grade_batch, open_board
from workers.engines.sudoku.techniques import als_chain, als_pairs, blossom, chains, loops
from workers.engines.sudoku.techniques.catalogue import tier_module
from workers.engines.sudoku.techniques.explain import explain
from workers.engines.sudoku.text import parse_text

FAMILIES = (chains, loops, als_pairs, als_chain, blossom)
TECHNIQUES = {t.name: t for family in FAMILIES for t in family.TECHNIQUES}
LINES = [
    line.split(" : ", 3)
    for line in Path(__file__).with_name("chain_steps.txt").read_text(encoding="ascii").splitlines()
    if not line.startswith("#")
]
# Variants of the library that are off by default: ALS as nodes of loops, ALS that overlap.
VARIANTS = {"0709-2", "0710-3", "0710-4", "0711-3", "0711-4", "0902-2", "0903-1", "0904-2"}
REFUSED = "194 394 794"
"""HoDoKu itself finds no chain of ALS on that board of the library."""


def board_of(text: str, deleted: list[str]):
    masks = np.full(81, 0x1FF, dtype=np.int64)
    for digit, row, column in deleted:
        masks[9 * int(row) + int(column) - 10] &= ~(1 << (int(digit) - 1))
    return open_board(parse_text(text.replace("+", "")), masks)


def triples(candidates) -> list[str]:
    return [f"{digit}{cell // 9 + 1}{cell % 9 + 1}" for cell, digit in candidates]


@pytest.mark.parametrize(
    ("state", "outcome", "title"),
    [pytest.param(*line[:3], id=f"{i}-{line[1]}") for i, line in enumerate(LINES)],
)
def test_the_first_step_is_hodokus_in_order_and_name(state, outcome, title):
    text, *deleted = state.split()
    name, sign, *expected = outcome.split()
    technique, marks = TECHNIQUES[name], new_marks()
    find = tier_module(3).find
    fires = find(board_of(text, deleted), marks, technique.finder, technique.size, 0)
    assert fires == (sign == "-")
    if fires:
        removed = marks.lists[REMOVED, : marks.counts[REMOVED]].tolist()
        assert triples((entry // 9, entry % 9 + 1) for entry in removed) == expected
        assert title == (technique.forms[marks.form].title if technique.forms else technique.title)


@pytest.mark.nojit
@pytest.mark.parametrize("name", list(TECHNIQUES))
def test_a_step_is_found_and_said_on_its_first_board(name):
    state, outcome = next(line[:2] for line in LINES if line[1].startswith(f"{name} -"))
    text, *deleted = state.split()
    board, marks = board_of(text, deleted), new_marks()
    technique = TECHNIQUES[name]
    assert tier_module(3).find(board, marks, technique.finder, technique.size, 0)
    removed = marks.lists[REMOVED, : marks.counts[REMOVED]].tolist()
    assert triples((entry // 9, entry % 9 + 1) for entry in removed) == outcome.split()[2:]


@pytest.mark.parametrize(("state", "outcome"), [line[:2] for line in LINES])
def test_a_sentence_names_cells_and_candidates_of_the_board(state, outcome):
    text, *deleted = state.split()
    board = board_of(text, deleted)
    for step in find_steps(board, TECHNIQUES[outcome.split()[0]])[:3]:
        for cells, digit, _ in step.chain:
            assert all(board.cells[cell] >> (digit - 1) & 1 for cell in cells)
        for one, other in zip(step.chain, step.chain[1:], strict=False):
            assert one.on != other.on
        named = re.findall(r"r\dc\d", explain(step))
        assert len(named) > 2
        assert all(board.cells[9 * int(name[1]) + int(name[3]) - 10] for name in named)


def test_a_chain_reads_as_one_link_after_the_other():
    state, outcome = next(line[:2] for line in LINES if line[2] == "Grouped AIC")
    text, *deleted = state.split()
    step = find_steps(board_of(text, deleted), TECHNIQUES[outcome.split()[0]])[0]
    assert explain(step) == (
        "Grouped AIC r1c8<>6 -> r1c8=3 -> r2c7,r3c7<>3 -> r6c7=3 -> r6c1<>3 -> r6c1=6 -> r4c3<>6 "
        "-> r3c3=6: removes 6 from r1c2, r3c7"
    )


def library(path: Path):
    """Lines of the regression library for our codes: code, variant, board, what is removed."""
    codes = {form.code for t in TECHNIQUES.values() for form in t.forms}
    codes |= {technique.code for technique in TECHNIQUES.values()}
    for line in path.read_text(encoding="latin-1").splitlines():
        if line.startswith(":"):
            _, code, _, grid, deleted, eliminated, *_ = line.split(":")
            if code[:4] in codes and code not in VARIANTS and eliminated != REFUSED:
                yield code[:4], board_of(grid, deleted.split()), set(eliminated.split())


def test_steps_of_the_regression_library_are_found(shared_data):
    boards = 0
    for code, board, removed in library(shared_data / "reglib.txt"):
        technique = next(
            t for t in TECHNIQUES.values() if code in ({form.code for form in t.forms} or {t.code})
        )
        steps = [step for step in find_steps(board, technique) if step.code == code]
        assert removed in [set(triples(step.eliminations)) for step in steps], code
        boards += 1
    assert boards == 200


def test_what_tier_3_solves_has_hodokus_score_and_level(shared_data):
    with (shared_data / "hodoku_ratings_dev.csv").open(encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    grades = grade_batch(np.array([parse_text(row["puzzle"]) for row in rows]), 3)
    for row, status, score, level in zip(
        rows, grades.status, grades.score, grades.level, strict=True
    ):
        if status == SOLVED:
            assert (score, LEVEL_NAMES[level]) == (int(row["score"]), row["level"].lower())
        else:
            assert row["level"] in ("Unfair", "Extreme")
    assert (grades.status == SOLVED).sum() == 2741
