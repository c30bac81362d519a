"""The human path against a slow person who keeps sets: same calls, successes and grid."""

from collections.abc import Callable, Iterator
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workers.engines.sudoku.geometry import PEERS, UNITS
from workers.engines.sudoku.seeds.human_path import METHODS, human_path_batch
from workers.engines.sudoku.seeds.outcome import CONTRADICTION, SOLVED, STOPPED
from workers.engines.sudoku.text import parse_text

pytestmark = pytest.mark.nojit

DIGITS = set(range(1, 10))
units = [[int(cell) for cell in unit] for unit in UNITS]
peers = [{int(cell) for cell in row} for row in PEERS]
GRIDS = [
    parse_text("957184362281963475643725198496357821875412936312896547729548613534671289168239754"),
    parse_text("186427395437915682592683741369142578251879463748536219615394827924758136873261954"),
]
HARD = [
    parse_text("080400000007010600500003040300002500001070000000500009005300007020008030000060900"),
    parse_text("900104002080060070000000000400000001070000030300000007000000000030070080100209004"),
    parse_text("000000000000003085001020000000507000004000100090000000500000073002010000000040009"),
]


class Impossible(Exception):
    """No digit for a cell, or no cell for a digit."""


class Board:
    """Digits, candidates and which of them are written down."""

    def __init__(self) -> None:
        self.digits = [0] * 81
        self.marks = [set(DIGITS) for _ in range(81)]
        self.written = [False] * 81

    def copy(self) -> "Board":
        board = Board()
        board.digits = list(self.digits)
        board.marks = [set(marks) for marks in self.marks]
        board.written = list(self.written)
        return board

    def place(self, cell: int, digit: int) -> int:
        if digit not in self.marks[cell]:
            raise Impossible
        self.digits[cell] = digit
        self.marks[cell] = set()
        for peer in peers[cell]:
            self.marks[peer].discard(digit)
        return 1

    def strike(self, cells: Iterator[int], digits: set[int]) -> int:
        count = 0
        for cell in cells:
            if self.written[cell]:
                count += len(self.marks[cell] & digits)
                self.marks[cell] -= digits
        return count

    def places(self, unit: int, digit: int) -> list[int]:
        return [cell for cell in units[unit] if digit in self.marks[cell]]

    def check(self) -> None:
        for cell in range(81):
            if not self.digits[cell] and not self.marks[cell]:
                raise Impossible
        for unit, digit in product(range(27), DIGITS):
            standing = any(self.digits[cell] == digit for cell in units[unit])
            if not standing and not self.places(unit, digit):
                raise Impossible

    def follow_by_singles(self) -> None:
        changed = True
        while changed:
            self.check()
            changed = False
            for cell in range(81):
                if len(self.marks[cell]) == 1:
                    self.place(cell, min(self.marks[cell]))
                    changed = True
            for unit, digit in product(range(27), DIGITS):
                if len(cells := self.places(unit, digit)) == 1:
                    self.place(cells[0], digit)
                    changed = True


def meeting(board: Board, unit: int, digit: int) -> int | None:
    cells = set(board.places(unit, digit))
    others = range(18) if unit >= 18 else range(18, 27)
    found = [other for other in others if cells <= set(units[other])]
    return found[0] if len(cells) >= 2 and found else None


def naked_single(board: Board) -> int:
    for cell in range(81):
        if board.written[cell] and len(board.marks[cell]) == 1:
            return board.place(cell, min(board.marks[cell]))
    return 0


def last_of_unit(board: Board) -> int:
    for unit in units:
        empty = [cell for cell in unit if not board.digits[cell]]
        if len(empty) == 1:
            missing = DIGITS - {board.digits[cell] for cell in unit}
            return board.place(empty[0], min(missing))
    return 0


def hidden_single(board: Board, allowed: range, seen: Board | None = None) -> int:
    for digit, unit in product(sorted(DIGITS), allowed):
        if len(cells := (seen or board).places(unit, digit)) == 1:
            return board.place(cells[0], digit)
    return 0


def inobvious(board: Board) -> int:
    shaded, changed = board.copy(), True
    while changed:
        changed = False
        for box, digit in product(range(18, 27), DIGITS):
            line = meeting(shaded, box, digit)
            for cell in set(units[line]) - set(units[box]) if line is not None else ():
                changed |= digit in shaded.marks[cell]
                shaded.marks[cell].discard(digit)
    return hidden_single(board, range(18, 27), shaded)


def group_number(board: Board) -> int:
    for unit, digit in product([*range(18, 27), *range(18)], sorted(DIGITS)):
        other = meeting(board, unit, digit)
        if other is not None:
            rest = set(units[other]) - set(units[unit])
            if found := board.strike(iter(rest), {digit}):
                return found
    return 0


def write_down(board: Board) -> int:
    cells = [cell for cell in range(81)
             if not board.digits[cell] and not board.written[cell]
             and len(board.marks[cell]) <= 3]  # fmt: skip
    for cell in cells:
        board.written[cell] = True
    return len(cells)


def chain(board: Board) -> int:
    for unit in units:
        noted = [cell for cell in unit if board.written[cell] and not board.digits[cell]]
        for size in range(1, 10):
            for subset in combinations(noted, size):
                if len(set().union(*(board.marks[cell] for cell in subset))) < size:
                    raise Impossible
        for size in range(2, 10):
            # Subsets in the order of their bit pattern: that of the last cell first.
            for subset in sorted(combinations(noted, size), key=lambda cells: cells[::-1]):
                union = set().union(*(board.marks[cell] for cell in subset))
                rest = set(noted) - set(subset)
                if len(union) == size and (found := board.strike(iter(rest), union)):
                    return found
    return 0


