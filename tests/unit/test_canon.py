"""Canonical forms and automorphism counts that are known, and the node budget."""

import numpy as np
import pytest

from workers.engines.sudoku.canon import BUDGET_OUT, DONE, canonical_batch

SYMMETRIES = 2 * 6**8
SEVENTEEN = "000000010400000000020000000000050407008000300001090000300400200050100000000806000"
MOST_SYMMETRIC_GRID = (
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
)
CYCLIC_GRID = "123456789456789123789123456234567891567891234891234567345678912678912345912345678"
FIRST_GRID = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"


def digits(text: str) -> np.ndarray:
    return np.array([[int(character) for character in text]], np.uint8)


def text(form: np.ndarray) -> str:
    return "".join(map(str, form))


def with_clues(clues: dict[int, int]) -> np.ndarray:
    puzzle = np.zeros((1, 81), np.uint8)
    for cell, digit in clues.items():
        puzzle[0, cell] = digit
    return puzzle


@pytest.mark.nojit
def test_all_symmetries_map_the_empty_puzzle_to_itself() -> None:
    found = canonical_batch(np.zeros((1, 81), np.uint8))
    assert not found.forms.any()
    assert found.automorphisms.tolist() == [SYMMETRIES]
    assert found.status.tolist() == [DONE]


@pytest.mark.nojit
@pytest.mark.parametrize("cell", [0, 30, 80])
def test_a_single_clue_moves_to_the_last_cell(cell: int) -> None:
    found = canonical_batch(with_clues({cell: 7}))
    assert text(found.forms[0]) == "0" * 80 + "1"
    assert found.automorphisms.tolist() == [SYMMETRIES // 81]


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("clues", "tail", "images"),
    [
        ({0: 4, 1: 5}, "12", 81 * (2 + 2) // 2),
        ({0: 4, 3: 5}, "1002", 81 * (6 + 6) // 2),
        ({0: 4, 80: 4}, "1" + "0" * 23 + "1000", 81 * 36 // 2),
        ({0: 4, 10: 5}, "1000000020", 81 * 4 // 2),
    ],
)
def test_two_clues_have_the_symmetries_of_their_places(
    clues: dict[int, int], tail: str, images: int
) -> None:
    found = canonical_batch(with_clues(clues))
    assert text(found.forms[0]).lstrip("0") == tail
    assert found.automorphisms.tolist() == [SYMMETRIES // images]


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("grid", "automorphisms"), [(MOST_SYMMETRIC_GRID, 648), (CYCLIC_GRID, 54), (FIRST_GRID, 3)]
)
def test_known_grids_are_their_own_form_and_have_their_automorphisms(
    grid: str, automorphisms: int
) -> None:
    found = canonical_batch(digits(grid))
    assert text(found.forms[0]) == grid
    assert found.automorphisms.tolist() == [automorphisms]


@pytest.mark.nojit
def test_a_form_beyond_the_budget_is_unknown_and_the_others_are_not() -> None:
    puzzles = np.concatenate([digits(SEVENTEEN), digits(MOST_SYMMETRIC_GRID), with_clues({5: 1})])
    found = canonical_batch(puzzles, budget=1_000)
    assert found.status.tolist() == [DONE, BUDGET_OUT, DONE]
    assert found.automorphisms.tolist() == [1, 0, SYMMETRIES // 81]
    assert not found.forms[1].any()
    assert canonical_batch(puzzles).status.tolist() == [DONE, DONE, DONE]


def test_a_grid_of_equal_digits_is_beyond_the_default_budget() -> None:
    assert canonical_batch(np.ones((1, 81), np.uint8)).status.tolist() == [BUDGET_OUT]


def test_no_budget_gives_no_form() -> None:
    assert canonical_batch(np.zeros((2, 81), np.uint8), budget=0).status.tolist() == [1, 1]


def test_no_puzzles_give_no_forms() -> None:
    found = canonical_batch(np.zeros((0, 81), np.uint8))
    assert found.forms.shape == (0, 81)
    assert found.automorphisms.shape == found.status.shape == (0,)


@pytest.mark.nojit
def test_any_integer_layout_of_the_puzzles_is_taken() -> None:
    wide = np.zeros((81, 2), np.int64)
    wide[[4, 60]] = 3
    assert (canonical_batch(wide.T).forms == canonical_batch(with_clues({4: 1, 60: 1})).forms).all()


def test_a_batch_longer_than_a_slice_is_finished() -> None:
    puzzles = np.repeat(digits(MOST_SYMMETRIC_GRID), 500, axis=0)
    found = canonical_batch(puzzles)
    assert (found.automorphisms == 648).all()
