"""Death Blossom: a stem cell, and for each of its digits an almost locked set that it watches.

Whatever the stem holds, one of the petals is locked; so a digit of all petals, but not of the
stem, goes from all cells that see all its places in all petals. Stems ascending, their digits
ascending, for each its petals in the order of the list; the first choice that removes something
is the step.
"""

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import CELLS, PARTS, REMOVED, Board, Marks, clear, mark
from workers.engines.sudoku.links import SPAN, Almost
from workers.engines.sudoku.techniques.almost import list_als, mark_als
from workers.engines.sudoku.techniques.sets import mark_set, single
from workers.engines.sudoku.techniques.technique import UNFAIR, Technique

BLOSSOM = 308
MOST_PETALS = 100
"""So many ALS are tried for each digit of a stem."""
MOST_CHOICES = 1 << 20
"""So many petals are tried for a stem."""

TECHNIQUES = (
    Technique(
        name="death_blossom",
        title="Death Blossom",
        code="0904",
        order=6000,
        level=UNFAIR,
        score=360,
        finder=BLOSSOM,
        enabled=False,
        sentence="{title}: stem and petals {parts}: removes {eliminations}",
    ),
)

# A frame of the stack: the petal, how many were tried, cells and common digits up to it.
PETAL, TRIED, LOW_CELLS, HIGH_CELLS, SHARED, DIGIT = range(6)


@kernel
def find_blossom(board: Board, marks: Marks, skip: int) -> bool:
    """Mark the first Death Blossom of the stem that is number `skip` of those that have any."""
    almost = marks.almost
    list_als(board, almost)
    for stem in range(81):
        if not has_petals(board, almost, stem):
            continue
        if try_stem(board, marks, stem):
            if skip == 0:
                return True
            skip -= 1
    return False


@kernel
def has_petals(board: Board, almost: Almost, stem: int) -> bool:
    """Whether there is an ALS for each digit of an unsolved cell."""
    digits = board.cells[stem]
    if digits == 0:
        return False
    while digits:
        if next_petal(almost, 9 * stem + lowest(digits), -1) < 0:
            return False
        digits &= digits - 1
    return True


@kernel
def next_petal(almost: Almost, candidate: int, after: int) -> int:
    """The next ALS after number `after` that `candidate` watches, or -1."""
    start = after + 1
    for word in range(start // SPAN, almost.words):
        bits = almost.watched[candidate * almost.words + word]
        if word == start // SPAN:
            bits &= ~((1 << (start % SPAN)) - 1)
        if bits:
            return SPAN * word + lowest(bits)
    return -1


@kernel
def try_stem(board: Board, marks: Marks, stem: int) -> bool:
    """Mark the first choice of petals that removes something."""
    almost, stack = marks.almost, marks.almost.stack
    start_frame(almost, 0, lowest(board.cells[stem]))
    depth = 0
    for _ in range(MOST_CHOICES):
        petal = -1
        if stack[depth, TRIED] < MOST_PETALS:
            petal = next_petal(almost, 9 * stem + stack[depth, DIGIT], stack[depth, PETAL])
        if petal < 0:
            depth -= 1
            if depth < 0:
                break
            continue
        stack[depth, PETAL] = petal
        stack[depth, TRIED] += 1
        if not add_petal(almost, depth, petal):
            continue
        later = board.cells[stem] & ~((2 << stack[depth, DIGIT]) - 1)
        if later:
            depth += 1
            start_frame(almost, depth, lowest(later))
            continue
        mark_blossom(board, marks, stem, depth)
        if marks.counts[REMOVED]:
            return True
    return False


@kernel
def start_frame(almost: Almost, depth: int, digit: int) -> None:
    """Begin with the petals for one digit of the stem."""
    almost.stack[depth, PETAL] = -1
    almost.stack[depth, TRIED] = 0
    almost.stack[depth, DIGIT] = digit


@kernel
def add_petal(almost: Almost, depth: int, petal: int) -> bool:
    """Add a petal to those of smaller digits, unless it touches one or leaves no common digit."""
    stack = almost.stack
    low, high = almost.cells[petal, 0], almost.cells[petal, 1]
    digits = almost.digits[petal]
    if depth:
        if low & stack[depth - 1, LOW_CELLS] | high & stack[depth - 1, HIGH_CELLS]:
            return False
        low |= stack[depth - 1, LOW_CELLS]
        high |= stack[depth - 1, HIGH_CELLS]
        digits &= stack[depth - 1, SHARED]
    stack[depth, LOW_CELLS], stack[depth, HIGH_CELLS], stack[depth, SHARED] = low, high, digits
    return bool(digits)


@kernel
def mark_blossom(board: Board, marks: Marks, stem: int, depth: int) -> None:
    """Mark what the petals on the stack remove."""
    clear(marks)
    almost = marks.almost
    stem_low, stem_high = single(stem)
    digits = almost.stack[depth, SHARED] & ~board.cells[stem]
    while digits:
        digit = lowest(digits)
        digits &= digits - 1
        low = almost.admitting[digit, 0] & ~(almost.stack[depth, LOW_CELLS] | stem_low)
        high = almost.admitting[digit, 1] & ~(almost.stack[depth, HIGH_CELLS] | stem_high)
        for k in range(depth + 1):
            low &= almost.sight[almost.stack[k, PETAL], digit, 0]
            high &= almost.sight[almost.stack[k, PETAL], digit, 1]
        mark_set(marks, REMOVED, low, high, digit)
    mark(marks, CELLS, stem)
    mark(marks, PARTS, 1)
    for k in range(depth + 1):
        mark_als(almost, marks, almost.stack[k, PETAL])
