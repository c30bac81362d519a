"""The columns, steps and explanations of three puzzles are those of HoDoKu's golden grades."""

import json
from collections import Counter
from pathlib import Path

import pytest

from pipeline import api, cli
from workers.engines.sudoku.grade import CATALOGUE

GOLDEN = Path(__file__).with_name("hodoku_grades.txt").read_text(encoding="ascii").splitlines()
CASES = [
    ("17-clue list", 0, "hidden_single"),
    ("QQWing intermediate no. 834", 0, "pointing"),
    ("public list of rated puzzles", 0, "x_wing"),
]
"""Source, how many of it to pass over, the hardest technique by level and then by order."""


def golden(source: str, skip: int) -> tuple[str, int, str, dict[str, int]]:
    lines = [line.split(" : ") for line in GOLDEN if line.endswith(source)]
    puzzle, outcome, _ = lines[skip]
    score, level, *used = outcome.split()
    counts = {name: int(count) for name, _, count in (word.partition("=") for word in used)}
    return puzzle, int(score), level, counts


@pytest.mark.parametrize(("source", "skip", "hardest"), CASES)
def test_columns_are_the_golden_grade(source, skip, hardest):
    puzzle, score, level, counts = golden(source, skip)
    row = api.grade(puzzle).iloc[0]
    assert (row["hodoku_score"], row["hodoku_level"]) == (score, level)
    assert row["hodoku_steps"] == sum(counts.values())
    assert row["hardest_technique"] == hardest
    for technique in CATALOGUE:
        if technique.enabled:
            assert row[f"hodoku_t_{technique.name}"] == counts.get(technique.name, 0)
        else:
            assert f"hodoku_t_{technique.name}" not in row


@pytest.mark.parametrize(("source", "skip", "_"), CASES)
def test_steps_and_explanation_are_the_golden_grade(source, skip, _, capsys):
    puzzle, score, _, counts = golden(source, skip)
    assert cli.run(["explain", "--json", puzzle]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert Counter(step["technique"] for step in told) == counts
    scores = {technique.name: technique.score for technique in CATALOGUE}
    assert sum(scores[step["technique"]] for step in told) == score
    assert cli.run(["grade", "--scheme", "hodoku", "--steps", "--json", puzzle]) == 0
    (row,) = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert row["steps"] == told
    assert row["hodoku_steps"] == len(told)
