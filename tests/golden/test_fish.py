"""Fish beyond the basic ones, against what HoDoKu answers and its regression library."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from workers.engines.sudoku.board import REMOVED, new_marks
from workers.engines.sudoku.grade import find_steps, open_board
from workers.engines.sudoku.techniques import fish_finned, fish_kraken, fish_units
from workers.engines.sudoku.techniques.catalogue import tier_module
from workers.engines.sudoku.techniques.explain import explain
from workers.engines.sudoku.text import parse_text

FAMILIES = (fish_finned, fish_units, fish_kraken)
FISH = {technique.name: technique for family in FAMILIES for technique in family.TECHNIQUES}


def golden(name: str) -> list[list[str]]:
    text = Path(__file__).with_name(name).read_text(encoding="ascii")
    return [line.split(" : ", 2) for line in text.splitlines() if not line.startswith("#")]


LINES = golden("fish_steps.txt")
BOARDS = golden("fish_boards.txt")


def board_of(text: str, deleted: list[str]):
    masks = np.full(81, 0x1FF, dtype=np.int64)
    for digit, row, column in deleted:
        masks[9 * int(row) + int(column) - 10] &= ~(1 << (int(digit) - 1))
    return open_board(parse_text(text), masks)


def triple(cell: int, digit: int) -> str:
    return f"{digit}{cell // 9 + 1}{cell % 9 + 1}"


def triples(step) -> list[str]:
    return [triple(cell, digit) for cell, digit in step.eliminations]


@pytest.mark.parametrize(
    ("state", "outcome", "form"),
    [pytest.param(*line, id=f"{i}-{line[1]}") for i, line in enumerate(LINES)],
)
def test_the_first_step_is_hodokus_in_order_and_name(state, outcome, form):
    text, *deleted = state.split()
    name, sign, *expected = outcome.split()
    technique, marks = FISH[name], new_marks()
    find = tier_module(technique.tier).find
    fires = find(board_of(text, deleted), marks, technique.finder, technique.size, 0)
    assert fires == (sign == "-")
    if fires:
        removed = marks.lists[REMOVED, : marks.counts[REMOVED]].tolist()
        assert [triple(entry // 9, entry % 9 + 1) for entry in removed] == expected
        title = technique.forms[marks.form].title if technique.forms else technique.title
        assert title.lower().replace(" ", "_").replace("-", "_") == form


@pytest.mark.parametrize(
    ("state", "outcome"),
    [pytest.param(line[0], line[1], id=f"{i}-{line[1]}") for i, line in enumerate(BOARDS)],
)
def test_a_fish_does_what_its_golden_board_says(state, outcome):
    text, *deleted = state.split()
    name, sign, *expected = outcome.split()
    steps = find_steps(board_of(text, deleted), FISH[name])
    assert [triples(step) for step in steps] == ([expected] if sign == "-" else [])


def test_every_fish_has_three_boards_and_one_where_it_must_not_fire():
    """Where finned mutant fish of five lines fit, many do: the library has boards of these."""
    crowded = {"finned_mutant_squirmbag", "finned_mutant_whale", "finned_mutant_leviathan"}
    lines = [*BOARDS, *(line for line in LINES if line[1].startswith("kraken"))]
    fires = Counter(line[1].split()[0] for line in lines if not line[1].endswith(" none"))
    silent = {line[1].split()[0] for line in lines if line[1].endswith(" none")}
    assert {name for name in FISH if fires[name] < 3} <= crowded
    assert set(FISH) - silent <= crowded


@pytest.mark.nojit
def test_a_fish_says_where_its_fins_are():
    state, outcome, _ = LINES[2]
    text, *deleted = state.split()
    step = find_steps(board_of(text, deleted), FISH[outcome.split()[0]])[0]
    assert explain(step) == (
        "Finned X-Wing 1 in row 1, row 7, all places in column 2, column 9 "
        "except r1c7, r1c8: removes 1 from r3c9"
    )


def library(path: Path, kinds: str):
    """Fish of the regression library: code, digit, board, what is removed."""
    for line in path.read_text(encoding="latin-1").splitlines():
        _, code, digits, grid, deleted, eliminated, *_ = (line + ":::::::").split(":")
        if line.startswith(":03") and code[2] in kinds:
            board = board_of(grid.replace("+", ""), deleted.split())
            yield code, digits[0], board, set(eliminated.split())


def outcomes(board, code: str) -> list[set[str]]:
    """What the steps of the technique with that code remove, of that kind only."""
    technique = next(t for t in FISH.values() if t.code == code)
    return [set(triples(step)) for step in find_steps(board, technique) if step.code == code]


def test_finned_fish_of_the_regression_library_are_the_only_ones(shared_data):
    boards = 0
    for code, digit, board, removed in library(shared_data / "reglib.txt", "12"):
        if len(code) == 4:
            found = [outcome for outcome in outcomes(board, code) if min(outcome)[0] == digit]
            assert found == [removed], code
            boards += 1
    assert boards == 56


def test_franken_and_mutant_fish_of_the_regression_library_are_found(shared_data):
    boards = 0
    for code, _, board, removed in library(shared_data / "reglib.txt", "3456"):
        assert removed in outcomes(board, code[:4]), code
        boards += 1
    assert boards == 41


def test_siamese_fish_of_the_regression_library_are_two_of_ours(shared_data):
    boards = 0
    for code, _, board, removed in library(shared_data / "reglib.txt", "12"):
        if len(code) == 5:
            size = code[3]
            found = outcomes(board, f"031{size}") + outcomes(board, f"032{size}")
            assert any(one | other == removed for one in found for other in found), code
            boards += 1
    assert boards == 17