def two_possible(board: Board) -> int:
    for start in range(81):
        pair = board.marks[start]
        if not board.written[start] or len(pair) != 2:
            continue
        for other in sorted(pair):
            wanted = min(pair - {other})
            forced, queue = {start: other}, [start]
            for cell in queue:
                for peer in sorted(peers[cell]):
                    marks = board.marks[peer]
                    if (board.written[peer] and peer not in forced and len(marks) == 2
                            and forced[cell] in marks):  # fmt: skip
                        forced[peer] = min(marks - {forced[cell]})
                        queue.append(peer)
            for end in sorted(cell for cell in forced if forced[cell] == wanted):
                if found := board.strike(iter(peers[start] & peers[end]), {wanted}):
                    return found
    return 0


def agreement(board: Board, trials: list[tuple[int, int]]) -> int:
    live = []
    for cell, digit in trials:
        trial = board.copy()
        try:
            trial.place(cell, digit)
            trial.follow_by_singles()
        except Impossible:
            continue
        live.append([trial.marks[at] | ({trial.digits[at]} - {0}) for at in range(81)])
    if not live:
        raise Impossible
    found = 0
    for cell in range(81):
        union = set().union(*(trial[cell] for trial in live))
        if not board.digits[cell]:
            if len(union) == 1:
                found += board.place(cell, min(union))
            else:
                found += board.strike(iter([cell]), DIGITS - union)
    return found


def emulate_position(board: Board) -> int:
    for cell in range(81):
        if board.written[cell] and not board.digits[cell]:
            trials = [(cell, digit) for digit in board.marks[cell]]
            if found := agreement(board, trials):
                return found
    return 0


def emulate_number(board: Board) -> int:
    for unit, digit in product(range(27), sorted(DIGITS)):
        if not any(board.digits[cell] == digit for cell in units[unit]):
            trials = [(cell, digit) for cell in board.places(unit, digit)]
            if found := agreement(board, trials):
                return found
    return 0


BY_INDEX: list[Callable[[Board], int]] = [
    naked_single,
    last_of_unit,
    lambda board: hidden_single(board, range(18, 27)),
    lambda board: hidden_single(board, range(18)),
    inobvious,
    group_number,
    write_down,
    chain,
    two_possible,
    emulate_position,
    emulate_number,
]


class SlowPerson:
    """Method after method, back to the first after a success."""

    def __init__(self, puzzle: np.ndarray, last: int) -> None:
        self.calls, self.successes = [0] * 12, [0] * 12
        self.board, self.stack = Board(), []
        try:
            for cell in np.flatnonzero(puzzle):
                self.board.place(int(cell), int(puzzle[cell]))
            self.board.check()
            self.status = self.work(last)
        except Impossible:
            self.status = CONTRADICTION

    def work(self, last: int) -> int:
        index = 0
        while 0 in self.board.digits:
            if index > last:
                return STOPPED
            self.calls[index] += 1
            try:
                found = self.guess() if index == 11 else BY_INDEX[index](self.board)
                self.successes[index] += found > 0
                self.board.check()
            except Impossible:
                self.undo()
                found = 1
            index = 0 if found else index + 1
        return SOLVED

    def guess(self) -> int:
        board = self.board
        cell = min((len(board.marks[cell]), cell) for cell in range(81) if board.marks[cell])[1]
        self.stack.append((board.copy(), cell, min(board.marks[cell])))
        return board.place(cell, min(board.marks[cell]))

    def undo(self) -> None:
        if not self.stack:
            raise Impossible
        self.board, cell, digit = self.stack.pop()
        self.board.marks[cell].discard(digit)
        self.board.written[cell] = True
        try:
            self.board.check()
        except Impossible:
            self.undo()


def assert_equal_to_the_twin(puzzle: np.ndarray, last: int) -> None:
    slow, found = SlowPerson(puzzle, last), human_path_batch(puzzle, last)
    assert found.status[0] == slow.status
    assert found.calls[0].tolist() == slow.calls
    assert found.successes[0].tolist() == slow.successes
    levels = [method.level for method in METHODS]
    score = sum(count * level for count, level in zip(slow.calls, levels, strict=True))
    assert found.score[0] == score + 5 * slow.successes[11]
    if slow.status != CONTRADICTION:
        assert found.grids[0].tolist() == slow.board.digits


@pytest.mark.parametrize("puzzle", HARD)
def test_the_documents_grids_take_the_same_calls_as_the_twin(puzzle):
    assert_equal_to_the_twin(puzzle, 11)


@settings(deadline=None, max_examples=10, derandomize=True)
@given(st.data())
def test_emptied_grids_take_the_same_calls_as_the_twin(data):
    puzzle = data.draw(st.sampled_from(GRIDS)).copy()
    empty = data.draw(st.lists(st.integers(0, 80), min_size=48, max_size=58, unique=True))
    puzzle[empty] = 0
    if data.draw(st.booleans()):
        cell = data.draw(st.sampled_from(np.flatnonzero(puzzle).tolist()))
        puzzle[cell] = data.draw(st.integers(1, 9))
    assert_equal_to_the_twin(puzzle, data.draw(st.sampled_from([8, 10, 11])))
