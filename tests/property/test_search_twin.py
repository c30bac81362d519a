"""The band engine against slow twins: its fixed points, its counts and its solutions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workers.engines.sudoku.layout import CELL, SIZE, SLOT
from workers.engines.sudoku.search import (
    OPEN,
    REFUTED,
    SOLVED,
    all_solutions,
    load,
    new_search,
    settle,
    solve_batch,
)

pytestmark = pytest.mark.nojit

GRID = np.array([int(digit) for digit in
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
], dtype=np.uint8)  # fmt: skip


@st.composite
def puzzles(draw, fewest=18, most=40):
    """Clues of a shuffled grid, some of them wrong now and then."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    rows, columns = (
        np.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)])
        for _ in range(2)
    )
    names = rng.permutation(9).astype(np.uint8) + 1
    grid = names[GRID.reshape(9, 9)[rows][:, columns] - 1].reshape(81)
    puzzle = np.zeros(81, dtype=np.uint8)
    shown = rng.permutation(81)[: draw(st.integers(fewest, most))]
    puzzle[shown] = grid[shown]
    for cell in rng.permutation(81)[: draw(st.sampled_from([0, 0, 0, 1, 2]))]:
        puzzle[cell] = rng.integers(1, 10)
    return puzzle


def candidates_of(board):
    return {(int(CELL[27 * word + bit]), digit + 1) for word in range(3) for digit in range(9)
            for bit in range(27) if int(board[16 * word + digit]) >> bit & 1}  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(puzzle=puzzles(), taken=st.lists(st.tuples(st.integers(0, 80), st.integers(1, 9))))
def test_positions_settle_where_the_rules_one_by_one_end(twins, puzzle, taken):
    search = new_search()
    load(search, puzzle[None], 0)
    for cell, digit in taken:
        word, bit = divmod(int(SLOT[cell]), 27)
        search.board[16 * word + digit - 1] &= ~np.uint32(1 << bit)
    outcome = settle(search.board, 0)
    expected = twins.fixed_point(twins.start(puzzle) - set(taken))
    if expected is None:
        assert outcome == REFUTED
    else:
        assert candidates_of(search.board[:SIZE]) == expected
        assert outcome == (SOLVED if len(expected) == 81 else OPEN)


@settings(deadline=None, max_examples=60)
@given(puzzle=puzzles(20, 30), limit=st.integers(1, 5))
def test_counts_and_solutions_are_those_of_a_plain_solver(twins, puzzle, limit):
    found = solve_batch(puzzle[None], limit)
    count = twins.count_solutions(puzzle, limit)
    assert found.counts[0] == count
    assert found.status[0] == 0
    if count:
        assert twins.is_solution(puzzle, found.solutions[0])
    else:
        assert not found.solutions.any()
    every = all_solutions(puzzle, limit)
    assert len({grid.tobytes() for grid in every}) == len(every) == count
    assert all(twins.is_solution(puzzle, grid) for grid in every)


@settings(deadline=None, max_examples=15)
@given(puzzle=puzzles(20, 26), limit=st.integers(1, 3))
def test_nodes_and_guesses_are_as_documented(twins, puzzle, limit):
    found = solve_batch(puzzle[None], limit)
    counts = (int(found.counts[0]), int(found.nodes[0]), int(found.guesses[0]))
    assert counts == twins.band_search(puzzle, limit)


@settings(deadline=None, max_examples=25)
@given(cells=st.lists(st.integers(0, 9), min_size=81, max_size=81), empty=st.integers(30, 81))
def test_noise_is_counted_too(twins, cells, empty):
    puzzle = np.array(cells, dtype=np.uint8)
    puzzle[np.random.default_rng(sum(cells)).permutation(81)[:empty]] = 0
    assert solve_batch(puzzle[None]).counts[0] == twins.count_solutions(puzzle, 2)
