"""Products of two words from word lists; drawn like sums, solved by columns."""

import numpy as np
from numpy.typing import NDArray

from workers.engines.cryptarithm.generate import (
    LEAST_WAYS,
    LENGTH,
    LONGEST,
    MASK,
    MOST_ADDENDS,
    MOST_WAYS,
    Drawn,
    Lexicon,
    Order,
)
from workers.engines.cryptarithm.search import BUDGET_OUT
from workers.engines.cryptarithm.solve import solve_columns
from workers.engines.cryptarithm.text import parse_puzzle
from workers.engines.machine.bits import popcount
from workers.engines.machine.kernel import kernel
from workers.engines.machine.random import State, below

Ints = NDArray[np.int64]
NODES = 1_000_000
"""Digits tried for one draw."""
SLICE = 200_000
"""Draws of one kernel call."""


@kernel
def draw_product(state: State, table: Ints, groups: Ints, order: Ints, drawn: Ints) -> int:
    """Draw until two factors and a result could be a product, or SLICE draws; how many it took.

    `order` is fewest letters, most letters, base. `drawn[0]` is -1 where none was found.
    """
    words = len(table)
    for number in range(1, SLICE + 1):
        first, second = below(state, words), below(state, words)
        length = table[first, LENGTH] + table[second, LENGTH]
        low = groups[words + min(length - 1, LONGEST + 1)]
        high = groups[words + min(length + 1, LONGEST + 1)]
        if first == second or low == high:
            continue
        result = groups[low + below(state, high - low)]
        letters = table[first, MASK] | table[second, MASK] | table[result, MASK]
        size = popcount(np.uint64(letters))
        if not order[0] <= size <= order[1] or result in (first, second):
            continue
        ways = 1.0
        for letter in range(size):
            ways *= order[2] - letter
        span = float(order[2]) ** table[result, LENGTH]
        if LEAST_WAYS * span < ways < MOST_WAYS * span:
            drawn[0], drawn[1], drawn[MOST_ADDENDS] = first, second, result
            return number
    drawn[0] = -1
    return SLICE


def draw_products(state: State, words: Lexicon, order: Order, count: int, draws: int) -> Drawn:
    """Up to `count` products with one solution, as `generate.draw_batch` does sums."""
    groups = np.concatenate([words.by_length, words.first])
    numbers = np.array([*order.letters, order.base], np.int64)
    drawn = np.full(MOST_ADDENDS + 1, -1, np.int64)
    found: list[list[int]] = []
    spent = solved = 0
    while len(found) < count and spent < draws:
        spent += draw_product(state, words.table, groups, numbers, drawn)
        if drawn[0] < 0:
            continue
        names = [words.words[word] for word in drawn[[0, 1, MOST_ADDENDS]]]
        puzzle = parse_puzzle(f"{names[0]}*{names[1]}={names[2]}@{order.base}")
        solved += 1
        result = solve_columns(puzzle, 2, NODES, 0)
        if result.solved == 1 and result.status != BUDGET_OUT:
            found.append(drawn.tolist())
    return Drawn(np.array(found, np.int64).reshape(-1, MOST_ADDENDS + 1), spent, solved)
