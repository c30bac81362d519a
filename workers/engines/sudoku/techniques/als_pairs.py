"""ALS-XZ and ALS-XY-Wing: two almost locked sets joined by restricted commons, or by a third ALS.

With a restricted common one of two ALS lacks it and so is locked: a further digit of both goes
from all cells that watch it in both. With two restricted commons both ALS lock each other. In a
wing both are joined to a third ALS by different digits.

Pairs (for a wing: pairs of pairs) are tried in the order of the list; the first that removes
something is the step.
"""

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import DIGITS, REMOVED, Board, Marks, clear, mark_digits
from workers.engines.sudoku.links import SPAN, Almost
from workers.engines.sudoku.techniques.almost import join, join_all, list_als, mark_als, shared
from workers.engines.sudoku.techniques.sets import LOW, mark_set
from workers.engines.sudoku.techniques.technique import UNFAIR, Technique

ALS_XZ, ALS_WING = 305, 306

TECHNIQUES = (
    Technique(
        name="als_xz",
        title="Almost Locked Set XZ-Rule",
        code="0901",
        order=5700,
        level=UNFAIR,
        score=300,
        finder=ALS_XZ,
        sentence="{title}: {parts}, with {digits} in only one of them: removes {eliminations}",
    ),
    Technique(
        name="als_xy_wing",
        title="Almost Locked Set XY-Wing",
        code="0902",
        order=5800,
        level=UNFAIR,
        score=320,
        finder=ALS_WING,
        sentence="{title}: {parts}, joined by {digits}: removes {eliminations}",
    ),
)


@kernel
def find_als_xz(board: Board, marks: Marks, skip: int) -> bool:
    """Mark ALS-XZ number `skip`."""
    almost = marks.almost
    list_als(board, almost)
    for als in range(almost.count):
        if als == almost.joined:
            join(almost, als)
        for entry in range(almost.entry_start[als], almost.entry_start[als + 1]):
            other, commons = almost.second[entry], almost.commons[entry]
            if commons & (commons - 1) == 0 and not shared(almost, als, other, commons):
                continue
            mark_xz(almost, marks, als, entry)
            if marks.counts[REMOVED]:
                if skip == 0:
                    mark_als(almost, marks, als)
                    mark_als(almost, marks, other)
                    mark_digits(marks, DIGITS, 0, commons)
                    return True
                skip -= 1
    return False


@kernel
def mark_xz(almost: Almost, marks: Marks, als: int, entry: int) -> None:
    """Mark what a pair of ALS removes."""
    clear(marks)
    other, commons = almost.second[entry], almost.commons[entry]
    first = commons & -commons
    mark_shared(almost, marks, als, other, first)
    if commons == first:
        return
    mark_shared(almost, marks, als, other, commons ^ first)
    mark_locked(almost, marks, als, other, commons)
    mark_locked(almost, marks, other, als, commons)


@kernel
def mark_shared(almost: Almost, marks: Marks, one: int, other: int, excluded: int) -> None:
    """Mark the digits of both ALS outside `excluded` in the cells that watch them in both."""
    digits = shared(almost, one, other, excluded)
    while digits:
        digit = lowest(digits)
        digits &= digits - 1
        low = almost.watchers[one, digit, 0] & almost.watchers[other, digit, 0]
        high = almost.watchers[one, digit, 1] & almost.watchers[other, digit, 1]
        mark_set(marks, REMOVED, low, high, digit)


@kernel
def mark_locked(almost: Almost, marks: Marks, als: int, other: int, commons: int) -> None:
    """Mark what a locked ALS removes outside the other one."""
    digits = almost.digits[als] & ~commons
    while digits:
        digit = lowest(digits)
        digits &= digits - 1
        low = almost.watchers[als, digit, 0] & ~almost.cells[other, 0]
        high = almost.watchers[als, digit, 1] & ~almost.cells[other, 1]
        mark_set(marks, REMOVED, low, high, digit)


@kernel
def pair_up(almost: Almost) -> None:
    """Find the partners of each ALS: without a common cell, but with a common watcher."""
    words = almost.words
    if almost.paired == almost.count:
        return
    almost.paired = almost.count
    for als in range(almost.count):
        row = als * words
        for word in range(words):
            almost.partners[row + word] = 0
        for digit in range(9):
            for half in range(2):
                cells = almost.watchers[als, digit, half]
                while cells:
                    candidate = 9 * (half * LOW + lowest(cells)) + digit
                    cells &= cells - 1
                    for word in range(words):
                        almost.partners[row + word] |= almost.watched[candidate * words + word]
        for half in range(2):
            cells = almost.cells[als, half]
            while cells:
                cell = half * LOW + lowest(cells)
                cells &= cells - 1
                for word in range(words):
                    almost.partners[row + word] &= ~almost.covering[cell * words + word]


@kernel
def find_als_wing(board: Board, marks: Marks, skip: int) -> bool:
    """Mark ALS-XY-Wing number `skip`."""
    almost = marks.almost
    list_als(board, almost)
    join_all(almost)
    pair_up(almost)
    for als in range(almost.count):
        for entry in range(almost.entry_start[als], almost.entry_start[als + 1]):
            other = almost.second[entry]
            skip = try_wings(almost, marks, (als, other, other), entry, skip)
            if skip >= 0:
                skip = try_wings(almost, marks, (other, als, als), entry, skip)
            if skip < 0:
                return True
    return False


@kernel
def try_wings(
    almost: Almost, marks: Marks, ends: tuple[int, int, int], entry: int, skip: int
) -> int:
    """Try wings with `ends` = hinge, first end, the number that the second end must exceed.

    Returns how many are to be skipped yet, -1 when one has been marked.
    """
    hinge, one, after = ends
    words = almost.words
    for word in range(after // SPAN, words):
        bits = almost.linked[hinge * words + word] & almost.partners[one * words + word]
        if word == after // SPAN:
            bits &= ~((2 << (after % SPAN)) - 1)
        while bits:
            other = SPAN * word + lowest(bits)
            bits &= bits - 1
            commons = almost.commons[entry]
            second = commons_of(almost, min(hinge, other), max(hinge, other))
            if commons == second and commons & (commons - 1) == 0:
                continue
            if not shared(almost, one, other, commons | second):
                continue
            if skip == 0:
                clear(marks)
                mark_shared(almost, marks, one, other, commons | second)
                mark_als(almost, marks, one)
                mark_als(almost, marks, hinge)
                mark_als(almost, marks, other)
                mark_digits(marks, DIGITS, 0, commons | second)
                return -1
            skip -= 1
    return skip


@kernel
def commons_of(almost: Almost, one: int, other: int) -> int:
    """The RC digits of two ALS that have some, `one` before `other`."""
    low, high = almost.entry_start[one], almost.entry_start[one + 1]
    while high - low > 1:
        middle = (low + high) // 2
        if almost.second[middle] <= other:
            low = middle
        else:
            high = middle
    return int(almost.commons[low])
