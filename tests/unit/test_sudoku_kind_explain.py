"""Steps as a page draws them: each board follows from the one before."""

import itertools

import pytest

from workers.errors import ManySolutions, NoSolution
from workers.kinds.sudoku import EASY, HARD, KIND

LEO = "900104002080060070000000000400000001070000030300000007000000000030070080100209004"
FRENCH = "080400000007010600500003040300002500001070000000500009005300007020008030000060900"
KEYS = {"technique", "text", "cells", "units", "placements", "eliminations", "values",
        "candidates"}  # fmt: skip
FORUM = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7....."
"""Of the lists of hardest puzzles; guesses are taken back on its path."""
SEVERAL = EASY[:60].ljust(81, ".")
SEED_SCHEMES = ("models", "analytic", "human-path")


def index(name):
    return 9 * int(name[1]) + int(name[3]) - 10


def assert_sound(step):
    assert set(step) >= KEYS
    assert len(step["values"]) == len(step["candidates"]) == 81
    assert step["text"]
    assert not set("{}") & set(step["text"])
    assert step["cells"]
    for value, candidates in zip(step["values"], step["candidates"], strict=True):
        assert candidates == value or value == "."
        assert list(candidates) == sorted(set(candidates))
    for name, digit in step["placements"]:
        assert step["values"][index(name)] == "."
        assert str(digit) in step["candidates"][index(name)] or not step["candidates"][index(name)]
    for name, digit in step["eliminations"]:
        if step.get("remark") != "undo":
            assert str(digit) in step["candidates"][index(name)]


def after(step):
    signs = list(step["values"])
    for name, digit in step["placements"]:
        signs[index(name)] = str(digit)
    return "".join(signs)


@pytest.mark.parametrize("scheme", KIND.schemes)
@pytest.mark.parametrize("text", [EASY, HARD, LEO, FRENCH, FORUM])
def test_every_step_shows_the_board_that_the_one_before_left(scheme, text):
    steps = KIND.explain(text, scheme)
    solution = KIND.solve(text)["solution"]
    before = KIND.parse(text)
    undone = False
    for step in steps:
        assert_sound(step)
        assert undone or step["values"] == before
        before, undone = after(step), step.get("remark") == "undo"
        if scheme != "human-path":  # a guess may be wrong
            assert all(sign in (".", right) for sign, right in zip(before, solution, strict=True))
            lost = [(index(name), str(digit)) for name, digit in step["eliminations"]]
            assert all(solution[cell] != digit for cell, digit in lost)
    if scheme in KIND.methods:
        row = KIND.solve(text, scheme)
        assert before == row["grid"]
        assert [step["text"] for step in steps] == [step["text"] for step in row["steps"]]


@pytest.mark.parametrize("scheme", ["hodoku", "analytic"])
def test_candidates_shrink_by_what_steps_remove_and_by_what_peers_hold(scheme):
    steps = KIND.explain(LEO, scheme)
    for one, two in itertools.pairwise(steps):
        removed = {(index(name), str(digit)) for name, digit in one["eliminations"]}
        for cell, (old, new) in enumerate(zip(one["candidates"], two["candidates"], strict=True)):
            assert set(new) <= set(old)
            if not one["placements"]:
                assert set(old) - set(new) == {digit for at, digit in removed if at == cell}


def test_a_person_sees_only_the_candidates_that_are_written_down():
    steps = KIND.explain(FRENCH, "human-path")
    clues = {cell for cell, sign in enumerate(FRENCH) if sign != "0"}
    first = steps[0]["candidates"]
    assert {cell for cell, marks in enumerate(first) if marks} == clues
    at = next(n for n, step in enumerate(steps) if step["technique"] == "write_down_possible")
    noted = {index(name) for name in steps[at]["noted"]}
    shown = {cell for cell, marks in enumerate(steps[at + 1]["candidates"]) if marks}
    assert noted <= shown
    assert all(len(steps[at + 1]["candidates"][cell]) <= 3 for cell in noted)


def test_a_guess_that_fails_is_taken_back():
    steps = KIND.explain(FORUM, "human-path")
    guesses = []
    for step in steps:
        if step["remark"] == "guess":
            guesses.append((step["values"], step["placements"]))
        elif step["remark"] == "undo":
            values, placements = guesses.pop()
            assert step["eliminations"] == placements
            following = steps[steps.index(step) + 1]
            assert following["values"] == values or following["remark"] == "undo"
    assert any(step["remark"] == "undo" for step in steps)


def test_what_a_trial_or_chain_is_seen_in_is_named():
    techniques = {}
    for text in (LEO, FRENCH, HARD, FORUM):
        for step in KIND.explain(text, "human-path"):
            techniques.setdefault(step["technique"], step)
    chain = techniques["update_chain"]
    assert len(chain["cells"]) >= 2
    assert chain["units"]
    assert len(techniques["reduce_by_emulate_possible_in_one_position"]["cells"]) == 1
    group = techniques["reduce_by_group_number"]
    (digit,) = {digit for _, digit in group["eliminations"]}
    assert all(str(digit) in group["candidates"][index(name)] or
               not group["candidates"][index(name)] for name in group["cells"])  # fmt: skip


def test_options_bound_the_steps():
    full = KIND.explain(LEO, "analytic")
    short = KIND.explain(LEO, "analytic", {"max_level": 1})
    assert short == full[: len(short)]
    assert len(short) < len(full)
    assert KIND.explain(FRENCH, "human-path", {"last": 1}) == []


@pytest.mark.parametrize("scheme", KIND.schemes)
def test_nothing_is_explained_without_a_solution(scheme):
    with pytest.raises(NoSolution):
        KIND.explain("11".ljust(81, "."), scheme)


def test_only_schemes_that_assume_one_solution_refuse_several():
    with pytest.raises(ManySolutions):
        KIND.explain(SEVERAL, "hodoku")
    for scheme in SEED_SCHEMES:
        steps = KIND.explain(SEVERAL, scheme)
        assert all(set(step) >= KEYS for step in steps)
