"""The human path: the method table, effort, the guess, ends, steps."""

import numpy as np
import pytest

from workers.engines.sudoku.seeds.human_path import METHODS, human_path, human_path_batch
from workers.engines.sudoku.seeds.outcome import BUDGET_OUT, CONTRADICTION, SOLVED, STOPPED
from workers.engines.sudoku.text import format_text, parse_text

pytestmark = pytest.mark.nojit

FRENCH = parse_text(
    "080400000007010600500003040300002500001070000000500009005300007020008030000060900"
)
FRENCH_SOLVED = "186427395437915682592683741369142578251879463748536219615394827924758136873261954"
LEO = parse_text(
    "900104002080060070000000000400000001070000030300000007000000000030070080100209004"
)
GRID = parse_text(
    "957184362281963475643725198496357821875412936312896547729548613534671289168239754"
)
NAMES = [method.name for method in METHODS]


def test_methods_and_levels_are_the_documents():
    levels = [method.level for method in METHODS]
    assert levels == [0, 0, 1, 2, 3, 5, 5, 10, 15, 20, 20, 0]
    assert NAMES[0] == "fill_only_one_possible"
    assert NAMES[6] == "write_down_possible"
    assert NAMES[11] == "guess"


def test_the_french_grid_cannot_be_figured_out_without_a_guess():
    found = human_path_batch(FRENCH, last=10)
    assert found.status[0] == STOPPED
    assert found.calls[0, 10] == 1


def test_the_french_grid_is_solved_by_guessing():
    found = human_path(FRENCH)
    result = found.result
    assert (result.status[0], result.hardest[0]) == (SOLVED, 11)
    assert format_text(result.grids[0]) == FRENCH_SOLVED
    assert result.successes[0, 11] >= 1
    assert [step.method for step in found.steps if step.remark == "guess"] == ["guess"] * int(
        result.successes[0, 11]
    )


def test_no_guess_may_stand_when_none_is_allowed():
    assert human_path_batch(FRENCH, max_depth=0).status[0] == STOPPED


def test_effort_is_the_sum_of_the_levels_of_all_calls_and_five_a_guess():
    found = human_path_batch(np.array([FRENCH, LEO]))
    levels = np.array([method.level for method in METHODS])
    assert (found.score == found.calls @ levels + 5 * found.successes[:, 11]).all()


def test_calls_that_find_nothing_cost_their_level():
    # One empty cell: method 0 fails (level 0), method 1 fills it. Nothing is written down.
    last = GRID.copy()
    last[40] = 0
    found = human_path_batch(last)
    assert found.calls[0].tolist() == [1, 1] + [0] * 10
    assert found.score[0] == 0
    assert found.hardest[0] == 1
    # An empty grid without guessing: one failure of every method, 1+2+3+5+5+10+15+20+20.
    nothing = human_path_batch(np.zeros(81, dtype=np.uint8), last=10)
    assert nothing.status[0] == STOPPED
    assert nothing.calls[0].tolist() == [1] * 11 + [0]
    assert nothing.score[0] == 81
    assert nothing.hardest[0] == -1


def test_a_full_grid_takes_no_call():
    found = human_path_batch(GRID)
    assert (found.status[0], found.score[0], found.hardest[0]) == (SOLVED, 0, -1)
    assert found.calls.sum() == 0


def test_candidates_are_written_down_only_for_cells_with_at_most_three():
    found = human_path(LEO, last=6)
    marks = np.array([int(bits).bit_count() for bits in found.marks])
    empty = found.result.grids[0] == 0
    assert found.written[empty].sum() == (marks[empty] <= 3).sum()
    assert (marks[found.written & empty] <= 3).all()


def test_conflicting_clues_are_a_contradiction():
    puzzle = np.zeros(81, dtype=np.uint8)
    puzzle[[0, 8]] = 5
    assert human_path_batch(puzzle).status[0] == CONTRADICTION


def test_a_puzzle_without_solution_ends_in_a_contradiction_after_all_guesses():
    puzzle = FRENCH.copy()
    puzzle[0] = 9  # 1 in the only solution
    assert human_path_batch(puzzle).status[0] == CONTRADICTION


def test_the_budget_ends_the_work():
    found = human_path_batch(FRENCH, budget=20)
    assert (found.status[0], found.calls.sum()) == (BUDGET_OUT, 20)


def test_replaying_the_steps_gives_the_grid():
    found = human_path(LEO)
    grid = LEO.copy()
    for step in found.steps:
        for cell, digit in step.placements:
            grid[cell] = digit
    assert (grid == found.result.grids[0]).all()
    struck = [pair for step in found.steps for pair in step.eliminations]
    assert not any(grid[cell] == digit for cell, digit in struck)


def test_puzzles_of_a_batch_do_not_influence_each_other():
    together = human_path_batch(np.array([FRENCH, LEO, FRENCH]))
    alone = human_path_batch(FRENCH)
    assert together.score.tolist()[::2] == [int(alone.score[0])] * 2
    assert (together.calls[2] == alone.calls[0]).all()
