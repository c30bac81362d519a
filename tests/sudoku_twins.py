"""Slow twins of the Sudoku kernels, in plain Python: they share no code and no table with them.

`count_solutions` is a solver on 81-bit integers; `fixed_point` and `band_search` follow the rules
of the band engine over sets of (cell, digit), so they tell its nodes and guesses too.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations

ALL = (1 << 81) - 1
Candidates = set[tuple[int, int]]


def box(cell: int) -> int:
    return cell // 27 * 3 + cell % 9 // 3


@cache
def units() -> list[list[int]]:
    rows = [[cell for cell in range(81) if cell // 9 == row] for row in range(9)]
    columns = [[cell for cell in range(81) if cell % 9 == column] for column in range(9)]
    return rows + columns + [[cell for cell in range(81) if box(cell) == b] for b in range(9)]


@cache
def peers(cell: int) -> frozenset[int]:
    together = {peer for unit in units() if cell in unit for peer in unit}
    return frozenset(together - {cell})


@cache
def masks() -> tuple[list[int], list[int]]:
    """Units and peers as 81-bit integers."""
    unit_masks = [sum(1 << cell for cell in unit) for unit in units()]
    return unit_masks, [sum(1 << peer for peer in peers(cell)) for cell in range(81)]


def is_solution(puzzle: Sequence[int], grid: Sequence[int]) -> bool:
    """Whether `grid` is complete, breaks no rule and has the puzzle's clues."""
    complete = all({int(grid[cell]) for cell in unit} == set(range(1, 10)) for unit in units())
    return complete and all(clue in (0, grid[cell]) for cell, clue in enumerate(puzzle))


def count_solutions(puzzle: Sequence[int], limit: int, forbidden: tuple[int, int] = (0, 0)) -> int:
    """The number of solutions up to `limit`, without those with `forbidden` (cell, digit)."""
    digits = [ALL] * 9
    for cell, clue in enumerate(puzzle):
        if clue:
            for digit in range(9):
                if digit + 1 != clue:
                    digits[digit] &= ~(1 << cell)
    if forbidden[1]:
        digits[forbidden[1] - 1] &= ~(1 << forbidden[0])
    return _count(digits, limit)


def _count(digits: list[int], limit: int) -> int:
    if not _propagate(digits):
        return 0
    once = twice = thrice = 0
    for mask in digits:
        thrice |= twice & mask
        twice |= once & mask
        once |= mask
    if not twice:
        return 1
    cells = twice & ~thrice or twice
    cell = cells & -cells
    found = 0
    for digit in range(9):
        if digits[digit] & cell and found < limit:
            tried = [mask if other == digit else mask & ~cell for other, mask in enumerate(digits)]
            found += _count(tried, limit - found)
    return found


def _propagate(digits: list[int]) -> bool:
    """Naked and hidden singles until nothing changes; False on a contradiction."""
    unit_masks, peer_masks = masks()
    before = None
    while before != digits:
        before = list(digits)
        once = twice = 0
        for mask in digits:
            twice |= once & mask
            once |= mask
        if once != ALL:
            return False
        for digit in range(9):
            singles = digits[digit] & ~twice
            while singles:
                cell = (singles & -singles).bit_length() - 1
                digits[digit] &= ~peer_masks[cell]
                singles &= singles - 1
            for unit in unit_masks:
                left = digits[digit] & unit
                if not left:
                    return False
                if left & (left - 1) == 0:
                    for other in range(9):
                        if other != digit:
                            digits[other] &= ~left
    return True


def start(puzzle: Sequence[int]) -> Candidates:
    """The candidates that the clues leave before any rule."""
    return {(cell, digit) for cell, clue in enumerate(puzzle) for digit in range(1, 10)
            if clue in (0, digit)}  # fmt: skip


