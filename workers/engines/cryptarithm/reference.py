"""Three slow methods, as the text on cryptarithms tells them; they yield solutions one by one.

product        every digit for every letter, equal ones sorted out afterwards
permutations   different digits from the start
recursive      letter after letter, each with the digits that are left; a leading letter is not 0

All look at the equations only when every letter has its digit. They take any puzzle, and serve
as oracles of the kernels.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import permutations, product
from typing import Final

from workers.engines.cryptarithm.model import Puzzle, holds, term_value

DEFAULT_TRIES: Final = 2_000_000
"""Trials after which a method gives up."""

Digits = tuple[int, ...]


class Trials:
    """Counts trials up to a budget; `censored` when that ran out."""

    def __init__(self, budget: int) -> None:
        self.count = 0
        self.censored = False
        self._budget = budget

    def more(self) -> bool:
        """Count one trial; False when there are none left."""
        if self.count >= self._budget:
            self.censored = True
            return False
        self.count += 1
        return True


def by_product(puzzle: Puzzle, trials: Trials) -> Iterator[Digits]:
    """Solutions among all base**letters assignments, in order."""
    for digits in product(range(puzzle.rules.base), repeat=len(puzzle.letters)):
        if not trials.more():
            return
        if holds(puzzle, digits):
            yield digits


def by_permutations(puzzle: Puzzle, trials: Trials) -> Iterator[Digits]:
    """Solutions among the assignments of different digits, in order."""
    for digits in permutations(range(puzzle.rules.base), len(puzzle.letters)):
        if not trials.more():
            return
        if holds(puzzle, digits):
            yield digits


def by_recursion(puzzle: Puzzle, trials: Trials) -> Iterator[Digits]:
    """Solutions among the assignments without a leading 0, by a generator that calls itself."""
    yield from _recursion(puzzle, trials, ())


def _recursion(puzzle: Puzzle, trials: Trials, digits: Digits) -> Iterator[Digits]:
    base = puzzle.rules.base
    if len(digits) == len(puzzle.letters):
        if trials.more() and all(
            term_value(left, digits, base) == term_value(right, digits, base)
            for left, right in puzzle.equations
        ):
            yield digits
        return
    for digit in range(puzzle.leading >> len(digits) & 1, base):
        if trials.censored:
            return
        if digit not in digits:
            yield from _recursion(puzzle, trials, (*digits, digit))


METHODS: Mapping[str, Callable[[Puzzle, Trials], Iterator[Digits]]] = {
    "product": by_product,
    "permutations": by_permutations,
    "recursive": by_recursion,
}
