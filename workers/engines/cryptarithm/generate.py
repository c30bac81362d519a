"""Puzzles from word lists: words drawn at random, cheap rejects first, then the search.

A draw is a number of addends, the addends, and a result. Most draws fall at sight: too many or
too few letters, a result of the wrong length, a top letter that no carry can be, a units column
that would need a 0 at the head of a word, or so many or few assignments that one solution is
hopeless. What is left is solved, and kept when it has one solution.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.cryptarithm.search import (
    BASE,
    LEADING,
    LETTERS,
    ROW,
    STACK,
    search_one,
)
from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.machine.meter import metered
from workers.engines.machine.random import State, below

MOST_ADDENDS: Final = 5
LONGEST: Final = 16
MOST_SIGNS: Final = 60
"""Different letters of a word list: bits of a mask."""
LENGTH, MASK, VALUE, SIGN = 0, 1, 2, 3
"""Of a word: its length, the set of its letters, its value as a number word, its letters."""
LEAST_ADDENDS, MOST_TERMS, LEAST_LETTERS, MOST, O_BASE, MATCHED, NODE_BUDGET = range(7)
ORDER: Final = 7
DRAWS, SOLVED, KEPT = 0, 1, 2
"""Of the tally."""
SLICE: Final = 100_000
"""Draws of one kernel call; SOLVES solves end it too: a quarter of a second or so."""
SOLVES: Final = 20_000
LEAST_WAYS: Final = 0.1
MOST_WAYS: Final = 20.0
"""Assignments of the letters for every value of the result: outside, one solution is rare."""

Ints = NDArray[np.int64]


class Lexicon(NamedTuple):
    """Words as numbers."""

    words: tuple[str, ...]
    table: Ints  # (n, SIGN + LONGEST)
    by_length: Ints  # word numbers, by length
    first: Ints  # (LONGEST + 2,) where the words of a length start in it
    by_value: Ints  # value -> word number or -1; empty for words that are no numbers


class Order(NamedTuple):
    """What is wanted."""

    addends: tuple[int, int] = (2, 3)
    letters: tuple[int, int] = (5, 10)
    base: int = 10
    node_budget: int = 100_000


class Drawn(NamedTuple):
    """Puzzles that have one solution, as word numbers: addends, then the result; -1 behind."""

    words: Ints  # (n, MOST_ADDENDS + 1), the result in column MOST_ADDENDS
    draws: int
    solved: int


def lexicon(words: Sequence[str], values: Sequence[int] | None = None) -> Lexicon:
    """The lexicon of words (parsed symbols: one character each), in their order.

    `values`: what number words mean; the result of a draw is then the word of the sum.
    ValueError when the words have more than MOST_SIGNS different letters.
    """
    signs = {sign: number for number, sign in enumerate(sorted(set("".join(words))))}
    if len(signs) > MOST_SIGNS:
        raise ValueError(f"words with {len(signs)} different letters, at most {MOST_SIGNS}")
    table = np.zeros((len(words), SIGN + LONGEST), np.int64)
    for row, word in zip(table, words, strict=True):
        numbers = [signs[sign] for sign in word]
        row[LENGTH], row[MASK] = len(word), sum(1 << number for number in set(numbers))
        row[SIGN : SIGN + len(word)] = numbers[::-1]
    order = np.argsort(table[:, LENGTH], kind="stable")
    first = np.searchsorted(table[order, LENGTH], np.arange(LONGEST + 2))
    by_value = np.zeros(0, np.int64)
    if values is not None:
        table[:, VALUE] = values
        by_value = np.full(max(values) * MOST_ADDENDS + 1, -1, np.int64)
        by_value[list(values)] = np.arange(len(words))
    return Lexicon(tuple(words), table, order, first.astype(np.int64), by_value)


@kernel
def letters_fit(table: Ints, drawn: Ints, count: int, order: Ints) -> int:
    """How many letters `count` addends and a result have, or 0 when not as ordered."""
    letters = table[drawn[MOST_ADDENDS], MASK]
    for place in range(count):
        letters |= table[drawn[place], MASK]
    size = popcount(np.uint64(letters))
    return size if order[LEAST_LETTERS] <= size <= order[MOST] else 0


@kernel
def top_fits(table: Ints, drawn: Ints, count: int, order: Ints) -> Any:
    """A result one letter longer than its addends has a carry at the top, below `count`."""
    longest = 0
    for place in range(count):
        longest = max(longest, table[drawn[place], LENGTH])
    length = table[drawn[MOST_ADDENDS], LENGTH]
    if length == longest + 1:
        reach = count * (order[O_BASE] ** longest - 1)
        return reach >= order[O_BASE] ** longest
    return length == longest


@kernel
def units_fit(table: Ints, drawn: Ints, count: int) -> bool:
    """With two addends, one that ends like the result leaves 0 for the other's last letter."""
    if count != 2:
        return True
    result = drawn[MOST_ADDENDS]
    for place in range(2):
        other = drawn[1 - place]
        if table[drawn[place], SIGN] == table[result, SIGN]:
            last = table[other, SIGN]
            for word in (drawn[0], drawn[1], result):
                if table[word, LENGTH] > 1 and table[word, SIGN + table[word, LENGTH] - 1] == last:
                    return False
    return True


