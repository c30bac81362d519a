"""The analytic levels: the documents' grids, furthest grids, budgets, steps."""

import numpy as np
import pytest

from workers.engines.sudoku.seeds.analytic import METHOD_NAMES, analytic_batch, analytic_path
from workers.engines.sudoku.seeds.outcome import BUDGET_OUT, CONTRADICTION, SOLVED, STOPPED
from workers.engines.sudoku.text import format_text, parse_text

LEO = parse_text(
    "900104002080060070000000000400000001070000030300000007000000000030070080100209004"
)
LEO_SOLVED = "957184362281963475643725198496357821875412936312896547729548613534671289168239754"
NEAR_WORST = parse_text(
    "000000000000003085001020000000507000004000100090000000500000073002010000000040009"
)
FRENCH = parse_text(
    "080400000007010600500003040300002500001070000000500009005300007020008030000060900"
)


@pytest.mark.nojit
@pytest.mark.parametrize("level", [0, 1])
def test_star_burst_leo_stops_at_thirty_filled_cells_without_supposition(level):
    found = analytic_batch(LEO, level)
    assert (found.status[0], found.level[0]) == (STOPPED, -1)
    assert (found.grids[0] > 0).sum() == 30


def test_star_burst_leo_needs_level_two():
    found = analytic_batch(LEO)
    assert (found.status[0], found.level[0]) == (SOLVED, 2)
    assert format_text(found.grids[0]) == LEO_SOLVED
    assert found.suppositions[0] > 0


@pytest.mark.nojit
def test_the_near_worst_case_of_brute_force_is_solved_at_level_zero():
    found = analytic_batch(NEAR_WORST)
    assert (found.status[0], found.level[0]) == (SOLVED, 0)
    assert found.suppositions[0] == 0
    used = dict(zip(METHOD_NAMES, found.counts[0].tolist(), strict=True))
    assert used["naked_single"] > 0
    assert sum(used.values()) == 81 - 17


def test_the_french_grid_needs_a_supposition_within_a_supposition():
    assert analytic_batch(FRENCH, 2).status[0] == STOPPED
    assert analytic_batch(FRENCH, 3).level[0] == 3


@pytest.mark.nojit
def test_pointing_and_claiming_belong_to_level_one():
    # Digit 1: in box 1 only row 1 is left, so it leaves the rest of row 1.
    puzzle = np.zeros(81, dtype=np.uint8)
    puzzle[[9, 10, 11, 18, 19, 20]] = [2, 3, 4, 5, 6, 7]
    steps = analytic_path(puzzle, 1).steps
    assert [(step.method, step.unit) for step in steps[:1]] == [("pointing", 18)]
    assert steps[0].eliminations == tuple((cell, 1) for cell in range(3, 9))
    assert analytic_path(puzzle, 0).steps == []


@pytest.mark.parametrize("level", [2, 3])
def test_replaying_the_steps_of_suppositions_gives_the_grid(level):
    puzzle = LEO if level == 2 else FRENCH
    found = analytic_path(puzzle, level)
    grid = puzzle.copy()
    for step in found.steps:
        for cell, digit in step.placements:
            assert grid[cell] == 0
            grid[cell] = digit
    assert (grid == found.result.grids[0]).all()
    wrong = sum(len(step.eliminations) for step in found.steps if "supposition" in step.method)
    assert wrong == found.result.counts[0, 5:].sum()


def test_eliminations_never_touch_the_solution():
    found = analytic_path(FRENCH)
    solution = found.result.grids[0]
    dropped = [pair for step in found.steps for pair in step.eliminations]
    assert dropped
    assert not any(solution[cell] == digit for cell, digit in dropped)


def test_a_puzzle_with_many_solutions_stops_instead_of_being_guessed():
    found = analytic_batch(np.zeros(81, dtype=np.uint8), 2)
    assert (found.status[0], found.level[0]) == (STOPPED, -1)


@pytest.mark.nojit
def test_conflicting_clues_and_cells_without_a_digit_are_contradictions():
    twice = np.zeros(81, dtype=np.uint8)
    twice[[0, 8]] = 5
    starved = np.zeros(81, dtype=np.uint8)
    starved[1:9] = range(1, 9)
    starved[9] = 9
    assert analytic_batch(np.array([twice, starved]), 0).status.tolist() == [CONTRADICTION] * 2


@pytest.mark.parametrize("budget", [0, 5, 400, 900])
def test_suppositions_end_with_the_budget_at_every_depth(budget):
    found = analytic_batch(FRENCH, 3, budget)
    assert found.status[0] == BUDGET_OUT
    assert found.suppositions[0] == budget


def test_deeper_levels_than_the_documents_are_allowed():
    assert analytic_batch(FRENCH, 5).level[0] == 3
