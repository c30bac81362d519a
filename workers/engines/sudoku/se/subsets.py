"""Producers 3, 5, 7 to 12 and 16 to 18: naked and hidden sets, basic fish."""

from typing import Final

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import UNITS
from workers.engines.sudoku.se.geometry import (
    COLUMNS,
    COMBINATIONS,
    N_COMBINATIONS,
    ROWS,
    RULE_ORDER,
)
from workers.engines.sudoku.se.grid import (
    ALL,
    Grid,
    Hint,
    call,
    clear,
    place_by,
    removes,
    see,
    widen,
)
from workers.engines.sudoku.se.names import (
    DIRECT_HIDDEN_PAIR,
    DIRECT_HIDDEN_TRIPLET,
    HIDDEN_PAIR,
    HIDDEN_QUAD,
    HIDDEN_TRIPLET,
    JELLYFISH,
    NAKED_PAIR,
    NAKED_QUAD,
    NAKED_TRIPLET,
    SWORDFISH,
    X_WING,
)

PAIR: Final = widen(2)
TRIPLET: Final = widen(3)


@kernel
def naked_set(grid: Grid, hint: Hint, size: int) -> bool:
    """`size` cells of a unit with `size` candidates in all (3.0, 3.6, 5.0)."""
    for kind in range(3):
        for unit in range(RULE_ORDER[kind], RULE_ORDER[kind] + 9):
            if popcount(grid.empty[unit]) < 2 * size:
                continue
            narrow = 0
            for k in range(9):
                if 2 <= popcount(grid.cells[UNITS[unit, k]]) <= size:
                    narrow |= 1 << k
            if popcount(narrow) < size:
                continue
            for pick in range(N_COMBINATIONS[size]):
                picked = COMBINATIONS[size, pick]
                if picked & ~narrow:
                    continue
                union = union_of_cells(grid, unit, picked)
                if popcount(union) == size and strip(grid, hint, unit, ALL & ~picked, union):
                    hint.digits = union
                    see_places(hint, unit, picked)
                    if size == 2:
                        return call(hint, NAKED_PAIR, 3.0)
                    return call(hint, NAKED_TRIPLET, 3.6) if size == 3 else call(
                        hint, NAKED_QUAD, 5.0)  # fmt: skip
    return False


@kernel
def union_of_cells(grid: Grid, unit: int, positions: int) -> int:
    """All candidates of the cells at `positions` of `unit`."""
    union = 0
    while positions:
        union |= grid.cells[UNITS[unit, lowest(positions)]]
        positions &= positions - 1
    return union


@kernel
def strip(grid: Grid, hint: Hint, unit: int, positions: int, mask: int) -> bool:
    """Let the hint take `mask` out of the cells at `positions` of `unit`; False if nothing is."""
    gone = 0
    for k in range(9):
        if positions >> k & 1:
            gone |= grid.cells[UNITS[unit, k]] & mask
    if gone == 0:
        return False
    clear(hint)
    hint.unit = unit
    for k in range(9):
        if positions >> k & 1:
            removes(grid, hint, UNITS[unit, k], mask)
    return True


@kernel
def see_places(hint: Hint, unit: int, positions: int) -> None:
    """Add the cells at `positions` of `unit` to the pattern."""
    while positions:
        see(hint, UNITS[unit, lowest(positions)])
        positions &= positions - 1


