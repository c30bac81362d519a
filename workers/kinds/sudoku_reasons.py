"""Why a forcing chain or net holds, told digit by digit as a person would follow it.

The engine knows what follows from what and not by which way. Here the premise is played on a
copy of the candidates with singles and locked candidates, first what follows at once, and of all
that came up only what the end rests on is told.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from workers.engines.sudoku.geometry import (
    CELL_UNITS,
    CELLS,
    PEERS,
    UNITS,
    cell_name,
    unit_name,
)
from workers.engines.sudoku.grade import Step

UNIT_CELLS: Final = tuple(tuple(cells) for cells in UNITS.tolist())
PEER_CELLS: Final = tuple(tuple(cells) for cells in PEERS.tolist())
UNITS_OF: Final = tuple(tuple(units) for units in CELL_UNITS.tolist())
FORCING: Final = ("forcing_chain", "forcing_net")


class Claim(NamedTuple):
    """A digit 1-9 is in a cell (`on`), or is not."""

    cell: int
    digit: int
    on: bool

    def __str__(self) -> str:
        return f"{cell_name(self.cell)} {'=' if self.on else '<>'} {self.digit}"


class Trial:
    """What follows from one claim, each with what it rests on and why."""

    def __init__(self, marks: Sequence[int], premise: Claim, goal: Claim | None) -> None:
        self.marks = list(marks)
        self.reasons: dict[Claim, tuple[tuple[Claim, ...], str]] = {}
        self.end: tuple[tuple[Claim, ...], str] | None = None
        self._start = list(marks)
        self._goal = goal
        self._queue: list[Claim] = []
        self._add(premise, (), "")
        self._run()

    def told(self) -> str:
        """The way from the premise to the end: "r1c2 = 3, then r1c5 = 7 (last candidate), ..."."""
        assert self.end is not None
        sources, why = self.end
        known: list[Claim] = []
        for source in sources:
            self._collect(source, known)
        links = [f"{claim} ({self.reasons[claim][1]})" for claim in known if self._is_told(claim)]
        first = str(next(iter(self.reasons)))
        return ", ".join([first, *links, why] if why else [first, *links])

    def _is_told(self, claim: Claim) -> bool:
        return bool(self.reasons[claim][1])

    def _collect(self, claim: Claim, known: list[Claim]) -> None:
        """Put a claim behind all that it rests on."""
        if claim not in known:
            for source in self.reasons[claim][0]:
                self._collect(source, known)
            if claim not in known:
                known.append(claim)

    def _add(self, claim: Claim, sources: tuple[Claim, ...], why: str) -> None:
        if self.end is None and claim not in self.reasons:
            self.reasons[claim] = sources, why
            self._queue.append(claim)
            opposite = claim._replace(on=not claim.on)
            if claim == self._goal:
                self.end = (claim,), "" if why else f"so {claim}"
            elif opposite in self.reasons:
                self.end = (claim, opposite), self._clash(opposite if claim.on else claim)

    def _clash(self, lost: Claim) -> str:
        """Why a digit cannot be where it must be."""
        sources = self.reasons[lost][0]
        return f"and yet {lost}" + (f" because {sources[0]}" if len(sources) == 1 else "")

    def _run(self) -> None:
        """Singles as long as there are any, then locked candidates, until nothing is new."""
        while self.end is None:
            if self._queue:
                self._follow(self._queue.pop(0))
            elif not self._lock():
                return

    def _follow(self, claim: Claim) -> None:
        if claim.on:
            for digit in range(1, 10):
                if digit != claim.digit and self._has(claim.cell, digit):
                    self._remove(Claim(claim.cell, digit, False), (claim,), "")
            for peer in PEER_CELLS[claim.cell]:
                if self._has(peer, claim.digit):
                    self._remove(Claim(peer, claim.digit, False), (claim,), "")
        elif self._has(claim.cell, claim.digit):
            self.marks[claim.cell] &= ~(1 << (claim.digit - 1))
            self._look(claim)

    def _remove(self, claim: Claim, sources: tuple[Claim, ...], why: str) -> None:
        if claim not in self.reasons and self.end is None:
            self._add(claim, sources, why)
            self.marks[claim.cell] &= ~(1 << (claim.digit - 1))
            self._look(claim)

    def _look(self, claim: Claim) -> None:
        """What the loss of a candidate leaves in its cell and in its units."""
        left = [digit for digit in range(1, 10) if self._has(claim.cell, digit)]
        gone = tuple(
            Claim(claim.cell, digit, False)
            for digit in range(1, 10)
            if self._start[claim.cell] >> (digit - 1) & 1 and digit not in left
        )
        if not left:
            self._fail(gone, f"and {cell_name(claim.cell)} has no candidate left")
        elif len(left) == 1:
            self._add(Claim(claim.cell, left[0], True), gone, "last candidate")
        for unit in UNITS_OF[claim.cell]:
            self._look_in(unit, claim.digit)

    def _look_in(self, unit: int, digit: int) -> None:
        left = [cell for cell in UNIT_CELLS[unit] if self._has(cell, digit)]
        gone = self._gone(unit, digit)
        if not left:
            self._fail(gone, f"and {unit_name(unit)} has no place left for {digit}")
        elif len(left) == 1:
            self._add(Claim(left[0], digit, True), gone, f"last place in {unit_name(unit)}")

    def _fail(self, sources: tuple[Claim, ...], why: str) -> None:
        if self.end is None:
            self.end = sources, why

    def _lock(self) -> bool:
        """Take out what a digit locked in a box and a line forbids; True when there was some."""
        before = len(self.reasons)
        for unit in range(27):
            for digit in range(1, 10):
                cells = [cell for cell in UNIT_CELLS[unit] if self._has(cell, digit)]
                gone = self._gone(unit, digit)
                if 1 < len(cells) < 4 and gone:
                    shared = set(UNITS_OF[cells[0]]).intersection(*map(UNITS_OF.__getitem__, cells))
                    for other in shared - {unit}:
                        self._strike(other, digit, cells, gone, unit)
        return len(self.reasons) > before

    def _strike(self, other: int, digit: int, cells: list[int],
                gone: tuple[Claim, ...], unit: int) -> None:  # fmt: skip
        why = f"{digit} of {unit_name(unit)} is in {unit_name(other)}"
        for cell in UNIT_CELLS[other]:
            if cell not in cells and self._has(cell, digit):
                self._remove(Claim(cell, digit, False), gone, why)

    def _gone(self, unit: int, digit: int) -> tuple[Claim, ...]:
        """The places of a digit that fell since the start."""
        return tuple(
            Claim(cell, digit, False)
            for cell in UNIT_CELLS[unit]
            if self._start[cell] >> (digit - 1) & 1 and not self._has(cell, digit)
        )

    def _has(self, cell: int, digit: int) -> bool:
        return bool(self.marks[cell] >> (digit - 1) & 1)


def because(step: Step, marks: Sequence[int]) -> list[str]:
    """The cases of a forcing step, on candidates as masks (81), a text each; [] where none is told.

    By contradiction one case: the opposite of what the step does. By cases all that were assumed,
    which all come to the same.
    """
    if step.technique.name not in FORCING or len(marks) != CELLS:
        return []
    placed = bool(step.placements)
    cell, digit = (step.placements or step.eliminations)[0]
    goal = Claim(cell, digit, placed)
    refuted = Trial(marks, goal._replace(on=not placed), None)
    cases = [] if step.form == 0 else [Trial(marks, case, goal) for case in _cases(step)]
    if cases and all(case.end is not None for case in cases):
        return [f"If {case.told()}" for case in cases]
    if refuted.end is None:
        return []
    return [f"If {refuted.told()}"]


def _cases(step: Step) -> Iterator[Claim]:
    """What a verity assumes: a candidate and its absence, or all of a cell or of a unit."""
    if len(step.cells) == 1:
        yield Claim(step.cells[0], step.digits[0], True)
        yield Claim(step.cells[0], step.digits[0], False)
    elif len(step.digits) == 1:
        yield from (Claim(cell, step.digits[0], True) for cell in step.cells)
    else:
        yield from (Claim(step.cells[0], digit, True) for digit in step.digits)
