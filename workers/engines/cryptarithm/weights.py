"""Signed sums: an equation as words with factors, as letter weights, as a row for the search.

An equation is linear when no two words with letters are multiplied. All is moved to the left:
SEND+MORE=MONEY becomes SEND + MORE - MONEY = 0, then -9000 M + 1000 S - 900 O + 91 E ...
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from workers.engines.cryptarithm.model import (
    PRODUCT,
    WORD,
    Puzzle,
    Term,
    Word,
    has_letters,
    term_value,
)
from workers.engines.cryptarithm.search import BASE, CONSTANT, LARGEST, LEADING, LETTERS, ROW, Rows


class Form(NamedTuple):
    """A linear equation: the sum of weights times digits, and the constant, is 0; exact."""

    weights: tuple[int, ...]  # by letter number
    constant: int


class Packed(NamedTuple):
    """Puzzles as rows for the search, and which letter each weight belongs to."""

    rows: Rows  # (n, ROW)
    orders: list[tuple[int, ...]]  # letter number by place in the row


def signed_words(left: Term, right: Term, base: int) -> list[tuple[int, Word]] | None:
    """(factor, word) for every word of left - right, or None when that is not linear."""
    first, second = _words(left, 1, base), _words(right, -1, base)
    return None if first is None or second is None else first + second


def _words(term: Term, factor: int, base: int) -> list[tuple[int, Word]] | None:
    if term.sort == WORD:
        return [(factor, term.word)]
    if term.sort == PRODUCT:
        variable = [item for item in term.items if has_letters(item)] or [term.items[0]]
        if len(variable) > 1:
            return None
        fixed = [item for item in term.items if item is not variable[0]]
        for item in fixed:
            factor *= term_value(item, (), base)
        return _words(variable[0], factor, base)
    found: list[tuple[int, Word]] = []
    for sign, item in zip(term.signs, term.items, strict=True):
        words = _words(item, sign * factor, base)
        if words is None:
            return None
        found += words
    return found


def linear_form(puzzle: Puzzle) -> Form | None:
    """The form of a puzzle with one linear equation, or None."""
    if len(puzzle.equations) != 1:
        return None
    words = signed_words(*puzzle.equations[0], puzzle.rules.base)
    return None if words is None else form_of(words, len(puzzle.letters), puzzle.rules.base)


def form_of(words: Iterable[tuple[int, Word]], letters: int, base: int) -> Form:
    """The form of (factor, word) pairs."""
    weights, constant = [0] * letters, 0
    for factor, word in words:
        for symbol in reversed(word):
            if symbol >= 0:
                weights[symbol] += factor
            else:
                constant += factor * ~symbol
            factor *= base
    return Form(tuple(weights), constant)


def fits(form: Form, base: int) -> bool:
    """True when the search's integers cannot overflow."""
    return abs(form.constant) + sum(map(abs, form.weights)) * (base - 1) < LARGEST


def pack(puzzles: Iterable[tuple[Puzzle, Form]]) -> Packed:
    """Rows for the search of puzzles whose form fits."""
    listed = list(puzzles)
    rows = np.zeros((len(listed), ROW), np.int64)
    orders = []
    for row, (puzzle, form) in zip(rows, listed, strict=True):
        leading = puzzle.leading
        keys = [(-abs(weight), -weight, leading >> letter & 1, letter)
                for letter, weight in enumerate(form.weights)]  # fmt: skip
        order = tuple(key[-1] for key in sorted(keys))
        row[: len(order)] = [form.weights[letter] for letter in order]
        row[CONSTANT], row[LETTERS], row[BASE] = form.constant, len(order), puzzle.rules.base
        row[LEADING] = sum((leading >> letter & 1) << place for place, letter in enumerate(order))
        orders.append(order)
    return Packed(rows, orders)
