"""Wings, chains and blossoms of almost locked sets (ALS) that may have cells in common.

What holds of ALS apart holds of these too, as long as a restricted common (RC) has no place in the
common cells: an RC is a digit whose places in one ALS all see its places in the other.
"""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from workers.engines.sudoku.board import Board
from workers.engines.sudoku.geometry import UNITS
from workers.engines.sudoku.techniques.technique import Step, Technique
from workers.engines.sudoku.variants.cells import (
    Cells,
    Position,
    candidates,
    digits_in,
    listed,
    position_of,
    seeing_all,
    set_of,
)

MOST_SETS = 100
"""ALS tried for each candidate of a stem."""


class Als(NamedTuple):
    """Cells of one unit with one digit more than cells."""

    cells: Cells
    digits: int  # mask
    places: dict[int, Cells]  # its cells that hold the digit
    watchers: dict[int, Cells]  # other cells that hold it and see all of these


def list_als(position: Position) -> list[Als]:
    """All ALS, by rows, columns, boxes, a shorter choice before its extensions; none twice."""
    found: dict[Cells, Als] = {}
    for unit in UNITS.tolist():
        open_cells = [cell for cell in unit if position.masks[cell]]
        chosen = [c for k in range(1, 9) for c in itertools.combinations(open_cells, k)]
        for cells in sorted(chosen, key=lambda cells: [unit.index(cell) for cell in cells]):
            mask = 0
            for cell in cells:
                mask |= position.masks[cell]
            if mask.bit_count() == len(cells) + 1:
                found.setdefault(set_of(cells), _als(position, set_of(cells), mask))
    return list(found.values())


def _als(position: Position, cells: Cells, mask: int) -> Als:
    places = {digit: position.places[digit] & cells for digit in digits_in(mask)}
    watchers = {d: seeing_all(held) & position.places[d] for d, held in places.items()}
    return Als(cells, mask, places, watchers)


def commons(one: Als, other: Als) -> list[int]:
    """The RC digits of two ALS."""
    return [
        digit
        for digit in digits_in(one.digits & other.digits)
        if other.places[digit] & ~one.watchers[digit] == 0
    ]


def _step(technique: Technique, sets: list[Als], removed: list[tuple[int, Cells]],
          digits: tuple[int, ...] = ()) -> Step:  # fmt: skip
    parts = tuple(tuple(listed(als.cells)) for als in sets)
    return Step(
        technique=technique,
        placements=(),
        eliminations=candidates(removed),
        cells=tuple(cell for part in parts for cell in part),
        digits=tuple(digit + 1 for digit in digits),
        units=(),
        parts=parts,
    )


def _watched(one: Als, other: Als, excluded: set[int]) -> list[tuple[int, Cells]]:
    """What falls when one of the two ALS must hold each digit of both outside `excluded`."""
    both = [d for d in digits_in(one.digits & other.digits) if d not in excluded]
    falls = [(digit, one.watchers[digit] & other.watchers[digit]) for digit in both]
    return [(digit, cells) for digit, cells in falls if cells]


Links = dict[int, list[tuple[int, tuple[int, ...]]]]  # ALS -> (other ALS, RC digits)


def _links(sets: list[Als]) -> Links:
    links: Links = {index: [] for index in range(len(sets))}
    for i, j in itertools.combinations(range(len(sets)), 2):
        if digits := commons(sets[i], sets[j]):
            chosen = tuple(dict.fromkeys((digits[0], digits[-1])))
            links[i].append((j, chosen))
            links[j].append((i, chosen))
    return links


def set_wings(board: Board, technique: Technique) -> Iterator[Step]:
    """Two ALS, both joined to a third one by different RC digits."""
    sets = list_als(position_of(board))
    for middle, around in _links(sets).items():
        for (i, one), (j, other) in itertools.combinations(around, 2):
            if len(one) == len(other) == 1 and one == other:
                continue
            removed = _watched(sets[i], sets[j], {*one, *other})
            if removed:
                digits = tuple(sorted({*one, *other}))
                yield _step(technique, [sets[i], sets[j], sets[middle]], removed, digits)


def set_chains(board: Board, technique: Technique) -> Iterator[Step]:
    """Four ALS or more, each joined to the next by a digit that did not join the pair before."""
    sets = list_als(position_of(board))
    links = _links(sets)
    for start in range(len(sets)):
        met: set[tuple[int, tuple[int, ...], int, bool]] = set()
        paths: list[list[tuple[int, tuple[int, ...]]]] = [
            [(start, (digit,)), (j, (digit,))] for j, rc in links[start] for digit in rc
        ]
        while paths:
            path = paths.pop()
            last, before = path[-1]
            for following, digits in links[last]:
                actual = tuple(digit for digit in digits if digit != before[0])
                state = (following, actual, path[0][1][0], len(path) > 2)
                if not actual or state in met:
                    continue
                met.add(state)
                longer = [*path, (following, actual)]
                paths.append(longer)
                if len(longer) > 3:
                    excluded = {path[0][1][0], *actual}
                    removed = _watched(sets[start], sets[following], excluded)
                    if removed:
                        yield _step(technique, [sets[index] for index, _ in longer], removed)


def blossoms(board: Board, technique: Technique) -> Iterator[Step]:
    """A stem cell each of whose candidates takes its digit from an ALS, a petal."""
    position = position_of(board)
    sets = list_als(position)
    for stem in range(81):
        digits = digits_in(position.masks[stem])
        petals = [
            [als for als in sets if als.watchers.get(digit, 0) >> stem & 1][:MOST_SETS]
            for digit in digits
        ]
        if digits:
            for chosen in _choices(petals, 511):
                removed = _fallen(position, stem, chosen)
                if removed:
                    yield _step(technique, list(chosen), removed, tuple(digits))


def _choices(petals: list[list[Als]], common: int) -> Iterator[tuple[Als, ...]]:
    """A petal for each digit, with some digit that all of them hold."""
    if not petals:
        yield ()
        return
    for als in petals[0]:
        if als.digits & common:
            for rest in _choices(petals[1:], common & als.digits):
                yield (als, *rest)


def _fallen(position: Position, stem: int, chosen: tuple[Als, ...]) -> list[tuple[int, Cells]]:
    """What the petals together remove outside themselves and the stem."""
    common = 511 & ~position.masks[stem]
    taken = 1 << stem
    for als in chosen:
        common &= als.digits
        taken |= als.cells
    fallen = []
    for digit in digits_in(common):
        cells = position.places[digit] & ~taken
        for als in chosen:
            cells &= als.watchers[digit]
        if cells:
            fallen.append((digit, cells))
    return fallen
