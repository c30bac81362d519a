"""Ratings and paths on the SE scale: the producers in order, the first hint of the first one."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.meter import metered
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.se.basic import DESK, basic_hint
from workers.engines.sudoku.se.grid import GRID, HINT, load, record
from workers.engines.sudoku.se.links import OFF
from workers.engines.sudoku.se.names import N_TECHNIQUES, TECHNIQUES, Technique
from workers.engines.sudoku.se.tally import TALLY, start, take, take_basic
from workers.errors import ParamsError

SOLVED, STUCK, OVER_BUDGET = range(3)
STATUS_NAMES: Final = ("solved", "stuck", "over budget")
"""How a rating ended. STUCK and OVER_BUDGET have no rating, only a lower bound: the program would
give 20.0 when it is stuck, but this engine does not search all of its last producer.
"""

DEFAULT_BUDGET: Final = 2_000_000_000
"""Nodes for one puzzle: minutes, and twenty times what the hardest known puzzles took."""

LEVEL_BASE: Final = 8.5  # producers above 25 start at this and a half for each level

SLICE: Final = 4  # candidates whose trees are grown between two looks at the budget


class Ratings(NamedTuple):
    """One entry, or one row, per puzzle."""

    er: NDArray[np.float64]  # exact tenths; NaN when over budget
    ep: NDArray[np.float64]
    ed: NDArray[np.float64]
    at_least: NDArray[np.float64]  # a lower bound: by the steps found, and producers without one
    status: NDArray[np.int8]  # SOLVED, STUCK, OVER_BUDGET
    counts: NDArray[np.int16]  # (n, N_TECHNIQUES) steps by technique
    nodes: NDArray[np.int64]  # what counts against the budget


class Link(NamedTuple):
    """A node of a chain."""

    cell: int
    digit: int  # 1-9
    on: bool


class Step(NamedTuple):
    """A step of a path."""

    technique: Technique
    rating: float  # exact tenths
    placements: tuple[tuple[int, int], ...]  # (cell, digit 1-9)
    eliminations: tuple[tuple[int, int], ...]
    cells: tuple[int, ...]  # the pattern's
    digits: tuple[int, ...]
    unit: int  # 0..26 or -1
    chain: tuple[Link, ...]  # a chain's nodes, or what is assumed and what contradicts itself
    after: str  # the grid after it, 81 characters


class Rater:
    """Workspace for rating one puzzle after the other."""

    def __init__(self, budget: int = DEFAULT_BUDGET) -> None:
        self.budget = budget
        self.sought = 0.0  # what the step would at least be rated that was sought last
        self.grid, self.hint = record(GRID), record(HINT)
        self.desk, self.tally = record(DESK), record(TALLY)
        self._rooms: list[Any] = []

    def rate(self, puzzle: Digits) -> int:
        """Rate a puzzle (81,) into the tally; its status."""
        self._open(puzzle)
        self.sought = 0.0
        while not take_basic(self.grid, self.hint, self.desk, self.tally):
            found = self._chain()
            if found != SOLVED:
                return found
            take(self.grid, self.hint, self.tally)
        return SOLVED

    def path(self, puzzle: Digits) -> Iterator[Step]:
        """The steps of a puzzle (81,), one by one, as far as the budget goes."""
        self._open(puzzle)
        while self.grid.open:
            if not basic_hint(self.grid, self.hint, self.desk) and self._chain() != SOLVED:
                return
            before = self.grid.cells.copy()
            take(self.grid, self.hint, self.tally)
            yield _step(self.hint, before, self.grid.values)

    @property
    def nodes(self) -> int:
        """Nodes spent on the puzzle."""
        return sum(int(room.forest.steps) for room in self._rooms)

    def _open(self, puzzle: Digits) -> None:
        load(self.grid, puzzle)
        start(self.tally)
        for room in self._rooms:
            room.forest.steps = 0

    def _chain(self) -> int:
        """Fill in the first hint of producers 21 and up; SOLVED when there is one."""
        from workers.engines.sudoku.se import chaining

        rooms = self._with_rooms(1)
        if chaining.chain_hint(self.grid, self.hint, self.desk, rooms[0]):
            return SOLVED
        self.sought = LEVEL_BASE + 0.5
        return OVER_BUDGET if self.nodes > self.budget else self._nested()

    def _nested(self) -> int:
        from workers.engines.sudoku.se import nesting

        for level in range(1, 6):
            self.sought = LEVEL_BASE + 0.5 * level
            room, inner, innermost = self._with_rooms(3)
            nesting.prepare(room)
            for at in range(0, int(room.links.n), SLICE):
                nesting.grow_some(self.grid, room, inner, innermost, level, (at, at + SLICE))
                if self.nodes > self.budget or room.forest.full:
                    return OVER_BUDGET
            if nesting.nested_hint(self.grid, self.hint, room, level):
                return SOLVED
        return STUCK

    def _with_rooms(self, count: int) -> list[Any]:
        from workers.engines.sudoku.se.room import ROOM

        while len(self._rooms) < count:
            self._rooms.append(record(ROOM))
        return self._rooms


@metered
def rate_batch(puzzles: Digits, budget: int = DEFAULT_BUDGET) -> Ratings:
    """Rate `puzzles` (n, 81) that have one solution each; columns of `counts` follow TECHNIQUES.

    A kernel is compiled when some puzzle needs it. Cost: from 0.1 ms below ER 6.5 to minutes
    above 11. A puzzle without a unique solution gets some rating, never an error.
    """
    batch = _checked(puzzles).reshape(-1, 81)
    ratings = _empty(len(batch))
    rater = Rater(budget)
    for row, puzzle in enumerate(batch):
        status = rater.rate(puzzle)
        tally = rater.tally
        over = status != SOLVED
        ratings.er[row] = np.nan if over else tenths(tally.er)
        ratings.ep[row] = np.nan if over and not tally.placed else tenths(tally.ep)
        ratings.ed[row] = np.nan if over and not tally.steps else tenths(tally.ed)
        ratings.at_least[row] = tenths(max(tally.er, rater.sought if over else 0.0))
        ratings.status[row], ratings.nodes[row] = status, rater.nodes
        ratings.counts[row] = tally.used
    return ratings


@metered
def rate_path(puzzle: Digits, budget: int = DEFAULT_BUDGET) -> list[Step]:
    """The steps that `rate_batch` counts for a puzzle (81,), as far as the budget goes."""
    return list(Rater(budget).path(_checked(puzzle).reshape(81)))


def tenths(rating: float) -> float:
    """A rating as it is shown: cut to tenths after 0.05 is added."""
    return int((rating + 0.05) * 10) / 10


def _empty(rows: int) -> Ratings:
    return Ratings(
        er=np.zeros(rows),
        ep=np.zeros(rows),
        ed=np.zeros(rows),
        at_least=np.zeros(rows),
        status=np.zeros(rows, np.int8),
        counts=np.zeros((rows, N_TECHNIQUES), np.int16),
        nodes=np.zeros(rows, np.int64),
    )


def _checked(digits: Digits) -> Digits:
    """`digits` as the kernels want it; a digit that is none would write outside a grid."""
    array = np.ascontiguousarray(digits, dtype=np.uint8)
    if array.max(initial=0) > 9:
        raise ParamsError("puzzles", f"{array.max()} is not a digit")
    return array


def _step(hint: Any, before: NDArray[np.int64], values: NDArray[np.int64]) -> Step:
    removed = [
        (cell, digit + 1)
        for cell in range(81)
        for digit in range(9)
        if hint.removed[cell] >> digit & before[cell] >> digit & 1
    ]
    return Step(
        technique=TECHNIQUES[hint.technique],
        rating=tenths(float(hint.rating)),
        placements=((int(hint.cell), int(hint.digit) + 1),) if hint.cell >= 0 else (),
        eliminations=tuple(removed),
        cells=tuple(int(cell) for cell in hint.seen[: hint.n_seen]),
        digits=tuple(digit + 1 for digit in range(9) if hint.digits >> digit & 1),
        unit=int(hint.unit),
        chain=tuple(_link(int(node)) for node in hint.chain[: hint.n_chain]),
        after="".join(str(value or ".") for value in values.tolist()),
    )


def _link(node: int) -> Link:
    return Link(node % OFF // 9, node % 9 + 1, node < OFF)
