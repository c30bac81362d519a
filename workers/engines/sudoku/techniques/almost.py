"""Almost locked sets (ALS) of a position, and which two of them have a restricted common (RC).

An ALS is one to eight cells of a unit with one digit more than cells. They are listed by unit, in
a unit depth first: a choice of cells before its extensions; a set that two units share counts
for the first. A digit of two ALS without a common cell is an RC when all its places in one see
all its places in the other: then only one of the two can hold it.
"""

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import ALL, CELLS, PARTS, Board, Marks, mark
from workers.engines.sudoku.geometry import COLUMN, ROW, UNITS
from workers.engines.sudoku.links import MOST_ALS, MOST_COMMONS, SPAN, Almost
from workers.engines.sudoku.techniques.sets import (
    LOW,
    PEERS_HIGH,
    PEERS_LOW,
    admitting,
    mark_set,
    single,
)


@kernel
def list_als(board: Board, almost: Almost) -> None:
    """List the ALS of the position and who watches them, unless that is done."""
    same = True
    for cell in range(81):
        if almost.state[cell] != board.cells[cell]:
            almost.state[cell] = board.cells[cell]
            same = False
    if same:
        return
    almost.count = almost.joined = almost.paired = 0
    almost.entry_start[0] = 0
    for digit in range(9):
        low, high = admitting(board, digit)
        almost.admitting[digit, 0], almost.admitting[digit, 1] = low, high
    for unit in range(27):
        choose_cells(board, almost, unit)
    almost.words = (almost.count + SPAN - 1) // SPAN
    index_als(almost)


@kernel
def choose_cells(board: Board, almost: Almost, unit: int) -> None:
    """List the ALS of one unit. A frame of the stack is a position and the digits up to it."""
    depth = 0
    almost.stack[0, 0] = -1
    while depth >= 0:
        position = almost.stack[depth, 0] + 1
        almost.stack[depth, 0] = position
        if position == 9:
            depth -= 1
            continue
        mask = board.cells[UNITS[unit, position]]
        if mask == 0:
            continue
        if depth:
            mask |= almost.stack[depth - 1, 1]
        almost.stack[depth, 1] = mask
        surplus = popcount(mask) - depth - 1
        later = popcount(board.unsolved[unit] >> (position + 1))
        if surplus == 1 and depth < 8:
            add_als(board, almost, unit, depth)
        if surplus - 1 <= later and depth < 7:
            depth += 1
            almost.stack[depth, 0] = position


@kernel
def add_als(board: Board, almost: Almost, unit: int, depth: int) -> None:
    """Add the cells on the stack as an ALS, unless an earlier unit has them all."""
    if (unit >= 9 and depth == 0) or almost.count == MOST_ALS:
        return
    cell = UNITS[unit, almost.stack[0, 0]]
    if unit >= 18:
        one_row = one_column = True
        for k in range(1, depth + 1):
            other = UNITS[unit, almost.stack[k, 0]]
            one_row &= ROW[other] == ROW[cell]
            one_column &= COLUMN[other] == COLUMN[cell]
        if one_row or one_column:
            return
    als = almost.count
    almost.count += 1
    digits = almost.stack[depth, 1]
    almost.digits[als] = digits
    almost.cells[als, 0] = almost.cells[als, 1] = 0
    for digit in range(9):
        almost.places[als, digit, 0] = almost.places[als, digit, 1] = 0
        sight = -1 if (digits >> digit) & 1 else 0
        almost.sight[als, digit, 0] = almost.sight[als, digit, 1] = sight
    for k in range(depth + 1):
        add_cell(board, almost, als, UNITS[unit, almost.stack[k, 0]])
    for digit in range(9):
        for half in range(2):
            watching = almost.sight[als, digit, half] & almost.admitting[digit, half]
            almost.watchers[als, digit, half] = watching


@kernel
def add_cell(board: Board, almost: Almost, als: int, cell: int) -> None:
    """Add one cell to an ALS."""
    low, high = single(cell)
    almost.cells[als, 0] |= low
    almost.cells[als, 1] |= high
    digits = board.cells[cell]
    while digits:
        digit = lowest(digits)
        digits &= digits - 1
        almost.places[als, digit, 0] |= low
        almost.places[als, digit, 1] |= high
        almost.sight[als, digit, 0] &= PEERS_LOW[cell]
        almost.sight[als, digit, 1] &= PEERS_HIGH[cell]


