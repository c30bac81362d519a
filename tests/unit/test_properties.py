"""Minimality, symmetry and conflicts on boards made for them; the twins check the rest."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workers.engines.sudoku.geometry import unit_name
from workers.engines.sudoku.properties import SYMMETRY_NAMES, conflicts, minimal, symmetry
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.symmetry import GENERATORS, orbits
from workers.engines.sudoku.text import parse_text

pytestmark = pytest.mark.nojit

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
SEVENTEEN = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."
BOARDS = st.lists(st.integers(0, 9), min_size=81, max_size=81)


def array(*texts):
    return np.array([parse_text(text) for text in texts])


def shown(orbit_rows):
    puzzle = np.zeros((1, 81), dtype=np.uint8)
    for orbit in orbit_rows:
        puzzle[0, orbit[orbit >= 0]] = 5
    return puzzle


def test_a_minimal_puzzle_is_told_from_one_with_a_clue_to_spare():
    tight = array(SEVENTEEN)
    solution = solve_batch(tight).solutions
    loose = tight.copy()
    loose[0, 0] = solution[0, 0]
    pairs = np.vstack([tight, loose, solution])
    assert minimal(pairs, np.repeat(solution, 3, axis=0)).tolist() == [True, False, False]


def test_a_solution_of_another_puzzle_is_refused():
    with pytest.raises(ValueError, match="differs"):
        minimal(array(PUZZLE), array(SOLVED[::-1]))


def test_the_puzzles_are_left_as_they_were():
    puzzles = array(PUZZLE)
    minimal(puzzles, array(SOLVED))
    assert (puzzles == array(PUZZLE)).all()


@pytest.mark.parametrize("name", SYMMETRY_NAMES)
def test_a_pattern_made_of_orbits_has_its_class(name):
    rng = np.random.default_rng(3)
    cells = orbits(name)
    puzzle = shown(cells[rng.permutation(len(cells))[: len(cells) // 2]])
    assert SYMMETRY_NAMES[symmetry(puzzle)[0]] == name


def test_orbits_share_out_the_board():
    sizes = {"none": 1, "rotate180": 2, "mirror": 2, "diagonal": 2, "rotate90": 4, "mirrors": 4,
             "diagonals": 4, "full": 8}  # fmt: skip
    assert set(GENERATORS) == set(SYMMETRY_NAMES) == set(sizes)
    for name, size in sizes.items():
        cells = orbits(name)
        assert sorted(cells[cells >= 0]) == list(range(81))
        assert (cells >= 0).sum(axis=1).max() == size


def test_an_empty_and_a_full_board_have_every_symmetry():
    assert [SYMMETRY_NAMES[code] for code in symmetry(array("." * 81, SOLVED))] == ["full"] * 2


@settings(deadline=None)
@given(st.sampled_from(SYMMETRY_NAMES), st.integers(0, 2**32), st.integers(0, 3))
def test_classes_are_those_of_trying_all_symmetries(twins, name, seed, spoilt):
    rng = np.random.default_rng(seed)
    cells = orbits(name)
    puzzle = shown(cells[rng.permutation(len(cells))[: rng.integers(0, len(cells))]])
    for cell in rng.integers(0, 81, spoilt):
        puzzle[0, cell] = 0 if puzzle[0, cell] else 1
    puzzle = np.rot90(puzzle.reshape(9, 9), rng.integers(4)).reshape(1, 81)
    assert SYMMETRY_NAMES[symmetry(puzzle)[0]] == twins.symmetry_class(puzzle[0])


def test_a_clash_is_named_by_unit_and_digit():
    text = list("." * 81)
    text[0] = text[8] = "7"
    text[20] = "7"
    found = conflicts(array(PUZZLE, "".join(text)))
    assert found.units.tolist() == [-1, 0]
    assert found.digits.tolist() == [0, 7]
    assert unit_name(int(found.units[1])) == "row 1"


@settings(deadline=None)
@given(BOARDS, st.integers(0, 81))
def test_the_first_clash_is_that_of_looking_at_every_pair(twins, cells, empty):
    puzzle = np.array([cells], dtype=np.uint8)
    puzzle[0, np.random.default_rng(empty).permutation(81)[:empty]] = 0
    found = conflicts(puzzle)
    assert (found.units[0], found.digits[0]) == twins.first_conflict(puzzle[0])


def test_no_puzzles_have_no_properties():
    none = np.zeros((0, 81), dtype=np.uint8)
    assert symmetry(none).shape == minimal(none, none).shape == conflicts(none).units.shape == (0,)
