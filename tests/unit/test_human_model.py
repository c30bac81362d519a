"""The human model: what a simulated solver meets on puzzles whose answers are known."""

import numpy as np
import pytest

from workers.engines.machine.random import seeded
from workers.engines.sudoku.human.fixedness import fixedness
from workers.engines.sudoku.human.looks import LOOKS
from workers.engines.sudoku.human.model import DEPENDENCY_STEPS, human_model
from workers.engines.sudoku.human.pencil import COUNT, MOVES, load, new_pencil, place
from workers.engines.sudoku.human.statics import statics
from workers.engines.sudoku.human.walk import NO_END, new_desk, refute
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.text import parse_text

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
STUCK = "....7..91...6..25...234..8..4.......5..1.6..2.......3..2..649...51..7...48..2...."
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
FULL = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ONE_LEFT = FULL[:40] + "." + FULL[41:]


def digits(*texts: str) -> np.ndarray:
    return np.array([parse_text(text) for text in texts])


def moves_of(pencil: np.ndarray) -> set[tuple[int, int]]:
    found = pencil[MOVES : MOVES + pencil[COUNT]].tolist()
    assert len(set(found)) == len(found)
    return {(move // 9, move % 9 + 1) for move in found}


@pytest.mark.nojit
def test_a_pencil_sees_the_moves_of_a_puzzle_and_of_what_is_placed(twins):
    pencil, puzzle = new_pencil(), parse_text(EASY)
    assert load(pencil, puzzle) == 51
    assert moves_of(pencil) == twins.simple_moves(twins.candidates_of(puzzle.tolist()))
    solution = solve_batch(puzzle[None]).solutions[0]
    values = puzzle.copy()
    for cell in np.flatnonzero(puzzle == 0)[::3]:
        if any(move[0] == cell for move in moves_of(pencil)):
            continue
        assert place(pencil, int(cell), int(solution[cell]) - 1)
        values[cell] = solution[cell]
        assert moves_of(pencil) == twins.simple_moves(twins.candidates_of(values.tolist()))


@pytest.mark.nojit
def test_a_puzzle_of_singles_is_never_stuck():
    found = human_model(digits(EASY), 3)
    assert found.stuck.mean[0] == found.refutation.mean[0] == found.endless.mean[0] == 0
    assert found.steps[0] == 51
    assert (found.frontier[0, :51] >= 1).all()
    assert (found.frontier[0, 51:] == 0).all()
    assert found.narrowest.mean[0] >= 1


def test_hard_puzzles_are_stuck_and_say_when_nothing_can_be_refuted():
    found = human_model(digits(STUCK, HARD), 10)
    assert (found.stuck.mean > 0).all()
    assert (found.refutation.mean > 0).all()
    assert found.endless.mean[1] > 0
    assert (found.endless.mean <= found.stuck.mean).all()
    assert (found.refutation.error >= 0).all()


@pytest.mark.nojit
def test_a_full_grid_and_one_empty_cell_have_figures():
    found = human_model(digits(FULL, ONE_LEFT), 2)
    assert found.steps.tolist() == [0, 1]
    assert found.dependency.mean.tolist() == [[0.0] * 8, [1.0] * 8]
    assert found.search_cost.mean.tolist() == [0.0, 1.0]
    assert found.order[0].tolist() == [0.0] * 81
    assert sorted(found.order[1].tolist()) == [0.0] * 80 + [1.0]


def test_figures_follow_from_the_frontier_by_their_definitions():
    found = human_model(digits(EASY, STUCK), 25)
    for row in range(2):
        steps, w = int(found.steps[row]), found.frontier[row]
        for index, k in enumerate(DEPENDENCY_STEPS):
            assert found.dependency.mean[row, index] == pytest.approx(w[: min(k, steps)].mean())
        cost = sum((steps - i) / max(w[i], 0.5) for i in range(steps))
        assert found.search_cost.mean[row] == pytest.approx(cost)


def test_the_order_is_that_of_a_solution():
    order = human_model(digits(EASY), 7).order[0]
    assert np.count_nonzero(order == 0) == 30
    assert order.sum() == pytest.approx(51 * 52 / 2)


def test_isomorphs_have_the_same_figures_in_any_order_and_company(random_isomorph):
    rng = np.random.default_rng(5)
    puzzles = digits(EASY, STUCK, HARD)
    turned = np.array([random_isomorph(puzzle, rng) for puzzle in puzzles])[::-1]
    one, other = human_model(puzzles, 10), human_model(turned, 10)
    for name in ("refutation", "stuck", "search_cost", "dependency", "narrowest"):
        for mean, again in zip(getattr(one, name), getattr(other, name), strict=True):
            assert (mean == again[::-1]).all()
    assert (one.order == other.order[::-1]).all()
    alone = human_model(puzzles[1], 10)
    assert alone.refutation.mean[0] == one.refutation.mean[1]


def test_more_runs_shrink_the_standard_error():
    few, many = human_model(digits(STUCK), 20), human_model(digits(STUCK), 180)
    ratio = few.search_cost.error[0] / many.search_cost.error[0]
    assert 1.8 < ratio < 5
    gap = abs(few.search_cost.mean[0] - many.search_cost.mean[0])
    assert gap < 5 * few.search_cost.error[0]


def test_the_standard_error_of_search_cost_is_what_repeats_show():
    """Halves of the runs of one puzzle differ as their standard errors say."""
    puzzles = digits(EASY, STUCK, HARD)
    some, all_of_them = human_model(puzzles, 50), human_model(puzzles, 200)
    gap = np.abs(some.search_cost.mean - all_of_them.search_cost.mean)
    assert (gap < 4 * some.search_cost.error).all()


@pytest.mark.parametrize("runs", [0, 1, 201])
def test_runs_out_of_range_are_refused(runs):
    with pytest.raises(ValueError, match="runs"):
        human_model(digits(EASY), runs)


def test_a_refutation_is_given_up_when_it_is_too_long():
    desk, state = new_desk(), seeded(1)
    puzzle = parse_text(STUCK)
    solution = solve_batch(puzzle[None]).solutions[0]
    load(desk.grid, puzzle)
    while desk.grid[COUNT]:
        move = int(desk.grid[MOVES])
        desk.grid[COUNT] -= 1
        desk.grid[MOVES : MOVES + desk.grid[COUNT]] = desk.grid[
            MOVES + 1 : MOVES + 1 + desk.grid[COUNT]
        ].copy()
        place(desk.grid, move // 9, move % 9)
    wrong = [(c, d) for c in range(81) for d in range(9)
             if desk.grid[2 * d + c // 45] >> c % 45 & 1 and d + 1 != solution[c]]  # fmt: skip
    lengths = {pair: refute(desk, state, *pair, NO_END - 1) for pair in wrong}
    assert any(0 < length < NO_END for length in lengths.values())
    for pair, length in lengths.items():
        if 2 <= length < NO_END:
            assert refute(desk, state, *pair, 0) in (0, 1)


@pytest.mark.nojit
def test_static_counts_are_those_of_a_slow_twin(twins):
    puzzle = parse_text(EASY)
    found = statics(puzzle[None])
    candidates = twins.candidates_of(puzzle.tolist())
    sizes = [len(options) for options in candidates if options]
    assert found.candidates[0].tolist() == [sizes.count(k) for k in range(1, 10)]
    assert found.digit_clues[0].tolist() == sorted((puzzle == d).sum() for d in range(1, 10))
    boxes = puzzle.reshape(3, 3, 3, 3).transpose(0, 2, 1, 3).reshape(9, 9)
    assert found.box_clues[0].tolist() == sorted((boxes > 0).sum(axis=1).tolist())
    rounds, filled = twins.singles_rounds(puzzle.tolist())
    assert (found.rounds[0], found.filled[0]) == (rounds, filled)
    looks = twins.look_rounds(puzzle.tolist())
    assert [found.look_rounds[0].tolist(), found.look_filled[0].tolist()] == looks
    assert len(looks[0]) == len(LOOKS)


def test_nodes_over_isomorphs_have_a_spread_where_a_search_has():
    found = statics(digits(EASY, HARD))
    assert found.nodes_mean[0] == 1
    assert found.nodes_spread[0] == 0
    assert found.nodes_mean[1] > 10
    assert found.nodes_spread[1] > 0


def test_fixedness_is_a_share_equal_for_isomorphs_and_one_for_a_full_grid(random_isomorph):
    puzzles = digits(EASY, HARD, FULL)
    found = fixedness(puzzles)
    assert found[2] == 1
    assert 0 < found[1] < found[0] < 1
    rng = np.random.default_rng(6)
    turned = np.array([random_isomorph(puzzle, rng) for puzzle in puzzles])
    assert (fixedness(turned) == found).all()
