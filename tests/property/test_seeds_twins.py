"""Brute force, its trace and the analytic levels against slow solvers on sets and recursion."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workers.engines.sudoku.geometry import PEERS, UNITS
from workers.engines.sudoku.seeds.analytic import analytic_path
from workers.engines.sudoku.seeds.brute import brute_batch
from workers.engines.sudoku.seeds.outcome import CONTRADICTION, SOLVED, STOPPED
from workers.engines.sudoku.seeds.trace import trace_search
from workers.engines.sudoku.text import parse_text

pytestmark = pytest.mark.nojit

GRID = parse_text(
    "957184362281963475643725198496357821875412936312896547729548613534671289168239754"
)
DIGITS = set(range(1, 10))
unit_cells = [[int(cell) for cell in unit] for unit in UNITS]
peers = [[int(cell) for cell in row] for row in PEERS]
few = settings(deadline=None, max_examples=12, derandomize=True)


@st.composite
def puzzles(draw: st.DrawFn, least: int, most: int) -> np.ndarray:
    """The grid with some cells emptied, and now and then with a clue that is wrong."""
    empty = draw(st.lists(st.integers(0, 80), min_size=least, max_size=most, unique=True))
    puzzle = GRID.copy()
    puzzle[empty] = 0
    if draw(st.integers(0, 3)) == 0:
        cell = draw(st.sampled_from(np.flatnonzero(puzzle).tolist()))
        free = DIGITS - {int(puzzle[peer]) for peer in peers[cell]}
        puzzle[cell] = draw(st.sampled_from(sorted(free)))
    return puzzle


class Recursion:
    """The article's search, written as it is told."""

    def __init__(self, puzzle: np.ndarray) -> None:
        self.grid = puzzle.tolist()
        self.tests = 0
        self.filled: list[int] = []
        self.solved = self.call()

    def call(self) -> bool:
        self.filled.append(sum(digit > 0 for digit in self.grid))
        if 0 not in self.grid:
            return True
        cell = self.grid.index(0)
        for digit in range(1, 10):
            self.tests += 1
            if all(self.grid[peer] != digit for peer in peers[cell]):
                self.grid[cell] = digit
                if self.call():
                    return True
        self.grid[cell] = 0
        return False


@few
@given(puzzles(20, 48))
def test_brute_force_counts_what_the_recursion_does(puzzle):
    slow = Recursion(puzzle)
    found = brute_batch(puzzle)
    assert found.status[0] == (SOLVED if slow.solved else CONTRADICTION)
    assert found.iterations[0] == len(slow.filled)
    assert found.digit_tests[0] == slow.tests
    if slow.solved:
        assert found.grids[0].tolist() == slow.grid


@few
@given(puzzles(20, 44), st.integers(2, 40), st.integers(1, 60))
def test_the_trace_thins_the_filled_cells_of_every_call(puzzle, buckets, budget):
    filled = Recursion(puzzle).filled[:budget]
    found = trace_search(puzzle, budget, buckets)
    parts = [filled[at : at + found.bucket] for at in range(0, len(filled), found.bucket)]
    assert found.lowest.tolist() == [min(part) for part in parts]
    assert found.highest.tolist() == [max(part) for part in parts]
    assert found.last.tolist() == [part[-1] for part in parts]
    assert len(parts) <= buckets + 1
    levels = np.array(filled) - found.clues
    assert found.histogram.tolist() == np.bincount(levels, minlength=82).tolist()


class Contradicted(Exception):
    """A cell or a digit has no place."""


