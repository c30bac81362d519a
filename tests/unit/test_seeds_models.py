"""Auxiliary models: units with one missing digit are filled and reported."""

import numpy as np
import pytest

from workers.engines.sudoku.seeds.models import fill_models
from workers.engines.sudoku.seeds.outcome import CONTRADICTION, SOLVED, STOPPED
from workers.engines.sudoku.text import parse_text
from workers.errors import ParamsError

pytestmark = pytest.mark.nojit

GRID = parse_text(
    "957184362281963475643725198496357821875412936312896547729548613534671289168239754"
)


def without(*cells: int) -> np.ndarray:
    puzzle = GRID.copy()
    puzzle[list(cells)] = 0
    return puzzle


def test_every_unit_with_one_missing_digit_is_filled_and_reported():
    found = fill_models(without(0, 13, 80), by=["rows"])
    assert found.status == SOLVED
    assert (found.grid == GRID).all()
    assert [str(step) for step in found.steps] == [
        "row_model in row 1: r1c1=9",
        "row_model in row 2: r2c5=6",
        "row_model in row 9: r9c9=4",
    ]


@pytest.mark.parametrize(
    ("by", "unit"), [("rows", None), ("columns", None), ("boxes", "box_model in box 1: r1c1=9")]
)
def test_only_the_chosen_kind_of_unit_is_looked_at(by, unit):
    # Row 1 and column 1 lack two digits each, box 1 lacks one.
    found = fill_models(without(0, 8, 72), by=[by])
    assert [str(step) for step in found.steps if 0 in step.placements[0]] == (
        [unit] if unit else []
    )


def test_once_fills_what_lacks_one_digit_in_the_given_grid_and_no_more():
    # Row 1 waits for r1c1, which box 1 gives; once does not look again.
    puzzle = without(0, 8, 17)
    once = fill_models(puzzle, by=["rows", "boxes"], until_stable=False)
    stable = fill_models(puzzle, by=["rows", "boxes"], until_stable=True)
    assert [step.placements[0][0] for step in once.steps] == [17, 0]
    assert once.status == STOPPED
    assert stable.status == SOLVED


def test_a_cell_that_lacks_in_two_units_is_filled_once():
    found = fill_models(without(40))
    assert [str(step) for step in found.steps] == ["row_model in row 5: r5c5=1"]


def test_a_missing_digit_that_cannot_stand_in_its_cell_is_a_contradiction():
    puzzle = np.zeros(81, dtype=np.uint8)
    puzzle[1:9] = range(1, 9)
    puzzle[9] = 9
    found = fill_models(puzzle)
    assert found.status == CONTRADICTION
    assert found.grid[0] == 0


def test_a_kind_of_unit_that_does_not_exist_is_refused():
    with pytest.raises(ParamsError, match="diagonals"):
        fill_models(GRID, by=["diagonals"])
    with pytest.raises(ParamsError):
        fill_models(GRID, by=[])