def fixed_point(candidates: Candidates) -> Candidates | None:
    """The band engine's fixed point, by its rules one at a time; None if it is contradictory."""
    left = set(candidates)
    while True:
        size = len(left)
        for digit in range(1, 10):
            cells = {cell for cell, other in left if other == digit}
            lost = cells - (_placed(cells, False) & _placed(cells, True))
            left -= {(cell, digit) for cell in lost}
            for unit in units()[:9]:
                inside = [cell for cell in unit if (cell, digit) in left]
                if not inside:
                    return None
                if len(inside) == 1:
                    left -= {(inside[0], other) for other in range(1, 10) if other != digit}
        for cell in range(81):
            digits = [digit for digit in range(1, 10) if (cell, digit) in left]
            if not digits:
                return None
            if len(digits) == 1:
                row = [peer for peer in units()[cell // 9] if peer != cell]
                left -= {(peer, digits[0]) for peer in row}
        if len(left) == size:
            return left


def _placed(cells: set[int], sideways: bool) -> set[int]:
    """Cells in a piece (three in a line, in a box) that some placing of the band uses.

    Sideways: of the stack, where pieces are columns of a box.
    """
    kept = set()
    for band in range(3):
        piece = {}
        for cell in cells:
            row, column = (cell % 9, cell // 9) if sideways else divmod(cell, 9)
            if row // 3 == band:
                piece.setdefault((row % 3, column // 3), set()).add(cell)
        for order in permutations(range(3)):
            if all((line, order[line]) in piece for line in range(3)):
                for line in range(3):
                    kept |= piece[line, order[line]]
    return kept


def slot(cell: int) -> int:
    """The order in which the band engine looks at cells."""
    row, column = divmod(cell, 9)
    return 27 * (column % 3) + 9 * (row % 3) + 3 * (row // 3) + column // 3


def band_search(puzzle: Sequence[int], limit: int) -> tuple[int, int, int]:
    """Solutions up to `limit`, nodes and guesses of the band engine."""
    open_positions = [start(puzzle)]
    found = nodes = guesses = 0
    while open_positions and found < limit:
        nodes += 1
        left = fixed_point(open_positions.pop())
        if left is None:
            continue
        digits = {cell: sorted(d for c, d in left if c == cell) for cell in range(81)}
        if len(left) == 81:
            found += 1
            continue
        guesses += 1
        cell = _branching_cell(digits)
        first = digits[cell][0]
        row = [peer for peer in units()[cell // 9] if peer != cell]
        open_positions.append(left - {(cell, first)})
        # Placing a digit takes it from the row; the rules do the rest.
        open_positions.append(left - {(peer, first) for peer in row})
    return found, nodes, guesses


def _branching_cell(digits: dict[int, list[int]]) -> int:
    """The pair with the highest weight, or the first cell with the fewest candidates."""
    claimed = set()
    for unit in units()[:9]:
        for digit in range(1, 10):
            inside = [cell for cell in unit if digit in digits[cell]]
            claimed |= {inside[0]} if len(inside) == 1 else set()
    pairs = [cell for cell in range(81) if len(digits[cell]) == 2]
    if not pairs:
        unclaimed = [cell for cell in range(81) if cell not in claimed]
        return min(unclaimed, key=lambda cell: (len(digits[cell]), slot(cell)))

    def weight(cell: int) -> int:
        total = 0
        for peer in peers(cell):
            shared = len(set(digits[cell]) & set(digits[peer]))
            total += (peer not in claimed) + shared * (4 if len(digits[peer]) == 2 else 1)
        return total

    return max(pairs, key=lambda cell: (weight(cell), -slot(cell)))


def is_minimal(puzzle: Sequence[int], solution: Sequence[int]) -> bool:
    """Whether without any one clue there is a solution with another digit in its cell."""
    for cell, clue in enumerate(puzzle):
        if clue:
            less = [0 if place == cell else int(other) for place, other in enumerate(puzzle)]
            if count_solutions(less, 1, (cell, int(solution[cell]))) == 0:
                return False
    return True


def first_conflict(puzzle: Sequence[int]) -> tuple[int, int]:
    """The first unit with a digit twice and the smallest such digit, or (-1, 0)."""
    for index, unit in enumerate(units()):
        twice = {int(puzzle[a]) for a, b in combinations(unit, 2) if puzzle[a] == puzzle[b]} - {0}
        if twice:
            return index, min(twice)
    return -1, 0


def symmetry_class(puzzle: Sequence[int]) -> str:
    """The class of the clue pattern, by trying the eight symmetries on it."""
    clues = {divmod(cell, 9) for cell in range(81) if puzzle[cell]}
    turns = {
        "half": lambda r, c: (8 - r, 8 - c),
        "quarter": lambda r, c: (c, 8 - r),
        "left": lambda r, c: (r, 8 - c),
        "top": lambda r, c: (8 - r, c),
        "main": lambda r, c: (c, r),
        "anti": lambda r, c: (8 - c, 8 - r),
    }
    kept = {name for name, turn in turns.items() if {turn(r, c) for r, c in clues} == clues}
    if len(kept) == 6:
        return "full"
    for name, group in (("diagonals", "main anti half"), ("mirrors", "left top half"),
                        ("rotate90", "quarter half"), ("rotate180", "half")):  # fmt: skip
        if kept == set(group.split()):
            return name
    if kept & {"main", "anti"}:
        return "diagonal"
    return "mirror" if kept else "none"


# The human model: moves, rounds and random refutations, on sets.


def candidates_of(values):
    """The candidates of each cell: digits that no peer has; empty sets for filled cells."""
    return [
        set() if values[cell] else set(range(1, 10)) - {values[peer] for peer in peers_of(cell)}
        for cell in range(81)
    ]


def peers_of(cell):
    return {other for unit in ALL_UNITS if cell in unit for other in unit} - {cell}


ALL_UNITS = [
    *([9 * row + column for column in range(9)] for row in range(9)),
    *([9 * row + column for row in range(9)] for column in range(9)),
    *(
        [9 * (3 * band + row) + 3 * stack + column for row in range(3) for column in range(3)]
        for band in range(3)
        for stack in range(3)
    ),
]


def moves_by_look(candidates, empty):
    """(look, cell, digit): 0 last of a unit, 1 box, 2 line, 3 cell."""
    found = {
        (3, cell, min(options)) for cell, options in enumerate(candidates) if len(options) == 1
    }
    for index, unit in enumerate(ALL_UNITS):
        last = sum(cell in empty for cell in unit) == 1
        for digit in range(1, 10):
            places = [cell for cell in unit if digit in candidates[cell]]
            if len(places) == 1:
                found.add((0 if last else 1 if index >= 18 else 2, places[0], digit))
    return found


def simple_moves(candidates):
    """All (cell, digit) that are a naked or a hidden single."""
    empty = {cell for cell, options in enumerate(candidates) if options}
    return {(cell, digit) for _, cell, digit in moves_by_look(candidates, empty)}


def singles_rounds(values):
    """Rounds in which all singles are filled at once, and the cells they fill."""
    values, rounds, filled = list(values), 0, 0
    while moves := simple_moves(candidates_of(values)):
        for cell, digit in moves:
            values[cell] = digit
        rounds, filled = rounds + 1, filled + len(moves)
    return rounds, filled


def look_rounds(values):
    """[rounds, cells] of a solver who makes all moves of the easiest look at once, by look."""
    values, counts = list(values), [[0] * 4, [0] * 4]
    while True:
        empty = {cell for cell in range(81) if not values[cell]}
        moves = moves_by_look(candidates_of(values), empty)
        if not moves:
            return counts
        look = min(moves)[0]
        easiest = {(cell, digit) for kind, cell, digit in moves if kind == look}
        counts[0][look] += 1
        counts[1][look] += len(easiest)
        for cell, digit in easiest:
            values[cell] = digit


def is_broken(values, candidates):
    """A cell or a unit is left without candidates."""
    if any(not values[cell] and not candidates[cell] for cell in range(81)):
        return True
    return any(
        digit not in {values[cell] for cell in unit}
        and not any(digit in candidates[cell] for cell in unit)
        for unit in ALL_UNITS
        for digit in range(1, 10)
    )


def refutation(values, cell, digit, rng):
    """Random moves until the grid breaks after `digit` was put into `cell`; infinite if never."""
    values, candidates = list(values), candidates_of(values)
    length = 0
    while True:
        values[cell], candidates[cell] = digit, set()
        for peer in peers_of(cell):
            candidates[peer].discard(digit)
        if is_broken(values, candidates):
            return length
        moves = sorted(simple_moves(candidates))
        if not moves:
            return float("inf")
        cell, digit = moves[int(rng.integers(len(moves)))]
        length += 1
