"""Every technique against a slow twin that knows sets only, on random boards.

A board is cut out of a full grid: some cells keep their value, the others lose some candidates
but never their own digit. So the grid is a solution, and nothing may remove a digit of it.
"""

import random
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workers.engines.sudoku.geometry import BOX, CELL_UNITS, PEERS, UNITS
from workers.engines.sudoku.grade import CATALOGUE, find_steps, open_board
from workers.engines.sudoku.techniques.catalogue import technique_named

Candidates = dict[int, set[int]]  # unsolved cell -> digits 1-9
Outcome = tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]  # placed, removed


def random_grid(rng: random.Random) -> list[int]:
    """A full grid, by shuffling the digits, lines, bands and stacks of a regular one."""

    def lines() -> list[int]:
        return [3 * band + i for band in rng.sample(range(3), 3) for i in rng.sample(range(3), 3)]

    digits, rows, columns = rng.sample(range(1, 10), 9), lines(), lines()
    grid = [digits[(3 * (r % 3) + r // 3 + c) % 9] for r in rows for c in columns]
    return grid if rng.random() < 0.5 else [grid[9 * (i % 9) + i // 9] for i in range(81)]


def random_state(seed: int) -> tuple[list[int], list[int], Candidates]:
    """A solution, values with 0 for unsolved, and the candidates of the unsolved cells."""
    rng = random.Random(seed)
    solution = random_grid(rng)
    solved, kept = rng.uniform(0.1, 0.8), rng.uniform(0.15, 0.9)
    values = [digit if rng.random() < solved else 0 for digit in solution]
    candidates = {}
    for cell in range(81):
        if values[cell] == 0:
            seen = {values[peer] for peer in PEERS[cell]}
            candidates[cell] = {
                digit
                for digit in range(1, 10)
                if digit == solution[cell] or (digit not in seen and rng.random() < kept)
            }
    return solution, values, candidates


def board_of(values: list[int], candidates: Candidates):
    masks = np.zeros(81, dtype=np.int64)
    for cell, digits in candidates.items():
        masks[cell] = sum(1 << (digit - 1) for digit in digits)
    return open_board(np.array(values, dtype=np.uint8), masks)


def places(candidates: Candidates, unit: int, digit: int) -> frozenset[int]:
    return frozenset(c for c in UNITS[unit].tolist() if digit in candidates.get(c, ()))


def placed(cell: int, digit: int) -> Outcome:
    return frozenset({(cell, digit)}), frozenset()


def removed(candidates: Candidates, cells, digits) -> Outcome:
    gone = {(cell, d) for cell in cells for d in candidates.get(cell, set()) & set(digits)}
    return frozenset(), frozenset(gone)


def full_houses(candidates: Candidates, size: int) -> Iterator[Outcome]:
    for unit in UNITS.tolist():
        empty = [cell for cell in unit if cell in candidates]
        if len(empty) == 1:
            yield placed(empty[0], min(candidates[empty[0]]))


def naked_singles(candidates: Candidates, size: int) -> Iterator[Outcome]:
    for cell, digits in candidates.items():
        if len(digits) == 1:
            yield placed(cell, min(digits))


def hidden_singles(candidates: Candidates, size: int) -> Iterator[Outcome]:
    for unit in range(27):
        for digit in range(1, 10):
            if len(cells := places(candidates, unit, digit)) == 1:
                yield placed(min(cells), digit)


def crossings(candidates: Candidates, sources, targets) -> Iterator[Outcome]:
    for source in sources:
        for target in targets:
            for digit in range(1, 10):
                inside = places(candidates, source, digit)
                outside = places(candidates, target, digit)
                if len(inside) > 1 and inside < outside:
                    yield removed(candidates, outside - inside, {digit})


def pointings(candidates: Candidates, size: int) -> Iterator[Outcome]:
    return crossings(candidates, range(18, 27), range(18))


def claimings(candidates: Candidates, size: int) -> Iterator[Outcome]:
    return crossings(candidates, range(18), range(18, 27))


def naked_sets(candidates: Candidates, size: int) -> Iterator[tuple[bool, Outcome]]:
    """Naked subsets with whether they are locked."""
    for unit in UNITS.tolist():
        for cells in combinations([cell for cell in unit if cell in candidates], size):
            digits = set().union(*(candidates[cell] for cell in cells))
            if len(digits) != size:
                continue
            seen = set.intersection(*({int(p) for p in PEERS[cell]} for cell in cells))
            outcome = removed(candidates, seen, digits)
            boxes = {int(BOX[cell]) for cell in cells}
            lines = len({c // 9 for c in cells}) == 1 or len({c % 9 for c in cells}) == 1
            sides = {int(BOX[cell]) in boxes for cell, _ in outcome[1]}
            yield len(boxes) == 1 and lines and len(sides) == 2 and size < 4, outcome


def naked_subsets(candidates: Candidates, size: int) -> Iterator[Outcome]:
    return (outcome for locked, outcome in naked_sets(candidates, size) if not locked)


def locked_subsets(candidates: Candidates, size: int) -> Iterator[Outcome]:
    return (outcome for locked, outcome in naked_sets(candidates, size) if locked)


def hidden_subsets(candidates: Candidates, size: int) -> Iterator[Outcome]:
    for unit in range(27):
        for digits in combinations(range(1, 10), size):
            spots = [places(candidates, unit, digit) for digit in digits]
            cells = frozenset().union(*spots)
            if all(spots) and len(cells) == size:
                yield removed(candidates, cells, set(range(1, 10)) - set(digits))


def fish(candidates: Candidates, size: int) -> Iterator[Outcome]:
    for digit in range(1, 10):
        for base, cover in ((0, 1), (1, 0)):
            lines = {
                unit: places(candidates, unit, digit) for unit in range(9 * base, 9 * base + 9)
            }
            for chosen in combinations([u for u, cells in lines.items() if len(cells) > 1], size):
                cells = frozenset().union(*(lines[unit] for unit in chosen))
                covers = {int(CELL_UNITS[cell, cover]) for cell in cells}
                if len(covers) == size:
                    across = frozenset().union(*(places(candidates, u, digit) for u in covers))
                    yield removed(candidates, across - cells, {digit})


TWINS = {
    "full_house": full_houses,
    "naked_single": naked_singles,
    "hidden_single": hidden_singles,
    "pointing": pointings,
    "claiming": claimings,
    "locked_pair": locked_subsets,
    "locked_triple": locked_subsets,
    "naked_pair": naked_subsets,
    "naked_triple": naked_subsets,
    "naked_quad": naked_subsets,
    "hidden_pair": hidden_subsets,
    "hidden_triple": hidden_subsets,
    "hidden_quad": hidden_subsets,
    "x_wing": fish,
    "swordfish": fish,
    "jellyfish": fish,
}


def found(board, technique) -> set[Outcome]:
    return {
        (frozenset(step.placements), frozenset(step.eliminations))
        for step in find_steps(board, technique)
    }


def expected(candidates: Candidates, name: str) -> set[Outcome]:
    outcomes = TWINS[name](candidates, technique_named(name).size)
    return {outcome for outcome in outcomes if outcome[0] or outcome[1]}


def test_every_technique_of_tier_1_has_a_twin():
    assert set(TWINS) == {technique.name for technique in CATALOGUE if technique.tier == 1}


@pytest.mark.parametrize("name", TWINS)
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32))
def test_a_technique_finds_what_its_twin_finds(name, seed):
    solution, values, candidates = random_state(seed)
    outcomes = found(board_of(values, candidates), technique_named(name))
    assert outcomes == expected(candidates, name)
    for placements, eliminations in outcomes:
        assert all(solution[cell] == digit for cell, digit in placements)
        assert all(solution[cell] != digit for cell, digit in eliminations)


@pytest.mark.nojit
@pytest.mark.parametrize("name", TWINS)
def test_a_technique_finds_what_its_twin_finds_where_there_is_little_to_find(name):
    boards = 0
    for seed in range(300):
        _, values, candidates = random_state(seed)
        outcomes = expected(candidates, name)
        if 0 < len(outcomes) <= 4:
            assert found(board_of(values, candidates), technique_named(name)) == outcomes
            boards += 1
        if boards == 2:
            return
    pytest.fail("no two boards show this technique")
