"""Sums as the grader sees them: columns, carries, and letters in an order of their own.

Letters and columns stand in an order that no renaming, no order of addends and no word moved
across the = changes, so the grader's figures do not either.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.cryptarithm.deduce import (
    C_CONSTANT,
    C_IN,
    C_OUT,
    C_WIDTH,
    LOW,
    MOST_LETTERS,
)
from workers.engines.cryptarithm.model import Puzzle, Word
from workers.engines.cryptarithm.weights import signed_words

MOST_COLUMNS: Final = 1_024

Ints = NDArray[np.int64]


class Columns(NamedTuple):
    """A puzzle for the grader."""

    rows: Ints  # (m, C_WIDTH), equation by equation, units first
    start: Ints  # state before the first step
    letters: tuple[int, ...]  # letter number by place
    base: int
    carries: int  # with carry 0
    places: tuple[tuple[int, int], ...]  # equation and place of every column


def columns_of(puzzle: Puzzle) -> Columns | None:
    """The columns of a puzzle; None when an equation is not linear, or has none left."""
    base, count = puzzle.rules.base, len(puzzle.letters)
    sums: list[list[list[int]]] = []
    for left, right in puzzle.equations:
        words = signed_words(left, right, base)
        if words is None:
            return None
        sums.append(_oriented(_factors(words, count)))
    total = sum(map(len, sums))
    if not 0 < total <= MOST_COLUMNS or not all(sums):
        return None
    profile = [
        (*(-row[letter] for rows in sums for row in rows[::-1]), -(puzzle.leading >> letter & 1))
        for letter in range(count)
    ]
    order = tuple(sorted(range(count), key=lambda letter: profile[letter]))
    return _columns(puzzle, sums, order)


def _factors(words: Sequence[tuple[int, Word]], count: int) -> list[list[int]]:
    """Factors of the letters, then the constant, of every column, units first."""
    length = max(len(word) for _, word in words)
    rows = [[0] * (count + 1) for _ in range(length)]
    for factor, word in words:
        for place, symbol in enumerate(reversed(word)):
            if symbol >= 0:
                rows[place][symbol] += factor
            else:
                rows[place][count] += factor * ~symbol
    while rows and not any(rows[-1]):
        rows.pop()
    return rows


def _oriented(rows: list[list[int]]) -> list[list[int]]:
    """The columns or their negatives: what is more on the side of the addends.

    Of two sums that are as long, it is the one with the greater profile, which no renaming changes.
    """
    turned = [[-factor for factor in row] for row in rows]
    return max(rows, turned, key=_profile)


def _profile(rows: list[list[int]]) -> tuple[int, list[list[int]]]:
    return sum(map(sum, rows)), [sorted(row[:-1]) + row[-1:] for row in rows[::-1]]


def _columns(puzzle: Puzzle, sums: list[list[list[int]]], order: tuple[int, ...]) -> Columns:
    base = puzzle.rules.base
    rows = np.zeros((sum(map(len, sums)), C_WIDTH), np.int64)
    bounds = [(0, 0)]
    places = []
    number = 0
    for equation, columns in enumerate(sums):
        low = high = into = 0
        for place, factors in enumerate(columns):
            row = rows[number]
            row[: len(order)] = [factors[letter] for letter in order]
            row[C_CONSTANT], row[C_IN] = factors[-1], into
            low += factors[-1] + (base - 1) * sum(min(factor, 0) for factor in factors[:-1])
            high += factors[-1] + (base - 1) * sum(max(factor, 0) for factor in factors[:-1])
            low, high = -(-low // base), high // base
            if place < len(columns) - 1:
                into = row[C_OUT] = len(bounds)
                bounds.append((low, high))
            places.append((equation, place))
            number += 1
    start = np.zeros(LOW + 2 * len(bounds), np.int64)
    full = (1 << base) - 1
    for place, letter in enumerate(order):
        start[place] = full & ~(puzzle.leading >> letter & 1)
    start[LOW:] = np.array(bounds).ravel()
    return Columns(rows, start, order, base, len(bounds), tuple(places))


def greatest_carry(columns: Columns, digits: Sequence[int]) -> int:
    """The greatest magnitude of a carry, for the solution's digits by letter number."""
    greatest = carry = 0
    values = np.zeros(MOST_LETTERS, np.int64)
    values[: len(columns.letters)] = [digits[letter] for letter in columns.letters]
    for row in columns.rows:
        total = int(row[:MOST_LETTERS] @ values) + int(row[C_CONSTANT])
        carry = (total + carry) // columns.base if row[C_IN] else total // columns.base
        greatest = max(greatest, abs(carry))
    return greatest
