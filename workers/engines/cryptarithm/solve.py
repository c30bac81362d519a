"""The solutions of parsed puzzles, by the search that fits each."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.cryptarithm.columns import ColumnFound, search_columns
from workers.engines.cryptarithm.model import Puzzle
from workers.engines.cryptarithm.program import build
from workers.engines.cryptarithm.search import BUDGET_OUT, DEFAULT_BUDGET, search_batch
from workers.engines.cryptarithm.weights import fits, linear_form, pack


class Solved(NamedTuple):
    """What is known of n puzzles."""

    counts: NDArray[np.int64]  # (n,) solutions, up to the limit
    nodes: NDArray[np.int64]  # (n,) digits tried
    known: NDArray[np.bool_]  # (n,) the budget sufficed
    solutions: list[list[tuple[int, ...]]]  # digits by letter number


def solve_puzzles(
    puzzles: Sequence[Puzzle],
    limit: int = 2,
    budget: int = DEFAULT_BUDGET,
    keep: int | None = None,
) -> Solved:
    """Solutions of every puzzle, counted up to `limit`, the first `keep` listed.

    Sums whose weights fit go to the kernel over weights, in one batch, all others to the one
    over columns. Where a puzzle has not all that were asked for and `known` is False, there may
    be more.
    """
    count = len(puzzles)
    kept = limit if keep is None else keep
    counts, nodes = np.zeros(count, np.int64), np.zeros(count, np.int64)
    known = np.ones(count, np.bool_)
    solutions: list[list[tuple[int, ...]]] = [[] for _ in puzzles]
    forms = [linear_form(puzzle) for puzzle in puzzles]
    linear = [
        (place, (puzzle, form))
        for place, (puzzle, form) in enumerate(zip(puzzles, forms, strict=True))
        if form is not None and fits(form, puzzle.rules.base)
    ]
    packed = pack(pair for _, pair in linear)
    found = search_batch(packed.rows, limit, budget, kept)
    for at, (place, _) in enumerate(linear):
        counts[place], nodes[place] = found.counts[at], found.nodes[at]
        known[place] = found.status[at] != BUDGET_OUT
        order = packed.orders[at]
        for digits in found.solutions[at, : counts[place]].tolist():
            by_letter = dict(zip(order, digits, strict=False))
            solutions[place].append(tuple(by_letter[letter] for letter in range(len(order))))
    for place in sorted(set(range(count)) - {place for place, _ in linear}):
        columns = solve_columns(puzzles[place], limit, budget, kept)
        counts[place], nodes[place] = columns.solved, columns.nodes
        known[place] = columns.status != BUDGET_OUT
        solutions[place] = [tuple(row) for row in columns.solutions.tolist()]
    return Solved(counts, nodes, known, solutions)


def solve_columns(
    puzzle: Puzzle, limit: int = 2, budget: int = DEFAULT_BUDGET, keep: int | None = None
) -> ColumnFound:
    """Solutions of one puzzle by the search over columns, which takes all puzzles."""
    shape = (len(puzzle.letters), puzzle.rules.base, puzzle.leading)
    return search_columns(build(puzzle), shape, limit, budget, keep)
