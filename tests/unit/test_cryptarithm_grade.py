"""The grader of sums: known levels, what leaves a level as it is, and that no step is wrong."""

import numpy as np
import pytest

from workers.engines.cryptarithm.canon import puzzle_key
from workers.engines.cryptarithm.deduce import MOST_LETTERS
from workers.engines.cryptarithm.grade import grade_columns
from workers.engines.cryptarithm.solve import solve_puzzles
from workers.engines.cryptarithm.sums import columns_of, greatest_carry
from workers.engines.cryptarithm.techniques import (
    LEVELS,
    SOLUTION,
    SPLIT_CARRY,
    TECHNIQUES,
    level_of,
)
from workers.engines.cryptarithm.text import parse_puzzle

SEND, DONALD = "SEND+MORE=MONEY", "DONALD+GERALD=ROBERT"
PLANETS = "SATURN+URANUS+NEPTUNE+PLUTO=PLANETS"
SUMS = ("APPLE+PEAR=CHERRY", "TO+GO=OUT", "NO+GUN+NO=HUNT", SEND, DONALD, "FORTY+TEN+TEN=SIXTY",
        "BREACH-STREET=CHILL", "MASS+GRIP=RING@8", "HALO2+DOOM=TEKKEN@16")  # fmt: skip


def graded(text, budget=20_000, steps=0):
    columns = columns_of(parse_puzzle(text))
    assert columns is not None
    return grade_columns(columns, budget, steps)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("text", "level", "nodes", "depth"),
    [
        ("TO+GO=OUT", 0, 0, 0),
        ("NO+GUN+NO=HUNT", 0, 0, 0),
        ("APPLE+PEAR=CHERRY", 1, 0, 0),
        (SEND, 2, 4, 2),
        (DONALD, 3, 8, 3),
    ],
)
def test_known_puzzles_are_on_their_levels(text, level, nodes, depth):
    grade = graded(text)
    assert (grade.level, grade.nodes, grade.depth) == (level, nodes, depth)


def test_five_planets_need_many_suppositions():
    grade = graded(PLANETS)
    assert (grade.level, grade.depth) == (4, 7)
    assert 30 < grade.nodes <= 200


def test_levels_are_those_of_their_definition():
    three = [technique.name for technique in TECHNIQUES].index("column_3")
    assert level_of(three - 1, 0, 0) == 0
    assert level_of(three, 0, 0) == 1
    assert [level_of(SPLIT_CARRY, nodes, 2) for nodes in (5, 6, 30, 31, 200, 201)] == [
        2, 3, 3, 4, 4, 5,
    ]  # fmt: skip
    assert level_of(SPLIT_CARRY, 5, 3) == 3
    assert len(LEVELS) == 6


@pytest.mark.parametrize("text", [*SUMS[:6], PLANETS])
def test_renaming_order_and_moved_words_change_nothing(text):
    rng = np.random.default_rng(7)
    known = graded(text)
    left, right = text.split("=")
    for _ in range(3):
        words = rng.permutation(left.split("+"))
        letters = list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        names = dict(zip(letters, rng.permutation(letters), strict=True))
        for other in (
            "+".join(words) + "=" + right,
            right + "=" + "+".join(words),
            right + "-" + "-".join(words[1:]) + "=" + words[0],
            "0=" + right + "-" + "-".join(words),
        ):
            renamed = "".join(names.get(sign, sign) for sign in other)
            grade = graded(renamed)
            assert grade[:2] == known[:2]
            assert grade.uses.tolist() == known.uses.tolist()
            assert (grade.nodes, grade.depth) == (known.nodes, known.depth)
            assert puzzle_key(parse_puzzle(renamed)) == puzzle_key(parse_puzzle(text))


@pytest.mark.parametrize("text", [*SUMS, PLANETS])
def test_no_step_outside_suppositions_takes_the_solution(text):
    puzzle = parse_puzzle(text)
    columns = columns_of(puzzle)
    (digits,) = solve_puzzles([puzzle]).solutions[0] if text not in SUMS[6:] else [None]
    grade = graded(text, steps=5_000)
    solutions = solve_puzzles([puzzle], 1_000).solutions[0]
    found = np.count_nonzero(grade.path[:, 1] == SOLUTION)
    assert found == len(solutions)
    for _, technique, _, item, _, _, new, new_top in grade.path[grade.path[:, 0] == 0].tolist():
        if technique == SOLUTION or digits is None:
            continue
        if item < MOST_LETTERS:
            assert new >> digits[columns.letters[item]] & 1
        else:
            assert new <= new_top


def test_a_budget_marks_the_grade_as_censored():
    grade = graded(PLANETS, budget=10)
    assert grade.censored
    assert (grade.level, grade.nodes) == (5, 10)


def test_products_have_no_columns_and_systems_of_sums_have():
    assert columns_of(parse_puzzle("TWO*TWO=SQUARE")) is None
    system = columns_of(parse_puzzle("A+B=C&&C+C=AB"))
    assert system is not None
    assert {equation for equation, _ in system.places} == {0, 1}
    assert columns_of(parse_puzzle("A+B=B+A")) is None


def test_the_greatest_carry_is_that_of_the_solution():
    puzzle = parse_puzzle(SEND)
    columns = columns_of(puzzle)
    assert columns is not None
    assert greatest_carry(columns, solve_puzzles([puzzle]).solutions[0][0]) == 1


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("A*B=CD", "X*Y=ZW", True),
        ("AB*C=DE", "C*AB=DE", True),
        ("A*(B+C)=D", "(C+B)*A=D", True),
        ("A*B+C=DE", "DE-C=B*A", True),
        ("A+B=C&&C*C=AB", "Z*Z=XY&&X+Y=Z", True),
        ("A*A=BC", "A*B=BC", False),
        ("AB+C=D", "AB+C=D@12", False),
        ("A+B=C", "A+B=C@10-nozero", False),
        ("A*B*C=D", "D*(E*F)=G", True),
    ],
)
def test_keys_tell_equal_puzzles_from_others(one, other, same):
    keys = [puzzle_key(parse_puzzle(text)) for text in (one, other)]
    assert (keys[0] == keys[1]) == same


def test_letters_that_are_all_alike_do_not_take_forever():
    text = "*".join(f"({a}+{b})" for a, b in zip("ABCDEFGH", "IJKLMNOP", strict=True)) + "=0@16"
    assert len(puzzle_key(parse_puzzle(text))) == 16
