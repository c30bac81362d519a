"""Forcing chains against a slow twin: sets of propositions, all nine ways to conclude.

The kernel leaves out ways that, every link holding both ways round, show up as another one; the
twin leaves out nothing.
"""

import random
from itertools import pairwise, product

import numpy as np
import pytest

from workers.engines.sudoku.board import PLACED, REMOVED, new_marks
from workers.engines.sudoku.geometry import PEERS, UNITS
from workers.engines.sudoku.grade import open_board
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.techniques.forcing import find_forcing_chain
from workers.engines.sudoku.techniques.templates import find_templates
from workers.engines.sudoku.text import parse_text

SEES = [frozenset(peers) for peers in PEERS.tolist()]
UNIT = [frozenset(unit) for unit in UNITS.tolist()]
PUZZLES = (
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
)

Place = tuple[int, frozenset[int]]  # digit 1-9 and where: one cell, or a group
Claim = tuple[Place, bool]


def board_and_candidates(seed: int):
    """A puzzle some cells of which are solved, and some wrong candidates gone."""
    rng = random.Random(seed)
    puzzle = parse_text(PUZZLES[seed % len(PUZZLES)])
    solution = solve_batch(puzzle).solutions[0]
    for cell in rng.sample(range(81), rng.randint(18, 30)):
        puzzle[cell] = solution[cell]
    masks = np.full(81, 0x1FF, dtype=np.int64)
    for cell, digit in product(range(81), range(1, 10)):
        if solution[cell] != digit and rng.random() < 0.35:
            masks[cell] &= ~(1 << (digit - 1))
    board = open_board(puzzle, masks)
    return board, {
        cell: {d for d in range(1, 10) if int(board.cells[cell]) >> (d - 1) & 1}
        for cell in range(81)
        if board.values[cell] == 0
    }


def places_of(candidates: dict[int, set[int]]) -> list[Place]:
    """Candidates, then groups of two or three in a crossing."""
    places = [(d, frozenset({cell})) for cell, digits in candidates.items() for d in digits]
    for line, box, digit in product(UNIT[:18], UNIT[18:], range(1, 10)):
        cells = frozenset(c for c in line & box if digit in candidates.get(c, ()))
        if len(cells) > 1:
            places.append((digit, cells))
    return places


def links_of(candidates: dict[int, set[int]]) -> dict[Claim, set[Claim]]:
    """Direct links, by definition: exclusion where all cells see each other, necessity where two
    places hold all candidates of a cell or a unit."""
    places = places_of(candidates)
    links: dict[Claim, set[Claim]] = {(place, on): set() for place in places for on in (0, 1)}
    full = [
        (d, cells, unit)
        for d, unit in product(range(1, 10), UNIT)
        if (cells := frozenset(c for c in unit if d in candidates.get(c, ())))
    ]
    for one, other in product(places, places):
        (d, cells), (e, others) = one, other
        if d != e:
            if cells == others and len(cells) == 1:
                links[one, True].add((other, False))
                if candidates[min(cells)] == {d, e}:
                    links[one, False].add((other, True))
        elif not cells & others:
            if any(cells | others <= unit for unit in UNIT):
                links[one, True].add((other, False))
            if any(d == f and cells | others == whole for f, whole, _ in full):
                links[one, False].add((other, True))
    return links


def closure(links: dict[Claim, set[Claim]], premise: Claim) -> set[Claim]:
    reached = new = {premise}
    while new:
        new = set().union(*(links[claim] for claim in new)) - reached
        reached = reached | new
    return reached


