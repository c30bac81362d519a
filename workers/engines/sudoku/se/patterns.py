"""Patterns inside chains: locked digits, hidden and naked pairs, X-wings on a scratch grid.

What a pattern removes rests on the candidates that it needs gone: those that the source grid has
and the scratch grid has not. A pattern that needs none is left out.
"""

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import UNITS
from workers.engines.sudoku.se.geometry import (
    COLUMNS,
    CROSS,
    LINK_UNITS,
    LOCKING_PAIRS,
    ROWS,
    RULE_ORDER,
)
from workers.engines.sudoku.se.grid import Grid
from workers.engines.sudoku.se.links import NO, NODES, OFF
from workers.engines.sudoku.se.trees import LISTS, PATTERN, POOL, Forest, add


@kernel
def find_patterns(grid: Grid, forest: Forest, tree: int) -> bool:
    """Add what the first kind of pattern that is there removes from the tree's scratch grid."""
    before = forest.n_found
    lock_all(grid, forest, tree)
    if forest.n_found == before:
        hidden_pairs(grid, forest, tree)
    if forest.n_found == before:
        naked_pairs(grid, forest, tree)
    if forest.n_found == before:
        x_wings(grid, forest, tree)
    return forest.n_found > before


@kernel
def need(forest: Forest, unit: int, positions: int, digit: int) -> None:
    """Note that a pattern needs the digit gone at `positions` of the unit."""
    while positions:
        forest.pool[forest.n_pool] = OFF + 9 * UNITS[unit, lowest(positions)] + digit
        forest.n_pool += 1
        positions &= positions - 1


@kernel
def needs_any(forest: Forest, start: int, nest: int) -> bool:
    """Close the list of a pattern's needs that began at `start`; False when it is empty."""
    if forest.n_pool == start:
        return False
    forest.found[forest.n_found, 0] = start
    forest.found[forest.n_found, 1] = forest.n_pool
    forest.found[forest.n_found, 2] = nest
    forest.n_found += 1
    if forest.n_found > LISTS - 2 * NODES or forest.n_pool > POOL - 4 * NODES:
        forest.full = 1
        forest.n_found, forest.n_pool = 1, 0
    return True


@kernel
def remove(forest: Forest, tree: int, unit: int, positions: int, digit: int) -> None:
    """Add that the last pattern removes the digit at `positions` of the unit."""
    while positions:
        node = OFF + 9 * UNITS[unit, lowest(positions)] + digit
        positions &= positions - 1
        if forest.causes[tree, node] == 0:
            add(forest, tree, node, PATTERN, forest.n_found - 1)


@kernel
def lock_all(grid: Grid, forest: Forest, tree: int) -> None:
    """Digits whose places in a unit lie in another one."""
    now = forest.scratch
    for pair in range(4):
        second = LOCKING_PAIRS[pair, 1]
        kind = 0 if pair > 1 else 2 if second == COLUMNS else 1
        for digit in range(9):
            for one in range(LOCKING_PAIRS[pair, 0], LOCKING_PAIRS[pair, 0] + 9):
                spots = now.places[one, digit]
                if spots & (spots - 1) == 0:
                    continue
                other = LINK_UNITS[UNITS[one, lowest(spots)], kind]
                gone = now.places[other, digit] & ~CROSS[other, one]
                if spots & ~CROSS[one, other] or gone == 0:
                    continue
                start = forest.n_pool
                need(forest, one, grid.places[one, digit] & ~CROSS[one, other], digit)
                if needs_any(forest, start, NO):
                    remove(forest, tree, other, gone, digit)


@kernel
def hidden_pairs(grid: Grid, forest: Forest, tree: int) -> None:
    """Two digits with the same two places in a unit."""
    now = forest.scratch
    for kind in range(3):
        for unit in range(RULE_ORDER[kind], RULE_ORDER[kind] + 9):
            if popcount(grid.empty[unit]) <= 4:
                continue
            for second in range(1, 9):
                spots = now.places[unit, second]
                if popcount(spots) != 2:
                    continue
                for first in range(second):
                    if now.places[unit, first] == spots:
                        hide(grid, forest, tree, unit, (1 << first) | (1 << second))


@kernel
def hide(grid: Grid, forest: Forest, tree: int, unit: int, pair: int) -> None:
    """Add what a hidden pair of digits removes from its two cells."""
    now = forest.scratch
    first, second = lowest(pair), lowest(pair & (pair - 1))
    spots = now.places[unit, first]
    surplus = 0
    for k in range(9):
        if spots >> k & 1:
            surplus |= now.cells[UNITS[unit, k]] & ~pair
    if surplus == 0:
        return
    start = forest.n_pool
    need(forest, unit, grid.places[unit, first] & ~spots, first)
    need(forest, unit, grid.places[unit, second] & ~spots, second)
    if not needs_any(forest, start, NO):
        return
    while surplus:
        digit = lowest(surplus)
        surplus &= surplus - 1
        remove(forest, tree, unit, now.places[unit, digit] & spots, digit)


@kernel
def naked_pairs(grid: Grid, forest: Forest, tree: int) -> None:
    """Two cells of a unit with the same two candidates."""
    now = forest.scratch
    for kind in range(3):
        for unit in range(RULE_ORDER[kind], RULE_ORDER[kind] + 9):
            if popcount(grid.empty[unit]) < 4:
                continue
            for second in range(1, 9):
                pair = now.cells[UNITS[unit, second]]
                if popcount(pair) != 2:
                    continue
                for first in range(second):
                    if now.cells[UNITS[unit, first]] == pair:
                        bare(grid, forest, tree, unit, (1 << first) | (1 << second))


@kernel
def bare(grid: Grid, forest: Forest, tree: int, unit: int, spots: int) -> None:
    """Add what a naked pair in the cells at `spots` removes from its unit."""
    now = forest.scratch
    pair = now.cells[UNITS[unit, lowest(spots)]]
    low, high = lowest(pair), lowest(pair & (pair - 1))
    if ((now.places[unit, low] | now.places[unit, high]) & ~spots) == 0:
        return
    start = forest.n_pool
    for k in range(9):
        if spots >> k & 1:
            missing = grid.cells[UNITS[unit, k]] & ~pair
            while missing:
                need(forest, unit, 1 << k, lowest(missing))
                missing &= missing - 1
    if needs_any(forest, start, NO):
        remove(forest, tree, unit, now.places[unit, low] & ~spots, low)
        remove(forest, tree, unit, now.places[unit, high] & ~spots, high)


@kernel
def x_wings(grid: Grid, forest: Forest, tree: int) -> None:
    """Two lines with the same two places for a digit."""
    now = forest.scratch
    for turn in range(2):
        base, cover = (COLUMNS, ROWS) if turn == 0 else (ROWS, COLUMNS)
        for second in range(1, 9):
            for first in range(second):
                for digit in range(9):
                    spots = now.places[base + second, digit]
                    if popcount(spots) != 2 or now.places[base + first, digit] != spots:
                        continue
                    if grid.placed[digit] > 5:
                        continue
                    lines = (1 << first) | (1 << second)
                    low, high = cover + lowest(spots), cover + lowest(spots & (spots - 1))
                    if ((now.places[low, digit] | now.places[high, digit]) & ~lines) == 0:
                        continue
                    start = forest.n_pool
                    need(forest, base + first, grid.places[base + first, digit] & ~spots, digit)
                    need(forest, base + second, grid.places[base + second, digit] & ~spots, digit)
                    if needs_any(forest, start, NO):
                        remove(forest, tree, low, now.places[low, digit] & ~lines, digit)
                        remove(forest, tree, high, now.places[high, digit] & ~lines, digit)
