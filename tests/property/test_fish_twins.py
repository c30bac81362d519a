"""Fish beyond the basic ones against a slow twin that knows sets only.

The twin tries every base and every cover in the stated order, prunes nothing, and applies the
definition; so kernel and twin must list the same steps in the same order.
"""

import random
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from workers.engines.sudoku.geometry import PEERS, UNITS
from workers.engines.sudoku.grade import find_steps, open_board
from workers.engines.sudoku.techniques import fish_finned, fish_units

FISH = {t.name: t for t in (*fish_finned.TECHNIQUES, *fish_units.TECHNIQUES)}
SEES = [frozenset(peers) for peers in PEERS.tolist()]
ROWS, COLUMNS, BOXES = range(9), range(9, 18), range(18, 27)
LINES = [((ROWS,), (COLUMNS,)), ((COLUMNS,), (ROWS,))]
FRANKEN = [((ROWS, BOXES), (COLUMNS, BOXES)), ((COLUMNS, BOXES), (ROWS, BOXES))]
MUTANT = [((ROWS, COLUMNS, BOXES), (ROWS, COLUMNS, BOXES))]

Fish = tuple[tuple[int, ...], tuple[int, ...], frozenset[int], tuple[int, ...]]


def random_grid(rng: random.Random) -> list[int]:
    """A full grid, by shuffling the digits and lines of a regular one."""
    lines = [3 * band + i for band in rng.sample(range(3), 3) for i in rng.sample(range(3), 3)]
    digits = rng.sample(range(1, 10), 9)
    grid = [digits[(3 * (r % 3) + r // 3 + c) % 9] for r in lines for c in range(9)]
    return grid if rng.random() < 0.5 else [grid[9 * (i % 9) + i // 9] for i in range(81)]


def one_digit_state(seed: int) -> tuple[list[int], list[int], int]:
    """A grid, its values with 0 for unsolved, and a digit that many unsolved cells admit."""
    rng = random.Random(seed)
    grid = random_grid(rng)
    digit = rng.randint(1, 9)
    home = [cell for cell in range(81) if grid[cell] == digit]
    solved = rng.sample(home, rng.choice([2, 3, 4]))
    seen = frozenset().union(*(SEES[cell] for cell in solved))
    others = [cell for cell in range(81) if grid[cell] != digit and cell not in seen]
    opened = {*home, *rng.sample(others, rng.randint(4, min(14, len(others))))} - {*solved}
    return grid, [0 if cell in opened else grid[cell] for cell in range(81)], digit


def endo_fins(cells: dict[int, frozenset[int]], base: tuple[int, ...]) -> frozenset[int] | None:
    """Cells in more than one base unit; None when they are too many as they are counted."""
    union: frozenset[int] = frozenset()
    shared: frozenset[int] = frozenset()
    count = 0
    for unit in base:
        count += len(union & cells[unit])
        shared |= union & cells[unit]
        union |= cells[unit]
    return shared if count <= 2 else None


def all_fish(places: frozenset[int], size: int, shapes, finned: bool) -> Iterator[Fish]:
    """Every fish of one digit: base, cover, fins, what falls, in order."""
    for base_kinds, cover_kinds in shapes:
        cells = {unit: places & frozenset(UNITS[unit].tolist()) for unit in range(27)}
        bases = [u for kind in base_kinds for u in kind if cells[u]]
        bases = [u for u in bases if finned or len(cells[u]) <= size]
        for base in combinations(bases, size):
            endo = endo_fins(cells, base)
            if endo is None or (endo and not finned):
                continue
            body = frozenset().union(*(cells[unit] for unit in base))
            covers = [u for kind in cover_kinds for u in kind if u not in base and cells[u] & body]
            for cover in combinations(covers, size):
                union = frozenset().union(*(cells[unit] for unit in cover))
                fins = (body - union) | endo
                if not (1 <= len(fins) <= 5 if finned else not fins):
                    continue
                twice = [c for c in sorted(union) if sum(c in cells[u] for u in cover) > 1]
                outside = sorted(union - body)
                falls = [c for c in dict.fromkeys([*outside, *twice]) if fins <= SEES[c]]
                if falls:
                    yield base, cover, fins, tuple(falls)


def expected(values: list[int], digit: int, name: str) -> list[Fish]:
    """The fish that the technique lists, the first of each outcome."""
    size, code = FISH[name].size, FISH[name].code
    places = frozenset(
        cell
        for cell in range(81)
        if values[cell] == 0 and all(values[peer] != digit for peer in SEES[cell])
    )
    shapes = (LINES, LINES, LINES, FRANKEN, FRANKEN, MUTANT, MUTANT)[int(code[2])]
    first: dict[frozenset[int], Fish] = {}
    for fish in all_fish(places, size, shapes, finned=code[2] in "1246"):
        base, _, fins, falls = fish
        if code[2] in "12":
            kept = [len(places & frozenset(UNITS[unit].tolist()) - fins) for unit in base]
            if (min(kept) <= 1) != (code[2] == "2"):
                continue
        first.setdefault(frozenset(falls), fish)
    return list(first.values())


def found(values: list[int], digit: int, name: str) -> list[Fish]:
    board = open_board(np.array(values, dtype=np.uint8))
    return [
        (
            tuple(sorted(step.units)),
            tuple(sorted(step.covers)),
            frozenset(step.fins) | frozenset(step.endo_fins),
            tuple(cell for cell, _ in step.eliminations),
        )
        for step in find_steps(board, FISH[name])
        if step.digits == (digit,)
    ]


@pytest.mark.parametrize("name", [name for name, fish in FISH.items() if fish.size == 2])
def test_a_fish_of_two_lines_is_found_as_its_twin_finds_it(name):
    fired = 0
    for seed in range(30):
        grid, values, digit = one_digit_state(seed)
        fishes = found(values, digit, name)
        assert fishes == expected(values, digit, name)
        assert all(grid[cell] != digit for *_, falls in fishes for cell in falls)
        fired += bool(fishes)
    assert fired >= 2


@pytest.mark.parametrize("name", [name for name, fish in FISH.items() if fish.size == 3])
def test_a_fish_of_three_lines_is_found_as_its_twin_finds_it(name):
    fired = 0
    for seed in range(100, 104):
        grid, values, digit = one_digit_state(seed)
        fishes = found(values, digit, name)
        assert fishes == expected(values, digit, name)
        assert all(grid[cell] != digit for *_, falls in fishes for cell in falls)
        fired += bool(fishes)
    assert fired >= 1


@pytest.mark.parametrize("name", ["finned_jellyfish", "sashimi_jellyfish", "sashimi_squirmbag"])
def test_a_large_fish_of_lines_is_found_as_its_twin_finds_it(name):
    for seed in range(200, 212):
        _, values, digit = one_digit_state(seed)
        assert found(values, digit, name) == expected(values, digit, name)


@pytest.mark.nojit
@pytest.mark.parametrize("name", ["sashimi_x_wing", "finned_x_wing", "franken_x_wing"])
def test_twins_agree_on_a_few_boards_without_compilation_too(name):
    for seed in range(3):
        _, values, digit = one_digit_state(seed)
        assert found(values, digit, name) == expected(values, digit, name)
