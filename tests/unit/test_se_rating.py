"""The SE scale: its arithmetic, its orders, what a path and a budget tell."""

from itertools import combinations

import numpy as np
import pytest

from workers.engines.sudoku.se.geometry import COMBINATIONS, HOUSE, LINK_UNITS, N_COMBINATIONS
from workers.engines.sudoku.se.grid import GRID, HINT, load, record, removes
from workers.engines.sudoku.se.names import N_TECHNIQUES, NESTED_5, TECHNIQUES
from workers.engines.sudoku.se.picks import lengthened
from workers.engines.sudoku.se.rating import (
    OVER_BUDGET,
    SOLVED,
    STUCK,
    rate_batch,
    rate_path,
    tenths,
)
from workers.engines.sudoku.se.sentences import sentence
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.text import parse_text
from workers.errors import ParamsError

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
CHAINS = "49.28...6..7.3....8..6.4.2........4..4....893........2.5..63...72.4....8...82.9.7"
HARDEST = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("base", "complexity", "rating"),
    [
        (6.5, 4, 6.5), (6.6, 6, 6.6), (6.6, 7, 6.699999999999999), (6.5, 9, 6.7),
        (6.6, 11, 6.8999999999999995), (7.0, 18, 7.4), (8.5, 26, 9.0), (8.5, 770, 10.0),
    ],
)  # fmt: skip
def test_tenths_are_summed_before_they_are_added(base, complexity, rating):
    assert lengthened(base, complexity) == rating


@pytest.mark.nojit
def test_ratings_are_cut_to_tenths():
    assert [tenths(x) for x in (6.699999999999999, 7.0, 4.6000000000000005, 20.0)] == [
        6.7, 7.0, 4.6, 20.0]  # fmt: skip


@pytest.mark.nojit
def test_combinations_grow_by_their_highest_member():
    pairs = [(i, j) for j in range(9) for i in range(j)]
    assert COMBINATIONS[2, :36].tolist() == [(1 << i) | (1 << j) for i, j in pairs]
    for size in range(9):
        masks = COMBINATIONS[size, : N_COMBINATIONS[size]].tolist()
        assert masks == sorted(masks)
        assert len(set(masks)) == len(list(combinations(range(9), size)))


@pytest.mark.nojit
def test_a_house_is_box_then_row_then_column_without_doubles():
    for cell in range(81):
        assert sorted(HOUSE[cell].tolist()) == sorted(set(HOUSE[cell].tolist()))
        assert [LINK_UNITS[cell, kind] // 9 for kind in range(3)] == [2, 0, 1]
        assert all(LINK_UNITS[other, 0] == LINK_UNITS[cell, 0] for other in HOUSE[cell, :8])


@pytest.mark.nojit
def test_producers_stand_in_order():
    producers = [technique.producer for technique in TECHNIQUES]
    assert producers == sorted(producers)
    assert set(producers) == set(range(1, 31))
    assert NESTED_5 == N_TECHNIQUES - 1


@pytest.mark.nojit
def test_a_grid_and_a_hint_agree_on_candidates():
    grid, hint = record(GRID), record(HINT)
    load(grid, parse_text(EASY))
    assert grid.open == 51
    for unit in range(27):
        for digit in range(9):
            assert grid.places[unit, digit] & ~grid.empty[unit] == 0
    assert removes(grid, hint, 2, 0x1FF) == grid.cells[2] == hint.removed[2]


def test_a_path_leads_to_the_solution_and_its_ratings_to_er_ep_and_ed():
    for text in (EASY, CHAINS):
        puzzle = parse_text(text)
        found = rate_batch(puzzle[None])
        steps = rate_path(puzzle)
        solution = "".join(map(str, solve_batch(puzzle[None]).solutions[0]))
        assert steps[-1].after == solution
        first = next(k for k, step in enumerate(steps) if step.placements)
        ratings = [step.rating for step in steps]
        assert found.er[0] == max(ratings) == found.at_least[0]
        assert (found.ep[0], found.ed[0]) == (max(ratings[: first + 1]), ratings[0])
        used = [sum(step.technique is technique for step in steps) for technique in TECHNIQUES]
        assert found.counts[0].tolist() == used


def test_no_step_contradicts_the_solution():
    puzzle = parse_text(HARDEST)
    solution = solve_batch(puzzle[None]).solutions[0]
    for step in rate_path(puzzle):
        assert all(solution[cell] == digit for cell, digit in step.placements)
        assert all(solution[cell] != digit for cell, digit in step.eliminations)
        assert step.placements or step.eliminations


def test_over_budget_there_is_a_lower_bound_and_no_rating():
    found = rate_batch(np.array([parse_text(HARDEST), parse_text(EASY)]), budget=100_000)
    assert found.status.tolist() == [OVER_BUDGET, SOLVED]
    assert np.isnan(found.er[0])
    assert 9.0 < found.at_least[0] <= 10.7
    assert (found.er[1], found.nodes[1]) == (1.2, 0)


@pytest.mark.parametrize("text", ["." * 81, "11".ljust(81, "."), EASY[:60].ljust(81, ".")])
def test_a_puzzle_that_is_not_sound_gets_some_rating(text):
    found = rate_batch(parse_text(text)[None], budget=1_000_000)
    assert found.status[0] in (SOLVED, STUCK, OVER_BUDGET)


def test_what_is_no_digit_is_refused():
    with pytest.raises(ParamsError, match="10 is not a digit"):
        rate_batch(np.full((1, 81), 10))


def test_sentences_say_what_was_seen_and_done():
    said = [sentence(step) for step in rate_path(parse_text(CHAINS)) if step.rating > 2]
    assert said[0] == ("2.5 Direct hidden triplet 2,6,8 in r4c6, r5c6, r6c6 (column 6): r1c6 is 7")
    assert said[1] == "2.6 Pointing 3 in r4c1, r6c1 (box 4): removes 3 from r9c1"
    assert any(
        line == "7.8 Nishio, r6c4=5 forces 5 in r9c6 on and off: removes 5 from r6c4"
        for line in said
    )
    assert (
        "7.1 Forcing chain r4c1=1 -> r4c1<>3 -> r6c1=3 -> r6c1<>5 -> r6c7=5 -> r6c7<>1"
        " -> r4c9=1 -> r4c1<>1: removes 1 from r4c1"
    ) in said
