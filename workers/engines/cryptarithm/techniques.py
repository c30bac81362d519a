"""The techniques of the grader in the order of their cost; names and numbers stand nowhere else."""

from typing import Final, NamedTuple


class Technique(NamedTuple):
    """One way to go on; its number is its place in TECHNIQUES."""

    name: str
    title: str


TECHNIQUES: Final = (
    Technique("leading_one", "a lone top letter is a carry"),
    Technique("distinct", "a digit is taken"),
    Technique("hidden_digit", "only one letter is left for a digit"),
    Technique("carry_bound", "the range of a column bounds a carry"),
    Technique("letter_bound", "the range of a column bounds a letter"),
    Technique("parity", "odd or even"),
    Technique("carry_forced", "known letters give a carry"),
    Technique("column_2", "cases of a column with two unknowns"),
    Technique("column_3", "cases of a column with three unknowns"),
    Technique("split_carry", "suppose a carry"),
    Technique("split_letter", "suppose a letter"),
)
NAMES: Final = tuple(technique.name for technique in TECHNIQUES)
DISTINCT: Final = 1
THREE_UNKNOWNS: Final = 8
SPLIT_CARRY: Final = 9
SPLIT_LETTER: Final = 10
CONTRADICTION: Final = 11
SOLUTION: Final = 12
"""Events of a path that are no techniques."""
LEVELS: Final = ("trivial", "easy", "medium", "hard", "expert", "extreme")
"""By `level_of`: no cases of three unknowns, no supposition, few, up to 30, up to 200, more."""


def level_of(hardest: int, nodes: int, depth: int) -> int:
    """The level of a puzzle: the hardest technique's number, suppositions, and how deep."""
    if nodes == 0:
        return int(hardest >= THREE_UNKNOWNS)
    if depth <= 2 and nodes <= 5:
        return 2
    return 3 if nodes <= 30 else 4 if nodes <= 200 else 5
