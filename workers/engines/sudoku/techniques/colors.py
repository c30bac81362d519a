"""Simple Colors and Multi Colors: clusters of strong links on one digit in two colours.

The digits 1-9. Clusters are numbered by their lowest cells; the lowest has the first colour, from
there the links are followed depth first, by row, column, box. The first step found is taken:
Simple Colors looks in each cluster for a wrap, then a trap; Multi Colors in each ordered pair of
clusters for type 2, then type 1.
"""

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import CELLS, DIGITS, REMOVED, Board, Marks, clear, mark
from workers.engines.sudoku.geometry import CELL_UNITS, UNITS
from workers.engines.sudoku.techniques.sets import (
    LOW,
    PEERS_HIGH,
    PEERS_LOW,
    admitting,
    mark_set,
    single,
)
from workers.engines.sudoku.techniques.technique import HARD, Form, Technique

SIMPLE_COLORS, MULTI_COLORS = 221, 222

MOST_CLUSTERS = 20

TRAP, WRAP = 0, 1
TYPE_1, TYPE_2 = 0, 1

TECHNIQUES = (
    Technique(
        name="simple_colors",
        title="Simple Colors",
        code="0500",
        order=5330,
        level=HARD,
        score=150,
        finder=SIMPLE_COLORS,
        forms=(Form("Simple Colors Trap", "0500"), Form("Simple Colors Wrap", "0501")),
        sentence="{title} {digits} in {cells}: removes {eliminations}",
    ),
    Technique(
        name="multi_colors",
        title="Multi Colors",
        code="0502",
        order=5360,
        level=HARD,
        score=200,
        finder=MULTI_COLORS,
        forms=(Form("Multi Colors 1", "0502"), Form("Multi Colors 2", "0503")),
        sentence="{title} {digits} in {cells}: removes {eliminations}",
    ),
)


@kernel
def colour(board: Board, marks: Marks, digit: int) -> int:
    """Put the clusters of `digit` into marks.clusters; how many there are."""
    low, high = linked(board, digit)
    count = 0
    while (low or high) and count < MOST_CLUSTERS:
        start = lowest(low) if low else LOW + lowest(high)
        for shade in range(2):
            for word in range(4):
                marks.clusters[count, shade, word] = 0
        paint(board, marks, digit, count, start)
        low &= ~(marks.clusters[count, 0, 0] | marks.clusters[count, 1, 0])
        high &= ~(marks.clusters[count, 0, 1] | marks.clusters[count, 1, 1])
        count += 1
    return count


@kernel
def linked(board: Board, digit: int) -> tuple[int, int]:
    """The places of `digit` in units that have two."""
    low = high = 0
    for unit in range(27):
        places = board.places[unit, digit]
        if popcount(places) == 2:
            while places:
                more_low, more_high = single(UNITS[unit, lowest(places)])
                low |= more_low
                high |= more_high
                places &= places - 1
    return low, high


@kernel
def paint(board: Board, marks: Marks, digit: int, cluster: int, start: int) -> None:
    """Colour all that is linked to `start`, depth first.

    The list CELLS is the stack of cells, the list DIGITS counts the units tried of each.
    """
    add(marks, cluster, 0, start)
    marks.lists[CELLS, 0] = start
    marks.lists[DIGITS, 0] = 0
    depth = 0
    while depth >= 0:
        cell, turn = marks.lists[CELLS, depth], marks.lists[DIGITS, depth]
        if turn == 3:
            depth -= 1
            continue
        marks.lists[DIGITS, depth] += 1
        unit = CELL_UNITS[cell, turn]
        places = board.places[unit, digit]
        if popcount(places) != 2:
            continue
        other = UNITS[unit, lowest(places)]
        if other == cell:
            other = UNITS[unit, lowest(places & (places - 1))]
        if not coloured(marks, cluster, other):
            depth += 1
            # colours alternate along the stack
            add(marks, cluster, depth & 1, other)
            marks.lists[CELLS, depth] = other
            marks.lists[DIGITS, depth] = 0


