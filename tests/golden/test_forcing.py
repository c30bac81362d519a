"""Forcing chains and nets, templates and guesses, against what HoDoKu answers."""

from pathlib import Path

import numpy as np
import pytest

from workers.engines.sudoku.board import PLACED, REMOVED, new_marks
from workers.engines.sudoku.grade import open_board, step_of
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.techniques import forcing, guess, templates
from workers.engines.sudoku.techniques.explain import explain
from workers.engines.sudoku.techniques.forcing import find_forcing_chain, find_forcing_net
from workers.engines.sudoku.techniques.guess import find_guess
from workers.engines.sudoku.techniques.templates import find_templates
from workers.engines.sudoku.text import parse_text

RECORDS = {t.name: t for family in (forcing, guess, templates) for t in family.TECHNIQUES}
FINDERS = {
    "forcing_chain": find_forcing_chain,
    "forcing_net": find_forcing_net,
    "template_set": lambda board, marks, skip: find_templates(board, marks, False, skip),
    "template_delete": lambda board, marks, skip: find_templates(board, marks, True, skip),
    "brute_force": find_guess,
}
GOLDEN = Path(__file__).with_name("forcing_steps.txt")
LINES = [
    line.split(" : ", 2)
    for line in GOLDEN.read_text(encoding="ascii").splitlines()
    if not line.startswith("#")
]


def board_of(state: str):
    text, *deleted = state.split()
    masks = np.full(81, 0x1FF, dtype=np.int64)
    for digit, row, column in deleted:
        masks[9 * int(row) + int(column) - 10] &= ~(1 << (int(digit) - 1))
    return open_board(parse_text(text), masks)


def triple(entry: int) -> str:
    return f"{entry % 9 + 1}{entry // 81 + 1}{entry // 9 % 9 + 1}"


@pytest.mark.parametrize(
    ("state", "outcome", "form"),
    [pytest.param(*line, id=f"{i}-{line[1]}") for i, line in enumerate(LINES)],
)
def test_the_first_step_is_hodokus_in_order_and_name(state, outcome, form):
    name, sign, *expected = outcome.split()
    technique, marks = RECORDS[name], new_marks()
    assert FINDERS[name](board_of(state), marks, 0) == (sign != "none")
    if sign == "none":
        return
    role, other = (PLACED, REMOVED) if sign == "=" else (REMOVED, PLACED)
    assert [triple(entry) for entry in marks.lists[role, : marks.counts[role]]] == expected
    assert marks.counts[other] == 0
    title = technique.forms[marks.form].title if technique.forms else technique.title
    assert title.lower().replace(" ", "_") == form


def test_every_technique_is_seen_to_fire_and_not_to_fire():
    for name in RECORDS:
        outcomes = [line[1].split()[1] for line in LINES if line[1].split()[0] == name]
        assert len(outcomes) - outcomes.count("none") >= 3, name
        assert "none" in outcomes, name


def test_no_net_where_the_board_asks_for_a_guess():
    boards = [line[0] for line in LINES if line[1].startswith("brute_force =")]
    assert boards
    for state in boards:
        assert not find_forcing_chain(board_of(state), new_marks(), 0)
        assert not find_forcing_net(board_of(state), new_marks(), 0)


def test_all_conclusions_agree_with_the_solution():
    seen = 0
    for state, outcome, _ in LINES:
        name = outcome.split()[0]
        solved = solve_batch(parse_text(state.split()[0]))
        if solved.counts[0] != 1 or name == "brute_force":
            continue
        marks, skip = new_marks(), 0
        while FINDERS[name](board_of(state), marks, skip):
            for role in (PLACED, REMOVED):
                for entry in marks.lists[role, : marks.counts[role]]:
                    right = solved.solutions[0, entry // 9] == entry % 9 + 1
                    assert right == (role == PLACED), (state, outcome)
            skip += 1
        seen += skip
    assert seen > 200


def test_a_guess_needs_the_one_solution():
    assert not find_guess(open_board(np.zeros(81, dtype=np.uint8)), new_marks(), 0)


@pytest.mark.nojit
def test_steps_say_what_was_assumed():
    contradiction, verity = (
        next(line for line in LINES if line[2] == f"forcing_chain_{form}")
        for form in ("contradiction", "verity")
    )
    assert say(contradiction) == ("Forcing Chain Contradiction on 7 in r4c7: removes 7 from r4c7")
    assert say(verity) == (
        "Forcing Chain Verity on 7 in r1c7, r1c9, r2c9, r3c8, r3c9: removes 9 from r3c4"
    )


def say(line: list[str]) -> str:
    technique, marks = RECORDS[line[1].split()[0]], new_marks()
    assert FINDERS[technique.name](board_of(line[0]), marks, 0)
    return explain(step_of(technique, marks))