class SlowBoard:
    """Candidates as sets; every rule is looked for from the start after each change."""

    def __init__(self, puzzle: np.ndarray) -> None:
        self.marks = [set(DIGITS) for _ in range(81)]
        self.digits = [0] * 81
        for cell, digit in enumerate(puzzle.tolist()):
            if digit:
                self.place(cell, digit)

    def copy(self) -> "SlowBoard":
        board = SlowBoard(np.zeros(81, dtype=np.uint8))
        board.marks = [set(marks) for marks in self.marks]
        board.digits = list(self.digits)
        return board

    def place(self, cell: int, digit: int) -> None:
        if digit not in self.marks[cell]:
            raise Contradicted
        self.digits[cell] = digit
        self.marks[cell] = set()
        for peer in peers[cell]:
            self.marks[peer].discard(digit)

    def check(self) -> None:
        for cell in range(81):
            if not self.digits[cell] and not self.marks[cell]:
                raise Contradicted
        for cells in unit_cells:
            seen = set().union(*(self.marks[cell] | {self.digits[cell]} for cell in cells))
            if DIGITS - seen:
                raise Contradicted

    def singles(self) -> Iterator[tuple[int, int]]:
        for cell in range(81):
            if len(self.marks[cell]) == 1:
                yield cell, min(self.marks[cell])
        for cells in unit_cells:
            for digit in DIGITS:
                places = [cell for cell in cells if digit in self.marks[cell]]
                if len(places) == 1:
                    yield places[0], digit

    def lines(self) -> Iterator[tuple[int, int]]:
        for one in unit_cells:
            for other in unit_cells:
                for digit in DIGITS if len(set(one) & set(other)) == 3 else ():
                    places = {cell for cell in one if digit in self.marks[cell]}
                    if places and places <= set(other):
                        for cell in set(other) - places:
                            if digit in self.marks[cell]:
                                yield cell, digit

    def reason(self, level: int) -> None:
        while True:
            self.check()
            if found := next(self.singles(), None):
                self.place(*found)
            elif level and (found := next(self.lines(), None)):
                self.marks[found[0]].discard(found[1])
            else:
                return

    def suppose(self) -> None:
        self.reason(1)
        dropped = True
        while dropped:
            dropped = False
            for cell in range(81):
                for digit in sorted(self.marks[cell]):
                    trial = self.copy()
                    try:
                        trial.place(cell, digit)
                        trial.reason(1)
                    except Contradicted:
                        self.marks[cell].discard(digit)
                        self.reason(1)
                        dropped = True
                        break


def slow_analytic(puzzle: np.ndarray, level: int) -> SlowBoard | None:
    try:
        board = SlowBoard(puzzle)
        board.reason(min(level, 1)) if level < 2 else board.suppose()
    except Contradicted:
        return None
    return board


def assert_equal_to_the_twin(puzzle: np.ndarray, level: int) -> None:
    slow = slow_analytic(puzzle, level)
    found = analytic_path(puzzle, level)
    if slow is None:
        assert found.result.status[0] == CONTRADICTION
        return
    assert found.result.status[0] == (STOPPED if 0 in slow.digits else SOLVED)
    assert found.result.grids[0].tolist() == slow.digits
    marks = [sum(1 << (digit - 1) for digit in digits) for digits in slow.marks]
    assert found.marks.tolist() == marks


@few
@given(puzzles(40, 62), st.integers(0, 1))
def test_reasoning_ends_at_the_same_marks_as_rules_tried_one_by_one(puzzle, level):
    assert_equal_to_the_twin(puzzle, level)


@settings(deadline=None, max_examples=4, derandomize=True)
@given(puzzles(50, 56))
def test_supposition_ends_at_the_same_marks_as_trials_one_by_one(puzzle):
    assert_equal_to_the_twin(puzzle, 2)


@few
@given(puzzles(40, 60), st.integers(0, 1))
def test_replaying_the_steps_gives_the_grid_and_the_marks(puzzle, level):
    found = analytic_path(puzzle, level)
    if found.result.status[0] == CONTRADICTION:
        return
    board = SlowBoard(puzzle)
    for step in found.steps:
        for cell, digit in step.placements:
            board.place(cell, digit)
        for cell, digit in step.eliminations:
            assert digit in board.marks[cell]
            board.marks[cell].discard(digit)
    assert board.digits == found.result.grids[0].tolist()
