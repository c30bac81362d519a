"""Loops and AICs in which almost locked sets (ALS) are nodes beside candidates and groups.

Legend:
    claim    what a chain goes through: a digit 0-8 is in one of some cells (on), or in none.
             An ALS is entered by the digit it lacks: off in all of its cells. Then its other
             digits are locked in it and fall from their watchers.
    table    all that follows from a claim, with the claim that each was reached from first

A step is what a table says against its own premise, as for loops without ALS.
"""

import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from workers.engines.sudoku.board import Board
from workers.engines.sudoku.geometry import CELL_UNITS
from workers.engines.sudoku.techniques.technique import Node, Step, Technique
from workers.engines.sudoku.variants.cells import (
    UNIT_CELLS,
    Cells,
    Position,
    candidates,
    digits_in,
    listed,
    position_of,
    seeing_all,
)
from workers.engines.sudoku.variants.overlap import Als, list_als

CONTINUOUS, DISCONTINUOUS, AIC = range(3)


class Claim(NamedTuple):
    """A digit is in one of the cells (`on`), or in none of them; `whole` names an ALS."""

    digit: int
    cells: Cells
    on: bool
    whole: Cells = 0


Table = dict[Claim, Claim | None]
Removed = list[tuple[int, Cells]]


class Web:
    """Direct implications of one position, worked out as they are asked for."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.sets = [als for als in list_als(position) if als.cells.bit_count() > 1]
        self.groups = {digit: list(_groups(position.places[digit])) for digit in range(9)}
        self.by_cells = {als.cells: als for als in self.sets}
        self._known: dict[Claim, list[Claim]] = {}

    def table(self, premise: Claim) -> Table:
        """What follows from `premise`, breadth first."""
        table: Table = {premise: None}
        queue = [premise]
        for claim in queue:
            for following in self.following(claim):
                if following not in table:
                    table[following] = claim
                    queue.append(following)
        return table

    def following(self, claim: Claim) -> list[Claim]:
        """What a claim implies at once."""
        if claim not in self._known:
            if claim.whole:
                found = self._from_set(claim)
            elif claim.on:
                found = self._from_on(claim)
            else:
                found = self._from_off(claim)
            self._known[claim] = list(found)
        return self._known[claim]

    def _from_on(self, claim: Claim) -> Iterator[Claim]:
        digit, cells = claim.digit, claim.cells
        if cells.bit_count() == 1:
            rest = self.position.masks[cells.bit_length() - 1] & ~(1 << digit)
            yield from (Claim(other, cells, False) for other in digits_in(rest))
        sight = seeing_all(cells)
        yield from self._gone(digit, self.position.places[digit] & sight)
        for als in self.sets:
            held = als.places.get(digit, 0)
            if held and held & ~sight == 0 and not als.cells & cells:
                yield Claim(digit, held, False, als.cells)

    def _gone(self, digit: int, cells: Cells) -> Iterator[Claim]:
        """Places of a digit that fall together, and the groups among them."""
        yield from (Claim(digit, 1 << cell, False) for cell in listed(cells))
        yield from (Claim(digit, g, False) for g in self.groups[digit] if g & ~cells == 0)

    def _from_off(self, claim: Claim) -> Iterator[Claim]:
        digit, cells = claim.digit, claim.cells
        if cells.bit_count() == 1:
            rest = self.position.masks[cells.bit_length() - 1] & ~(1 << digit)
            if rest.bit_count() == 1:
                yield Claim(rest.bit_length() - 1, cells, True)
        for unit in _units_of(cells):
            rest = self.position.places[digit] & UNIT_CELLS[unit] & ~cells
            if rest.bit_count() == 1 or rest in self.groups[digit]:
                yield Claim(digit, rest, True)

    def _from_set(self, claim: Claim) -> Iterator[Claim]:
        als = self.by_cells[claim.whole]
        lost: dict[int, int] = {}
        for digit in digits_in(als.digits & ~(1 << claim.digit)):
            yield from self._gone(digit, als.watchers[digit])
            for cell in listed(als.watchers[digit]):
                lost[cell] = lost.get(cell, 0) | 1 << digit
            for other in self.sets:
                held = other.places.get(digit, 0)
                apart = not other.cells & als.cells
                if held and apart and held & ~als.watchers[digit] == 0:
                    yield Claim(digit, held, False, other.cells)
        for cell, gone in lost.items():
            rest = self.position.masks[cell] & ~gone
            if rest.bit_count() == 1:
                yield Claim(rest.bit_length() - 1, 1 << cell, True)


def _groups(places: Cells) -> Iterator[Cells]:
    """All places of a digit in a crossing of a line and a box, where they are two or three."""
    for line in range(18):
        for box in range(18, 27):
            group = places & UNIT_CELLS[line] & UNIT_CELLS[box]
            if group.bit_count() > 1:
                yield group


def _units_of(cells: Cells) -> Iterable[int]:
    """The units that hold all of the cells."""
    shared = [set(CELL_UNITS[cell].tolist()) for cell in listed(cells)]
    return sorted(set.intersection(*shared))


def loops_through_sets(board: Board, technique: Technique) -> Iterator[Step]:
    """All loops and AICs whose chain has an ALS."""
    position = position_of(board)
    web = Web(position)
    for cell in range(81):
        for digit in digits_in(position.masks[cell]):
            for on in (True, False):
                premise = Claim(digit, 1 << cell, on)
                table = web.table(premise)
                for end in table:
                    yield from _judge(technique, web, table, (premise, end))


def _judge(
    technique: Technique, web: Web, table: Table, ends: tuple[Claim, Claim]
) -> Iterator[Step]:
    """The step that the chain from a premise to `end` is, if it is one and goes through an ALS."""
    form, removed = _outcome(web, *ends)
    if form < 0:
        return
    chain = chain_to(table, ends[1])
    if len(chain) < 3 or not any(claim.whole for claim in chain):
        return
    if form == CONTINUOUS:
        removed = list(_round(web, chain))
    if any(cells for _, cells in removed):
        yield Step(
            technique=technique,
            placements=(),
            eliminations=candidates(removed),
            cells=(),
            digits=(),
            units=(),
            chain=tuple(
                Node(tuple(listed(claim.whole or claim.cells)), claim.digit + 1, claim.on)
                for claim in chain
            ),
            form=form,
        )


def _outcome(web: Web, premise: Claim, end: Claim) -> tuple[int, Removed]:
    """Form and eliminations of a chain by its ends; form -1 when it proves nothing."""
    masks, places = web.position.masks, web.position.places
    if end.whole or end.cells.bit_count() > 1 or end == premise:
        return -1, []
    cell = premise.cells.bit_length() - 1
    same_cell, same_digit = end.cells == premise.cells, end.digit == premise.digit
    if premise.on:
        refuted = same_cell and end.on != same_digit
        return (DISCONTINUOUS if refuted else -1), [(premise.digit, premise.cells)]
    if same_cell:
        if same_digit:
            rest = masks[cell] & ~(1 << premise.digit)
            return DISCONTINUOUS, [(digit, premise.cells) for digit in digits_in(rest)]
        return (CONTINUOUS if end.on else DISCONTINUOUS), [(end.digit, end.cells)]
    if not end.on:
        return -1, []
    sight = seeing_all(premise.cells | end.cells)
    if same_digit:
        return AIC, [(premise.digit, sight & places[premise.digit])]
    if not end.cells & seeing_all(premise.cells):
        return -1, []
    crossed = masks[cell] >> end.digit & 1 and end.cells & places[premise.digit]
    falls = [(end.digit, premise.cells), (premise.digit, end.cells)]
    return (AIC if crossed else -1), falls


def chain_to(table: Table, end: Claim) -> list[Claim]:
    """The claims from the premise of a table to `end`."""
    chain = []
    claim: Claim | None = end
    while claim is not None:
        chain.append(claim)
        claim = table[claim]
    return chain[::-1]


def _round(web: Web, chain: list[Claim]) -> Iterator[tuple[int, Cells]]:
    """What a continuous loop removes: nothing when it meets itself."""
    masks, places = web.position.masks, web.position.places
    steps = [claim.whole or claim.cells for claim in chain]
    met = 0
    for last, cells in itertools.pairwise(steps):
        if cells != last and cells & met:
            return
        met |= cells
    home = chain[0].cells
    kept = 1 << chain[0].digit | 1 << chain[-1].digit
    yield from ((digit, home) for digit in digits_in(masks[home.bit_length() - 1] & ~kept))
    for at in range(1, len(chain)):
        before, here = chain[at - 1], chain[at]
        if before.on and not here.on and before.cells != here.cells:
            yield here.digit, seeing_all(before.cells | here.cells) & places[here.digit] & ~met
        if here.whole:
            used = 1 << here.digit | 1 << chain[at + 1].digit
            yield from _locked(web.by_cells[here.whole], used)
            if not chain[at + 1].on:
                digit = chain[at + 1].digit
                held = web.by_cells[here.whole].places[digit] | chain[at + 1].cells
                yield digit, seeing_all(held) & places[digit]
        elif before.on is False and here.on and not before.whole and at + 1 < len(chain):
            continue
        if here.on and before.cells != here.cells and chain[at + 1 :]:
            following = chain[at + 1]
            if following.cells == here.cells and here.cells.bit_count() == 1:
                pair = 1 << here.digit | 1 << following.digit
                rest = masks[here.cells.bit_length() - 1] & ~pair
                yield from ((digit, here.cells) for digit in digits_in(rest))


def _locked(als: Als, used: int) -> Iterator[tuple[int, Cells]]:
    """What an ALS of a continuous loop removes by the digits that are no links of the loop."""
    for digit in digits_in(als.digits & ~used):
        yield digit, als.watchers[digit]
