"""A parsed cryptarithm: letters by number, words as symbols, equations as trees."""

from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple, TypeAlias

from workers.engines.cryptarithm.rules import Rules

Word: TypeAlias = tuple[int, ...]
"""Symbols from left to right: a letter's number, or ~digit for a fixed digit."""
WORD, SUM, PRODUCT = "word", "sum", "product"


class Term(NamedTuple):
    """A word, a sum of terms with signs, or a product of terms."""

    sort: str  # WORD, SUM or PRODUCT
    word: Word = ()
    items: "tuple[Term, ...]" = ()
    signs: tuple[int, ...] = ()  # of the items of a sum: 1 or -1


class Puzzle(NamedTuple):
    """What a text says."""

    rules: Rules
    letters: tuple[str, ...]  # in order of appearance
    leading: int  # bit i: letter i is not 0
    equations: tuple[tuple[Term, Term], ...]
    text: str  # normal form


def words_of(term: Term) -> Iterator[Word]:
    """The words of an expression, from left to right."""
    if term.sort == WORD:
        yield term.word
    for item in term.items:
        yield from words_of(item)


def has_letters(term: Term) -> bool:
    """False for an expression of fixed digits."""
    return any(symbol >= 0 for word in words_of(term) for symbol in word)


def word_value(word: Word, digits: Sequence[int], base: int) -> int:
    """The exact value of a word with these digits for the letters."""
    value = 0
    for symbol in word:
        value = value * base + (digits[symbol] if symbol >= 0 else ~symbol)
    return value


def term_value(term: Term, digits: Sequence[int], base: int) -> int:
    """The exact value of an expression."""
    if term.sort == WORD:
        return word_value(term.word, digits, base)
    values = [term_value(item, digits, base) for item in term.items]
    if term.sort == PRODUCT:
        return prod(values)
    return sum(sign * value for sign, value in zip(term.signs, values, strict=True))


def holds(puzzle: Puzzle, digits: Sequence[int]) -> bool:
    """True when the digits solve the puzzle: equations, leading letters, distinct digits."""
    base = puzzle.rules.base
    if len(set(digits)) < len(digits):
        return False
    if any(puzzle.leading >> letter & 1 and not digit for letter, digit in enumerate(digits)):
        return False
    return all(
        term_value(left, digits, base) == term_value(right, digits, base)
        for left, right in puzzle.equations
    )
