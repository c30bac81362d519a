"""Kernels of the human model against slow twins on sets, on random puzzles."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workers.engines.machine.random import seeded
from workers.engines.sudoku.generate import minimal_puzzles
from workers.engines.sudoku.human.pencil import COUNT, MOVES, load, new_pencil, place
from workers.engines.sudoku.human.statics import statics
from workers.engines.sudoku.human.walk import MOST_STEPS, NO_END, new_desk, refute
from workers.engines.sudoku.search import solve_batch

SEEDS = st.integers(0, 2**31)
FEW = settings(max_examples=12, deadline=None, database=None)


def puzzles_of(seed, count=1):
    return minimal_puzzles(seeded(seed), count).puzzles


def stuck_values(puzzle, solution, twins):
    """The grid when all singles are filled."""
    values = puzzle.tolist()
    while moves := twins.simple_moves(twins.candidates_of(values)):
        for cell, _ in moves:
            values[cell] = int(solution[cell])
    return values


@FEW
@given(SEEDS)
def test_moves_are_those_of_the_twin_at_every_step(twins, seed):
    puzzle = puzzles_of(seed)[0]
    solution = solve_batch(puzzle[None]).solutions[0]
    rng, pencil, values = np.random.default_rng(seed), new_pencil(), puzzle.tolist()
    load(pencil, puzzle)
    for cell in rng.permutation(np.flatnonzero(puzzle == 0))[:25].tolist():
        found = {divmod(int(m), 9) for m in pencil[MOVES : MOVES + pencil[COUNT]]}
        assert {(at, digit + 1) for at, digit in found} == twins.simple_moves(
            twins.candidates_of(values)
        )
        if any(at == cell for at, _ in found):
            continue  # who makes a move takes it from the list; here cells are filled at will
        assert place(pencil, cell, int(solution[cell]) - 1)
        values[cell] = int(solution[cell])


@FEW
@given(SEEDS)
def test_what_can_be_refuted_and_how_long_it_takes_are_those_of_the_twin(twins, seed):
    puzzle = puzzles_of(seed)[0]
    solution = solve_batch(puzzle[None]).solutions[0]
    values = stuck_values(puzzle, solution, twins)
    candidates = twins.candidates_of(values)
    wrong = [(cell, digit) for cell in range(81) for digit in sorted(candidates[cell])
             if digit != solution[cell]]  # fmt: skip
    rng, desk, state = np.random.default_rng(seed), new_desk(), seeded(seed)
    load(desk.grid, np.array(values, np.uint8))
    chosen = [wrong[index] for index in rng.permutation(len(wrong))[:4]]
    for cell, digit in chosen:
        expected = [twins.refutation(values, cell, digit, rng) for _ in range(3)]
        found = [refute(desk, state, cell, digit - 1, NO_END - 1) for _ in range(300)]
        if np.isinf(expected[0]):
            assert set(found) == {NO_END}
            continue
        assert all(min(found) - 3 <= length <= max(found) + 3 for length in expected)
        assert max(found) <= MOST_STEPS


@FEW
@given(SEEDS)
def test_rounds_and_looks_are_those_of_the_twin(twins, seed):
    puzzles = puzzles_of(seed, 2)
    found = statics(puzzles)
    for row, puzzle in enumerate(puzzles.tolist()):
        assert (found.rounds[row], found.filled[row]) == twins.singles_rounds(puzzle)
        rounds, filled = twins.look_rounds(puzzle)
        assert found.look_rounds[row].tolist() == rounds
        assert found.look_filled[row].tolist() == filled
        assert found.look_filled[row].sum() == found.filled[row]


def test_mean_lengths_of_refutations_are_those_of_the_twin(twins):
    """On one stuck grid, over enough draws that another law would show."""
    rng = np.random.default_rng(3)
    puzzle = next(p for p in puzzles_of(11, 50) if stuck_open(p, twins) > 30)
    solution = solve_batch(puzzle[None]).solutions[0]
    values = stuck_values(puzzle, solution, twins)
    candidates = twins.candidates_of(values)
    desk, state = new_desk(), seeded(4)
    load(desk.grid, np.array(values, np.uint8))
    compared = 0
    for cell in range(81):
        for digit in sorted(candidates[cell] - {int(solution[cell])}):
            found = [refute(desk, state, cell, digit - 1, NO_END - 1) for _ in range(2000)]
            if max(found) == NO_END or np.std(found) == 0 or compared == 3:
                continue
            expected = [twins.refutation(values, cell, digit, rng) for _ in range(60)]
            error = np.std(found) * np.sqrt(1 / 60 + 1 / 2000)
            assert np.mean(expected) == pytest.approx(np.mean(found), abs=4 * error)
            compared += 1
    assert compared > 0


def stuck_open(puzzle, twins):
    solution = solve_batch(puzzle[None]).solutions[0]
    return stuck_values(puzzle, solution, twins).count(0)
