"""Grids that cannot be graded or explained: one clear line each, and no traceback."""

from collections.abc import Callable

import numpy as np
import pytest

from pipeline import api
from workers.engines.sudoku.grade import open_board
from workers.engines.sudoku.text import parse_text
from workers.errors import ManySolutions, NoSolution, ParamsError

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
CLASH = "55".ljust(81, ".")
STARVED = "12345678." + "." * 17 + "9" + "." * 54  # nothing is left for r1c9
SEVERAL = EASY[:60].ljust(81, ".")
REFUSED = [
    (CLASH, 0, "a digit twice in row 1", "no solution: 5 stands twice in row 1"),
    (STARVED, 0, "no solution", "no solution"),
    (SEVERAL, 2, "several solutions", "several solutions, and some techniques of hodoku assume"),
]

Call = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(("text", "solutions", "reason", "_"), REFUSED)
def test_a_grid_that_is_not_sound_keeps_its_row_without_a_grade(text, solutions, reason, _):
    row = api.grade(text).iloc[0]
    assert row["n_solutions"] == solutions
    assert row["reason"] == reason
    rated = row[[name for name in row.index if name.startswith("hodoku") or name == "level"]]
    assert rated.isna().all()


@pytest.mark.parametrize(("text", "_", "__", "why"), REFUSED)
def test_what_cannot_be_explained_is_told_in_one_line(call: Call, text, _, __, why):
    with pytest.raises((NoSolution, ManySolutions), match=why):
        api.explain(text)
    code, out, err = call("explain", text)
    assert (code, out) == (1, "")
    assert why in err
    assert err.count("\n") == 1


def test_a_solved_grid_is_graded_as_nothing_to_do(call: Call):
    row = api.grade(SOLVED).iloc[0]
    assert (row["hodoku_score"], row["hodoku_steps"], row["hodoku_level"]) == (0, 0, "easy")
    assert api.explain(SOLVED) == []
    assert call("explain", SOLVED)[:2] == (0, "solved\n")


@pytest.mark.nojit
def test_pencilmarks_that_leave_no_way_are_refused_with_the_place():
    def masks(cells, digit):
        kept = np.full(81, 511)
        kept[cells] &= ~(1 << (digit - 1))
        return kept

    puzzle = parse_text(EASY)
    without = np.full(81, 511)
    without[2] = 0
    with pytest.raises(NoSolution, match="candidates: r1c3 has none left"):
        open_board(puzzle, without)
    with pytest.raises(NoSolution, match="row 1 has no place left for 4"):
        open_board(puzzle, masks(slice(0, 9), 4))
    with pytest.raises(ParamsError, match="81 masks are needed"):
        open_board(puzzle, np.full(80, 511))
