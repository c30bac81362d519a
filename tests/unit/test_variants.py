"""Options of techniques: found when asked for, and no part of grading."""

import pytest

from workers.engines.sudoku.grade import open_board
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.techniques.catalogue import technique_named
from workers.engines.sudoku.text import parse_text
from workers.engines.sudoku.variants import VARIANTS, find_variants
from workers.engines.sudoku.variants.siamese import SIAMESE
from workers.errors import ParamsError

# Fifty-seven cells are filled: few candidates, so that options are quick.
STATE = "143792685952684..7876.5.94273581926429.46.7..46..27.9..29.7.4..5.4236.79..794..2."


@pytest.mark.parametrize("name", ["empty_rectangle", "als_xy_wing"])
def test_an_option_finds_steps_that_the_solution_bears_out(name):
    puzzle = parse_text(STATE)
    board, solution = open_board(puzzle), solve_batch(puzzle[None]).solutions[0]
    technique = technique_named(name)
    option = next(option for option, known in VARIANTS if known == name)
    steps = find_variants(board, technique, option)
    assert steps
    for step in steps:
        assert step.technique is technique
        assert step.eliminations
        for cell, digit in step.eliminations:
            assert board.cells[cell] >> (digit - 1) & 1
            assert solution[cell] != digit


def test_an_unknown_option_is_refused():
    with pytest.raises(ParamsError, match="x_wing has no option 'overlap'"):
        find_variants(open_board(parse_text(STATE)), technique_named("x_wing"), "overlap")


def test_siamese_fish_are_two_of_the_same_base():
    board = open_board(parse_text(STATE))
    for name in SIAMESE[:2]:
        for step in find_variants(board, technique_named(name), "siamese"):
            assert step.eliminations
