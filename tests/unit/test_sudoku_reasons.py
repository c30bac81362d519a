"""Why forcing steps hold: told from candidates that are there, to an end that is one."""

import re

import pytest

from workers.kinds.sudoku import KIND

NETS = "..4..3...8...9..6......8..1.135.......9...5.7.....6.1..6.72..59...3..1...7...92.."
VERITIES = "5.......7.8...9.3...4...2...1..36.......4.......1.8.6...2...4...9.3...1.7.......5"
LINK = re.compile(r"r([1-9])c([1-9]) = ([1-9])")


@pytest.mark.parametrize("text", [NETS, VERITIES])
def test_every_forcing_step_is_told_by_candidates_that_are_there(text):
    steps = [step for step in KIND.explain(text) if step["technique"].startswith("forcing")]
    assert steps
    for step in steps:
        assert step["because"], step["text"]
        for case in step["because"]:
            for row, column, digit in LINK.findall(case):
                assert digit in step["candidates"][9 * int(row) + int(column) - 10]


def test_all_cases_of_a_verity_come_to_the_same_or_to_nothing():
    steps = [step for step in KIND.explain(VERITIES) if "Verity" in step["text"]]
    assert steps
    for step in steps:
        assert len(step["because"]) > 1
        outcome = [f"{cell} = {digit}" for cell, digit in step["placements"]]
        outcome += [f"{cell} <> {digit}" for cell, digit in step["eliminations"]]
        for case in step["because"]:
            refuted = "and yet" in case or "left" in case
            assert refuted or outcome[0] in case or outcome[0].partition(" ")[0] in case