@kernel
def hidden_set(grid: Grid, hint: Hint, size: int, direct: int) -> bool:
    """`size` digits with `size` places in a unit (3.4, 4.0, 5.4).

    If `direct` a further digit must thereby get a single place (2.0, 2.5).
    """
    for kind in range(3):
        for unit in range(RULE_ORDER[kind], RULE_ORDER[kind] + 9):
            left = popcount(grid.empty[unit])
            if left <= (size if direct else 2 * size):
                continue
            rare = 0
            for digit in range(9):
                if 2 <= popcount(grid.places[unit, digit]) <= size:
                    rare |= 1 << digit
            if popcount(rare) < size:
                continue
            for pick in range(N_COMBINATIONS[size]):
                picked = COMBINATIONS[size, pick]
                if picked & ~rare:
                    continue
                spots = union_of_places(grid, unit, picked)
                if popcount(spots) != size:
                    continue
                other = freed_digit(grid, unit, picked, spots) if direct else -1
                if direct and other < 0:
                    continue
                surplus = 1 << other if direct else ALL & ~picked
                if strip(grid, hint, unit, spots, surplus):
                    hint.digits = picked
                    see_places(hint, unit, spots)
                    return name_hidden(grid, hint, unit, spots, other)
    return False


@kernel
def union_of_places(grid: Grid, unit: int, digits: int) -> int:
    """All positions of `unit` that admit one of `digits`."""
    union = 0
    while digits:
        union |= grid.places[unit, lowest(digits)]
        digits &= digits - 1
    return union


@kernel
def freed_digit(grid: Grid, unit: int, digits: int, spots: int) -> int:
    """The lowest other digit that keeps one of several places when it leaves `spots`, or -1."""
    for digit in range(9):
        places = grid.places[unit, digit]
        rest = places & ~spots
        if not digits >> digit & 1 and rest != places and rest and rest & (rest - 1) == 0:
            return digit
    return -1


@kernel
def name_hidden(grid: Grid, hint: Hint, unit: int, spots: int, other: int) -> bool:
    """Name a hidden set by its size; with `other` it is direct and places that digit."""
    size = popcount(spots)
    if other >= 0:
        place_by(hint, UNITS[unit, lowest(grid.places[unit, other] & ~spots)], other)
        if size == 2:
            return call(hint, DIRECT_HIDDEN_PAIR, 2.0)
        return call(hint, DIRECT_HIDDEN_TRIPLET, 2.5)
    if size == 2:
        return call(hint, HIDDEN_PAIR, 3.4)
    return call(hint, HIDDEN_TRIPLET, 4.0) if size == 3 else call(hint, HIDDEN_QUAD, 5.4)


@kernel
def fish(grid: Grid, hint: Hint, size: int) -> bool:
    """`size` lines whose places for a digit lie in `size` crossing lines (3.2, 3.8, 5.2)."""
    for turn in range(2):
        base, cover = (COLUMNS, ROWS) if turn == 0 else (ROWS, COLUMNS)
        for pick in range(N_COMBINATIONS[size]):
            lines = COMBINATIONS[size, pick]
            for digit in range(9):
                if grid.placed[digit] + 2 * size > 9:
                    continue
                spots = fish_spots(grid, base, lines, digit)
                if popcount(spots) != size:
                    continue
                gone = 0
                for k in range(9):
                    if spots >> k & 1:
                        gone |= grid.places[cover + k, digit] & ~lines
                if gone:
                    catch(grid, hint, cover, lines, spots, 1 << digit)
                    if size == 2:
                        return call(hint, X_WING, 3.2)
                    return call(hint, SWORDFISH, 3.8) if size == 3 else call(hint, JELLYFISH, 5.2)
    return False


@kernel
def fish_spots(grid: Grid, base: int, lines: int, digit: int) -> int:
    """Where the lines of a fish admit the digit; ALL when one has under two places."""
    union = 0
    while lines:
        spots = grid.places[base + lowest(lines), digit]
        if spots & (spots - 1) == 0:
            return ALL
        union |= spots
        lines &= lines - 1
    return union


@kernel
def catch(grid: Grid, hint: Hint, cover: int, lines: int, spots: int, bit: int) -> None:
    """Let the hint take a fish's digit out of its cover lines, outside the base lines."""
    clear(hint)
    hint.digits = bit
    for k in range(9):
        for j in range(9):
            if spots >> k & 1:
                cell = UNITS[cover + k, j]
                if not lines >> j & 1:
                    removes(grid, hint, cell, bit)
                elif grid.cells[cell] & bit:
                    see(hint, cell)
