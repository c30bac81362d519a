"""Any equations as programs that compute them digit by digit, from the right.

The digit at place k of a sum or product follows from digits at places 0..k of its parts and one
carry, so a search can check place after place, with small numbers however long the words are.
A schedule says which letters to try before which check; the check with the fewest new letters
comes next.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.cryptarithm.model import PRODUCT, WORD, Puzzle, Term, Word
from workers.errors import ParseError

TRY, CHECK = 0, 1  # steps
READ, ADD, MULTIPLY, STORE, ZERO = 0, 1, 2, 3, 4  # operations
STEP_SORT, STEP_ITEM, STEP_PLACE, STEP_BACK, STEP_FIRST, STEP_LAST = range(6)
MOST_PLACES: Final = 4096
MOST_FACTOR: Final = 1 << 30


class Program(NamedTuple):
    """What the column search runs; all int64."""

    steps: NDArray[np.int64]  # (s, 6): TRY letter, or CHECK equation at a place
    operations: NDArray[np.int64]  # (o, 4): operation, node, two operands
    symbols: NDArray[np.int64]  # (words, places) letter, or ~digit
    nodes: int


class _Builder:
    """Collects operations; nodes are numbered as they are met, words once each."""

    def __init__(self) -> None:
        self.operations: list[tuple[int, int, int, int]] = []
        self.words: dict[Word, int] = {}
        self.nodes = 0

    def node(self) -> int:
        self.nodes += 1
        return self.nodes - 1

    def term(self, term: Term, read: dict[Word, int]) -> int:
        """The node of a term, after the operations that make its digit."""
        if term.sort == WORD:
            if term.word not in read:
                read[term.word] = self.node()
                number = self.words.setdefault(term.word, len(self.words))
                self.operations.append((READ, read[term.word], number, 0))
            return read[term.word]
        if term.sort == PRODUCT:
            return self._product(term, read)
        parts = [(sign, self.term(item, read))
                 for sign, item in zip(term.signs, term.items, strict=True)]  # fmt: skip
        return self._sum(parts, STORE)

    def _product(self, term: Term, read: dict[Word, int]) -> int:
        result = self.term(term.items[0], read)
        for item in term.items[1:]:
            other = self.term(item, read)
            node = self.node()
            self.operations += [(MULTIPLY, node, result, other), (STORE, node, 0, 0)]
            result = node
        return result

    def _sum(self, parts: list[tuple[int, int]], end: int) -> int:
        node = self.node()
        factors: dict[int, int] = {}
        for factor, part in parts:
            factors[part] = factors.get(part, 0) + factor
        self.operations += [(ADD, node, part, factor) for part, factor in factors.items()]
        self.operations.append((end, node, 0, 0))
        return node

    def equation(self, left: Term, right: Term) -> tuple[int, int]:
        """First operation and the one after the last of an equation's program."""
        first = len(self.operations)
        read: dict[Word, int] = {}
        self._sum([(1, self.term(left, read)), (-1, self.term(right, read))], ZERO)
        return first, len(self.operations)


def build(puzzle: Puzzle) -> Program:
    """The program of a puzzle; ParseError when its products are too long."""
    builder = _Builder()
    parts = [builder.equation(left, right) for left, right in puzzle.equations]
    lengths = [_places(left, right) for left, right in puzzle.equations]
    if max(lengths) > MOST_PLACES:
        raise ParseError(f"products of more than {MOST_PLACES:,} digits", None)
    symbols = np.full((len(builder.words), max(lengths)), ~0, np.int64)
    for word, number in builder.words.items():
        symbols[number, : len(word)] = word[::-1]
    steps = _schedule(builder, symbols, parts, lengths)
    return Program(
        np.array(steps, np.int64), np.array(builder.operations, np.int64), symbols, builder.nodes
    )


def _places(left: Term, right: Term) -> int:
    """So many digits that a difference that is zero in all of them is zero."""
    return max(_length(left), _length(right)) + 1


def _length(term: Term) -> int:
    """Digits of the largest magnitude of a term, or more."""
    if term.sort == WORD:
        return len(term.word)
    lengths = [_length(item) for item in term.items]
    return sum(lengths) if term.sort == PRODUCT else max(lengths) + len(lengths).bit_length()


def _schedule(
    builder: _Builder,
    symbols: NDArray[np.int64],
    parts: list[tuple[int, int]],
    lengths: list[int],
) -> list[list[int]]:
    """Steps: the check with the fewest letters not yet tried is next, and these before it."""
    words = [
        [operands[2] for operands in builder.operations[first:last] if operands[0] == READ]
        for first, last in parts
    ]
    places = [0] * len(parts)
    tried: set[int] = set()
    steps: list[list[int]] = []
    back = -1
    while True:
        open_checks = [e for e in range(len(parts)) if places[e] < lengths[e]]
        if not open_checks:
            break
        fresh = {e: _fresh(symbols, words[e], places[e], tried) for e in open_checks}
        best = min(open_checks, key=lambda e: (len(fresh[e]), places[e], e))
        for letter in fresh[best]:
            steps.append([TRY, letter, 0, back, 0, 0])
            back = len(steps) - 1
        tried.update(fresh[best])
        steps.append([CHECK, best, places[best], back, *parts[best]])
        places[best] += 1
    return steps


def _fresh(symbols: NDArray[np.int64], words: list[int], place: int, tried: set[int]) -> list[int]:
    letters = [int(symbols[word, place]) for word in words]
    return list(dict.fromkeys(x for x in letters if x >= 0 and x not in tried))
