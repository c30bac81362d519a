"""The band engine on puzzles whose answer is known, and at its limits."""

import numpy as np
import pytest

from workers.engines.sudoku.search import BUDGET_OUT, DONE, SLICE_NODES, all_solutions, solve_batch
from workers.engines.sudoku.text import digits_from_texts, format_text, parse_text

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
EMPTY = np.zeros((1, 81), dtype=np.uint8)


def read_list(path):
    lines = [line[:81] for line in path.read_text(encoding="ascii").splitlines()]
    return digits_from_texts(np.array([np.frombuffer(line.encode(), np.uint8) for line in lines]))


@pytest.mark.nojit
def test_a_known_puzzle_has_its_known_solution():
    found = solve_batch(parse_text(EASY)[None])
    assert found.counts.tolist() == [1]
    assert format_text(found.solutions[0]) == SOLVED
    assert (found.nodes[0], found.guesses[0], found.status[0]) == (1, 0, DONE)


@pytest.mark.nojit
def test_a_full_grid_is_its_own_solution():
    assert format_text(solve_batch(parse_text(SOLVED)[None]).solutions[0]) == SOLVED


@pytest.mark.nojit
@pytest.mark.parametrize("cells", [(0, 1), (0, 9), (0, 20), (40, 44), (8, 80)])
def test_a_digit_twice_in_a_unit_has_no_solution(cells):
    puzzle = EMPTY.copy()
    puzzle[0, list(cells)] = 5
    found = solve_batch(puzzle)
    assert found.counts.tolist() == [0]
    assert not found.solutions.any()


@pytest.mark.nojit
def test_a_full_grid_with_a_wrong_cell_has_no_solution():
    grids = np.repeat(parse_text(SOLVED)[None], 81, axis=0)
    cells = np.arange(81)
    grids[cells, cells] = grids[cells, cells] % 9 + 1
    assert not solve_batch(grids).counts.any()


@pytest.mark.nojit
def test_an_unknown_digit_fits_nowhere():
    puzzle = EMPTY.copy()
    puzzle[0, 3] = 77
    assert solve_batch(puzzle).counts.tolist() == [0]


@pytest.mark.nojit
def test_no_puzzles_are_no_results():
    found = solve_batch(np.zeros((0, 81), dtype=np.uint8))
    assert [len(column) for column in found] == [0] * 5
    assert found.solutions.shape == (0, 81)


def test_the_empty_grid_has_as_many_solutions_as_asked_for():
    found = solve_batch(EMPTY, limit=1000)
    assert found.counts.tolist() == [1000]
    grids = all_solutions(EMPTY[0], 1000)
    assert len({grid.tobytes() for grid in grids}) == 1000
    assert (grids[0] == found.solutions[0]).all()


def test_all_solutions_of_a_loose_puzzle_are_found_once(twins):
    loose = parse_text(EASY)
    loose[np.flatnonzero(loose)[:7]] = 0
    count = twins.count_solutions(loose, 10_000)
    grids = all_solutions(loose, 10_000)
    assert 100 < count < 10_000
    assert len({grid.tobytes() for grid in grids}) == len(grids) == count
    assert all(twins.is_solution(loose, grid) for grid in grids)
    assert solve_batch(loose[None], limit=10_000).counts[0] == count


@pytest.mark.nojit
def test_results_do_not_depend_on_neighbours_layout_or_dtype():
    puzzles = np.vstack([parse_text(EASY), EMPTY[0], parse_text(SOLVED)])
    together = solve_batch(puzzles)
    for row, puzzle in enumerate(puzzles):
        alone = solve_batch(puzzle[None])
        assert all((column[0] == all_[row]).all() for column, all_ in
                   zip(alone, together, strict=True))  # fmt: skip
    strided = np.asfortranarray(puzzles.astype(np.int64))
    assert all((a == b).all() for a, b in zip(solve_batch(strided), together, strict=True))


@pytest.mark.nojit
@pytest.mark.parametrize("budget", [0, 1, 10, 46])
def test_a_search_stops_at_its_budget_and_says_so(budget):
    found = solve_batch(EMPTY, budget=budget)
    assert (found.nodes[0], found.status[0]) == (budget, BUDGET_OUT)
    assert found.counts[0] < 2


@pytest.mark.nojit
def test_the_last_node_of_a_budget_may_answer():
    assert solve_batch(EMPTY, budget=47).status.tolist() == [DONE]
    assert solve_batch(parse_text(EASY)[None], budget=1).status.tolist() == [DONE]


def test_a_search_longer_than_a_slice_goes_on():
    limit = SLICE_NODES // 2
    found = solve_batch(np.repeat(EMPTY, 2, axis=0), limit=limit)
    assert found.nodes[0] > SLICE_NODES
    assert found.counts.tolist() == [limit, limit]
    assert found.nodes[0] == found.nodes[1]
    stopped = solve_batch(EMPTY, limit=10**9, budget=SLICE_NODES + 10)
    assert (stopped.nodes[0], stopped.status[0]) == (SLICE_NODES + 10, BUDGET_OUT)


def test_every_17_clue_puzzle_has_one_solution(shared_data):
    puzzles = read_list(shared_data / "17_clue_49158.txt")
    found = solve_batch(puzzles)
    assert (found.counts == 1).all()
    assert ((puzzles == 0) | (puzzles == found.solutions)).all()
    assert found.guesses.mean() < 0.6


@pytest.mark.parametrize(
    ("name", "count", "guesses"),
    [("top1465", 1, 9), ("forum_hardest_1106", 1, 120), ("serg_benchmark", 2, 7)],
)
def test_lists_have_the_solutions_they_are_known_for(shared_data, name, count, guesses):
    found = solve_batch(read_list(shared_data / f"{name}.txt"))
    assert (found.counts == count).all()
    assert found.guesses.mean() < guesses