@kernel
def pack_sum(table: Ints, drawn: Ints, count: int, weights: Ints, row: Ints) -> None:
    """Put the addends minus the result into `row`, letters by weight; `weights` is room."""
    letters = leading = 0
    for place in range(count + 1):
        word = drawn[place] if place < count else drawn[MOST_ADDENDS]
        factor = 1 if place < count else -1
        length = table[word, LENGTH]
        for at in range(length):
            sign = table[word, SIGN + at]
            weights[sign] += factor
            factor *= row[BASE]
        letters |= table[word, MASK]
        if length > 1:
            leading |= 1 << table[word, SIGN + length - 1]
    size, mask = 0, 0
    while letters:
        sign = int(lowest(np.uint64(letters)))
        letters &= letters - 1
        weight, heads = weights[sign], leading >> sign & 1
        weights[sign] = 0
        at = size
        while at > 0 and abs(row[at - 1]) < abs(weight):
            row[at] = row[at - 1]
            at -= 1
        row[at] = weight
        mask = (mask & ((1 << at) - 1)) | (mask >> at) << (at + 1) | heads << at
        size += 1
    row[LETTERS], row[LEADING] = size, mask


@kernel
def draw(state: State, table: Ints, groups: Ints, order: Ints, drawn: Ints) -> Any:
    """Draw addends and a result into `drawn`; how many addends, or 0 for a draw that cannot be.

    `groups` holds word numbers by length, then where each length starts, or (with MATCHED)
    the word of every value.
    """
    words = len(table)
    spread = order[MOST_TERMS] - order[LEAST_ADDENDS] + 1
    count = order[LEAST_ADDENDS] + below(state, spread)
    longest = total = 0
    for place in range(count):
        word = below(state, words)
        drawn[place] = word
        longest = max(longest, table[word, LENGTH])
        total += table[word, VALUE]
    if order[MATCHED]:
        drawn[MOST_ADDENDS] = groups[total] if total < len(groups) else -1
        return count if drawn[MOST_ADDENDS] >= 0 else 0
    first, end = groups[words + longest], groups[words + min(longest + 2, LONGEST + 1)]
    if first == end:
        return 0
    drawn[MOST_ADDENDS] = groups[first + below(state, end - first)]
    for place in range(count):
        if drawn[place] == drawn[MOST_ADDENDS]:
            return 0
        for other in range(place):
            if drawn[place] == drawn[other]:
                return 0
    return count


@kernel
def draw_puzzles(
    state: State,
    table: Ints,
    groups: Ints,
    order: Ints,
    found: Ints,
    tally: Ints,
) -> None:
    """Draw until `found` is full, or for SLICE draws; `tally` counts draws, solves, puzzles."""
    base = order[O_BASE]
    room = np.zeros((STACK + (1 << base), 4), np.int64)
    weights = np.zeros(MOST_SIGNS + 4, np.int64)
    row = np.zeros(ROW, np.int64)
    drawn = np.zeros(MOST_ADDENDS + 1, np.int64)
    result = np.zeros(3, np.int64)
    nothing = np.zeros((0, 16), np.uint8)
    last, solves = tally[DRAWS] + SLICE, tally[SOLVED] + SOLVES
    while tally[KEPT] < len(found) and tally[DRAWS] < last and tally[SOLVED] < solves:
        tally[DRAWS] += 1
        for place in range(MOST_ADDENDS):
            drawn[place] = -1
        count = draw(state, table, groups, order, drawn)
        if count == 0 or not letters_fit(table, drawn, count, order):
            continue
        if not top_fits(table, drawn, count, order) or not units_fit(table, drawn, count):
            continue
        row[BASE] = base
        pack_sum(table, drawn, count, weights, row)
        if not order[MATCHED] and not likely(row, table[drawn[MOST_ADDENDS], LENGTH], order):
            continue
        tally[SOLVED] += 1
        search_one(row, 2, order[NODE_BUDGET], nothing, room, result)
        if result[0] == 1 and result[2] == 0:
            for place in range(MOST_ADDENDS + 1):
                found[tally[KEPT], place] = drawn[place]
            tally[KEPT] += 1


@kernel
def likely(row: Ints, length: int, order: Ints) -> bool:
    """Whether one solution is likely enough: assignments against values of the result."""
    ways = 1.0
    for letter in range(row[LETTERS]):
        ways *= order[O_BASE] - letter
    span = 1.0
    for _ in range(length):
        span *= order[O_BASE]
    return LEAST_WAYS * span < ways < MOST_WAYS * span


@metered
def draw_batch(state: State, words: Lexicon, order: Order, count: int, draws: int) -> Drawn:
    """Up to `count` puzzles with one solution, from at most about `draws` draws.

    Equal states, words and orders give equal puzzles; the state moves on.
    """
    matched = len(words.by_value) > 0
    groups = words.by_value if matched else np.concatenate([words.by_length, words.first])
    numbers = [*order.addends, *order.letters, order.base, int(matched), order.node_budget]
    found = np.full((count, MOST_ADDENDS + 1), -1, np.int64)
    tally = np.zeros(3, np.int64)
    while tally[KEPT] < count and tally[DRAWS] < draws:
        draw_puzzles(state, words.table, groups, np.array(numbers, np.int64), found, tally)
    return Drawn(found[: tally[KEPT]], int(tally[DRAWS]), int(tally[SOLVED]))