def impossible(board, candidates, table: set[Claim], premise: Claim) -> bool:
    """The six ways in which a premise refutes itself."""
    (place, on) = premise
    there = {(d, min(c)) for (d, c), is_on in table if is_on and len(c) == 1}
    gone = {(d, min(c)) for (d, c), is_on in table if not is_on and len(c) == 1}
    if (place, not on) in table or there & gone:
        return True
    cells = sorted(cell for _, cell in there)
    if any(a == b for a, b in pairwise(cells)):
        return True
    for d, unit in product(range(1, 10), UNIT):
        if len([cell for cell in unit if (d, cell) in there]) > 1:
            return True
        free = [
            cell
            for cell in unit & candidates.keys()
            if not any(board.values[peer] == d for peer in SEES[cell])
        ]
        if free and all((d, cell) in gone for cell in free):
            return True
    return any(
        all((d, cell) in gone for d in digits) and not any((d, cell) in there for d in digits)
        for cell, digits in candidates.items()
    )


def conclusions(board, candidates: dict[int, set[int]]) -> set[tuple[bool, int, int]]:
    """(placed, cell, digit) of all that chains prove."""
    links = links_of(candidates)
    single = [place for place in places_of(candidates) if len(place[1]) == 1]
    table = {(p, on): closure(links, (p, on)) for p in single for on in (False, True)}
    found: set[tuple[bool, int, int]] = set()
    for (p, on), claims in table.items():
        if impossible(board, candidates, claims, (p, on)):
            found.add((not on, min(p[1]), p[0]))
    cases = [[table[p, True] for p in single if p[1] == {cell}] for cell in candidates]
    for d, unit in product(range(1, 10), UNIT):
        cases.append([table[p, True] for p in single if p[0] == d and p[1] <= unit])
    for p in single:
        apart = table[p, True] & table[p, False]
        cases.append([{claim for claim in apart if claim[0][1] != p[1]}])
    for case in filter(None, cases):
        for (d, cells), on in set.intersection(*case):
            if len(cells) == 1:
                found.add((on, min(cells), d))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_chains_conclude_what_the_twin_concludes_in_the_stated_order(seed):
    board, candidates = board_and_candidates(seed)
    listed, marks, skip = [], new_marks(), 0
    while find_forcing_chain(board, marks, skip):
        placed = bool(marks.counts[PLACED])
        entry = int(marks.lists[PLACED if placed else REMOVED, 0])
        listed.append((placed, entry // 9, entry % 9 + 1))
        skip += 1
    expected = conclusions(board, candidates)
    assert listed == sorted(expected, key=lambda found: (not found[0], *found[1:]))
    assert listed


def templates_of(allowed: list[set[int]], row: int = 0, used: tuple[int, ...] = ()):
    """All ways of a digit through the rows, as tuples of cells."""
    if row == 9:
        yield used
        return
    for cell in allowed[row]:
        if not any(cell in SEES[other] for other in used):
            yield from templates_of(allowed, row + 1, (*used, cell))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("delete", [False, True])
def test_templates_are_those_of_the_twin(seed, delete):
    board, candidates = board_and_candidates(seed)
    ways = {}
    for d in range(1, 10):
        cells = {c for c in range(81) if board.values[c] == d or d in candidates.get(c, ())}
        rows = [{c for c in cells if c // 9 == row} for row in range(9)]
        ways[d] = set(map(frozenset, templates_of(rows)))
    changed = True
    while changed:
        changed = False
        for d in range(1, 10):
            needed = set().union(*(frozenset.intersection(*ways[e]) for e in ways if e != d))
            kept = {way for way in ways[d] if not way & needed}
            changed |= kept != ways[d]
            ways[d] = kept
    expected = []
    for d in range(1, 10):
        every = frozenset.intersection(*ways[d])
        some = frozenset.union(*ways[d])
        hit = [
            c
            for c in candidates
            if d in candidates[c] and (c not in some if delete else c in every)
        ]
        if hit:
            expected.append([9 * c + d - 1 for c in sorted(hit)])
    listed, marks, skip = [], new_marks(), 0
    role = REMOVED if delete else PLACED
    while find_templates(board, marks, delete, skip):
        listed.append(marks.lists[role, : marks.counts[role]].tolist())
        skip += 1
    assert listed == expected