@kernel
def add(marks: Marks, cluster: int, shade: int, cell: int) -> None:
    """Give a cell a colour."""
    low, high = single(cell)
    marks.clusters[cluster, shade, 0] |= low
    marks.clusters[cluster, shade, 1] |= high
    marks.clusters[cluster, shade, 2] |= PEERS_LOW[cell]
    marks.clusters[cluster, shade, 3] |= PEERS_HIGH[cell]


@kernel
def coloured(marks: Marks, cluster: int, cell: int) -> bool:
    """Whether a cell has a colour of the cluster."""
    low, high = single(cell)
    low &= marks.clusters[cluster, 0, 0] | marks.clusters[cluster, 1, 0]
    high &= marks.clusters[cluster, 0, 1] | marks.clusters[cluster, 1, 1]
    return bool(low or high)


@kernel
def touch(marks: Marks, cluster: int, shade: int, other: int, other_shade: int) -> bool:
    """Whether some cell of one colour sees some cell of the other."""
    low = marks.clusters[cluster, shade, 2] & marks.clusters[other, other_shade, 0]
    high = marks.clusters[cluster, shade, 3] & marks.clusters[other, other_shade, 1]
    return bool(low or high)


@kernel
def mark_colour(marks: Marks, role: int, digit: int, cluster: int, shade: int) -> None:
    """Append the cells of a colour."""
    low, high = marks.clusters[cluster, shade, 0], marks.clusters[cluster, shade, 1]
    mark_set(marks, role, low, high, digit)


@kernel
def mark_between(board: Board, marks: Marks, digit: int, one: int, other: int) -> None:
    """Mark the places that see both of two colours, each given as 2 * cluster + shade."""
    low, high = admitting(board, digit)
    low &= marks.clusters[one // 2, one % 2, 2] & marks.clusters[other // 2, other % 2, 2]
    high &= marks.clusters[one // 2, one % 2, 3] & marks.clusters[other // 2, other % 2, 3]
    mark_set(marks, REMOVED, low, high, digit)


@kernel
def find_simple_colors(board: Board, marks: Marks, skip: int) -> bool:
    """Mark Simple Colors number `skip`."""
    for digit in range(9):
        count = colour(board, marks, digit)
        for cluster in range(count):
            clear(marks)
            for shade in range(2):
                if touch(marks, cluster, shade, cluster, shade):
                    marks.form = WRAP
                    mark_colour(marks, REMOVED, digit, cluster, shade)
            if marks.form != WRAP:
                mark_between(board, marks, digit, 2 * cluster, 2 * cluster + 1)
            if marks.counts[REMOVED]:
                if skip == 0:
                    mark(marks, DIGITS, digit)
                    mark_colour(marks, CELLS, digit, cluster, 0)
                    mark_colour(marks, CELLS, digit, cluster, 1)
                    return True
                skip -= 1
    return False


@kernel
def find_multi_colors(board: Board, marks: Marks, skip: int) -> bool:
    """Mark Multi Colors number `skip`."""
    for digit in range(9):
        count = colour(board, marks, digit)
        for pair in range(count * count):
            one, other = pair // count, pair % count
            if one != other and mark_multi_colors(board, marks, digit, one, other):
                if skip == 0:
                    mark(marks, DIGITS, digit)
                    for shade in range(2):
                        mark_colour(marks, CELLS, digit, one, shade)
                    for shade in range(2):
                        mark_colour(marks, CELLS, digit, other, shade)
                    return True
                skip -= 1
    return False


@kernel
def mark_multi_colors(board: Board, marks: Marks, digit: int, one: int, other: int) -> bool:
    """Mark what two clusters remove."""
    clear(marks)
    for shade in range(2):
        if touch(marks, one, shade, other, 0) and touch(marks, one, shade, other, 1):
            marks.form = TYPE_2
            mark_colour(marks, REMOVED, digit, one, shade)
    if marks.form != TYPE_2:
        for shade in range(2):
            for other_shade in range(2):
                if touch(marks, one, shade, other, other_shade):
                    left, right = 2 * one + 1 - shade, 2 * other + 1 - other_shade
                    mark_between(board, marks, digit, left, right)
    return bool(marks.counts[REMOVED])
