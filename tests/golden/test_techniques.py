"""Every technique on boards where it fires once, and on one where it must not."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from workers.engines.sudoku.grade import CATALOGUE, find_steps, open_board
from workers.engines.sudoku.techniques.catalogue import technique_named
from workers.engines.sudoku.text import parse_text

GOLDEN = Path(__file__).with_name("techniques.txt")
LINES = [
    line.split(" : ", 2)
    for line in GOLDEN.read_text(encoding="ascii").splitlines()
    if not line.startswith("#")
]

pytestmark = pytest.mark.nojit


def triples(candidates) -> set[str]:
    return {f"{digit}{cell // 9 + 1}{cell % 9 + 1}" for cell, digit in candidates}


def board_of(state: str):
    text, *deleted = state.split()
    placed = [match.start() - k for k, match in enumerate(re.finditer(r"\+", text))]
    text = text.replace("+", "")
    masks = np.full(81, 0x1FF, dtype=np.int64)
    for digit, row, column in deleted:
        masks[9 * int(row) + int(column) - 10] &= ~(1 << (int(digit) - 1))
    return open_board(parse_text(text), masks, placed)


@pytest.mark.parametrize(
    ("state", "outcome"),
    [pytest.param(line[0], line[1], id=f"{i}-{line[1]}") for i, line in enumerate(LINES)],
)
def test_a_technique_does_what_its_golden_board_says(state, outcome):
    name, sign, *expected = outcome.split()
    steps = find_steps(board_of(state), technique_named(name))
    if sign == "none":
        assert steps == []
        return
    (step,) = steps
    assert triples(step.placements if sign == "=" else step.eliminations) == set(expected)
    assert not (step.placements and step.eliminations)


def test_every_technique_has_three_boards_and_one_where_it_must_not_fire():
    """Fish with fins, chains and ALS have files of their own: test_fish.py, test_chains.py."""
    listed = {technique.name for technique in CATALOGUE if technique.finder < 250}
    fires = Counter(line[1].split()[0] for line in LINES if not line[1].endswith(" none"))
    silent = {line[1].split()[0] for line in LINES if line[1].endswith(" none")}
    assert {name for name in listed if fires[name] < 3} == set()
    assert listed == silent
