"""Backdoors against a plain solver by singles over sets of candidates."""

from itertools import combinations

import numpy as np
import pytest

from workers.engines.machine.random import seeded
from workers.engines.sudoku.backdoors import backdoors
from workers.engines.sudoku.generate import minimal_puzzles
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.text import parse_text

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
HARDER = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7....."
HARDEST = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"


def solved_by_singles(twins, puzzle):
    candidates = [{puzzle[cell]} if puzzle[cell] else set(range(1, 10)) for cell in range(81)]
    done = set()
    while True:
        singles = {cell: next(iter(c)) for cell, c in enumerate(candidates) if len(c) == 1}
        for unit in twins.units():
            for digit in range(1, 10):
                places = [cell for cell in unit if digit in candidates[cell]]
                if len(places) == 1:
                    singles[places[0]] = digit
        fresh = set(singles) - done
        if not fresh:
            return len(done) == 81
        for cell in fresh:
            candidates[cell] = {singles[cell]}
            for peer in twins.peers(cell):
                candidates[peer] = candidates[peer] - {singles[cell]}
        done |= fresh


def filled(puzzle, solution, cells):
    return [solution[cell] if cell in cells else puzzle[cell] for cell in range(81)]


def slow(twins, puzzle, solution, sizes):
    empty = [cell for cell in range(81) if not puzzle[cell]]
    for size in sizes:
        count = sum(
            solved_by_singles(twins, filled(puzzle, solution, cells))
            for cells in combinations(empty, size)
        )
        if count:
            return size, count
    return 3, 0


def of(texts):
    puzzles = np.array([parse_text(text) for text in texts])
    return backdoors(puzzles, solve_batch(puzzles).solutions)


def test_sizes_and_counts_are_those_of_a_plain_solver(twins):
    made = minimal_puzzles(seeded(3), 10)
    found = backdoors(made.puzzles, made.solutions)
    assert {0, 1} <= set(found.sizes.tolist())
    rows = zip(
        made.puzzles.tolist(), made.solutions.tolist(), found.sizes, found.counts, strict=True
    )
    for puzzle, solution, size, count in rows:
        if size <= 1:
            assert slow(twins, puzzle, solution, (0, 1)) == (size, count)
        else:
            assert slow(twins, puzzle, solution, (0, 1)) == (3, 0)


@pytest.mark.slow
def test_pairs_are_those_of_a_plain_solver(twins):
    puzzle = parse_text(HARD)
    solution = solve_batch(puzzle[None]).solutions[0]
    assert slow(twins, puzzle.tolist(), solution.tolist(), (0, 1, 2)) == (2, 7)


@pytest.mark.nojit
def test_what_singles_solve_has_no_need_of_a_backdoor():
    found = of([EASY])
    assert (found.sizes.tolist(), found.counts.tolist()) == ([0], [1])


def test_hard_puzzles_need_more_than_one_cell():
    found = of([HARD, HARDER, HARDEST])
    assert found.sizes.tolist() == [2, 2, 3]
    assert found.counts.tolist() == [7, 1, 0]


@pytest.mark.nojit
def test_no_puzzles_have_no_backdoors():
    none = np.zeros((0, 81), np.uint8)
    assert len(backdoors(none, none).sizes) == 0