@kernel
def index_als(almost: Almost) -> None:
    """Make the bit sets: who holds, who covers, who is watched; and empty those of pairs."""
    words = almost.words
    for k in range(729 * words):
        almost.having[k] = almost.watched[k] = 0
    for k in range(81 * words):
        almost.covering[k] = 0
    for k in range(9 * words):
        almost.holders[k] = 0
    for k in range(almost.count * words):
        almost.linked[k] = 0
    for als in range(almost.count):
        word, bit = als // SPAN, 1 << (als % SPAN)
        for half in range(2):
            cells = almost.cells[als, half]
            while cells:
                almost.covering[(half * LOW + lowest(cells)) * words + word] |= bit
                cells &= cells - 1
        digits = almost.digits[als]
        while digits:
            digit = lowest(digits)
            digits &= digits - 1
            almost.holders[digit * words + word] |= bit
            for half in range(2):
                cells = almost.places[als, digit, half]
                while cells:
                    candidate = 9 * (half * LOW + lowest(cells)) + digit
                    cells &= cells - 1
                    almost.having[candidate * words + word] |= bit
                cells = almost.watchers[als, digit, half]
                while cells:
                    candidate = 9 * (half * LOW + lowest(cells)) + digit
                    cells &= cells - 1
                    almost.watched[candidate * words + word] |= bit


@kernel
def join(almost: Almost, als: int) -> None:
    """List the restricted commons of `als` with later ALS, after those of all earlier ones."""
    words = almost.words
    first = als // SPAN
    for word in range(first, words):
        almost.row[9 * words + word] = 0
    digits = almost.digits[als]
    while digits:
        digit = lowest(digits)
        digits &= digits - 1
        restrict_row(almost, als, digit)
        for word in range(first, words):
            almost.row[9 * words + word] |= almost.row[digit * words + word]
    count = almost.entry_start[als]
    for word in range(first, words):
        bits = almost.row[9 * words + word]
        while bits:
            bit = lowest(bits)
            bits &= bits - 1
            if count == MOST_COMMONS:
                break
            other = SPAN * word + bit
            almost.second[count] = other
            almost.commons[count] = commons_at(almost, almost.digits[als], word, bit)
            almost.linked[als * words + word] |= 1 << bit
            almost.linked[other * words + first] |= 1 << (als % SPAN)
            count += 1
    almost.entry_start[als + 1] = count
    almost.joined = als + 1


@kernel
def restrict_row(almost: Almost, als: int, digit: int) -> None:
    """Set row `digit` to the later ALS without a common cell for which `digit` is an RC."""
    words = almost.words
    first = als // SPAN
    row = digit * words
    for word in range(first, words):
        almost.row[row + word] = almost.holders[row + word]
    almost.row[row + first] &= ~((2 << (als % SPAN)) - 1)
    for half in range(2):
        cells = almost.admitting[digit, half] & ~almost.sight[als, digit, half]
        while cells:
            candidate = 9 * (half * LOW + lowest(cells)) + digit
            cells &= cells - 1
            for word in range(first, words):
                almost.row[row + word] &= ~almost.having[candidate * words + word]
        cells = almost.cells[als, half]
        while cells:
            cell = half * LOW + lowest(cells)
            cells &= cells - 1
            for word in range(first, words):
                almost.row[row + word] &= ~almost.covering[cell * words + word]


@kernel
def commons_at(almost: Almost, digits: int, word: int, bit: int) -> int:
    """The RC digits of one pair; of three the first and the last."""
    commons = 0
    while digits:
        digit = lowest(digits)
        digits &= digits - 1
        if (almost.row[digit * almost.words + word] >> bit) & 1:
            if commons & (commons - 1):
                commons &= -commons
            commons |= 1 << digit
    return commons


@kernel
def join_all(almost: Almost) -> None:
    """List the restricted commons of all ALS."""
    for als in range(almost.joined, almost.count):
        join(almost, als)


@kernel
def shared(almost: Almost, one: int, other: int, excluded: int) -> int:
    """The digits outside `excluded` that some cell watches in both ALS."""
    digits = almost.digits[one] & almost.digits[other] & (ALL ^ excluded)
    found = 0
    while digits:
        digit = lowest(digits)
        digits &= digits - 1
        low = almost.watchers[one, digit, 0] & almost.watchers[other, digit, 0]
        high = almost.watchers[one, digit, 1] & almost.watchers[other, digit, 1]
        if low | high:
            found |= 1 << digit
    return found


@kernel
def mark_als(almost: Almost, marks: Marks, als: int) -> None:
    """Mark the cells of an ALS as one part of the pattern."""
    mark_set(marks, CELLS, almost.cells[als, 0], almost.cells[als, 1], 0)
    mark(marks, PARTS, marks.counts[CELLS])
