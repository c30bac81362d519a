"""X-Chain and XY-Chain: strong and weak links in turn, on one digit or through cells of two.

A chain says: when its first candidate is wrong, its last one, of the same digit, is right. So
all that see both lose the digit. Inside one digit a chain may close on its own start cell, whose
digit is then right in any case.

Of all steps the one that removes most is taken, then the lightest (sets.weigh), then the first
in a depth-first search: start cells ascending, their digits, links by row, column, rest of the
box. Only what is removed decides, so chains are built for the best pairs of ends alone: a walk
that may pass a cell twice tells which pairs are worth it.
"""

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import (
    CELLS,
    CHAIN,
    DIGITS,
    REMOVED,
    Board,
    Marks,
    clear,
    mark,
)
from workers.engines.sudoku.links import CHAIN_LINKS, Links
from workers.engines.sudoku.techniques.sets import (
    LOW,
    NEIGHBOURS,
    PEERS_HIGH,
    PEERS_LOW,
    admitting,
    mark_set,
    partner,
    single,
    size_of,
    weigh,
)
from workers.engines.sudoku.techniques.technique import UNFAIR, Technique

X_CHAIN, XY_CHAIN = 300, 301

_SENTENCE = "{title} {chain}: one end of it is right, which removes {eliminations}"

TECHNIQUES = (
    Technique(
        name="x_chain",
        title="X-Chain",
        code="0701",
        order=5400,
        level=UNFAIR,
        score=260,
        finder=X_CHAIN,
        sentence=_SENTENCE,
    ),
    Technique(
        name="xy_chain",
        title="XY-Chain",
        code="0702",
        order=5500,
        level=UNFAIR,
        score=260,
        finder=XY_CHAIN,
        sentence=_SENTENCE,
    ),
)

NONE = 1 << 40
"""Ranks are smaller."""
MOST_VISITS = 1 << 21
"""A search ends after so many chain nodes; on solving paths it takes a small part of that."""


@kernel
def find_chain(board: Board, marks: Marks, crossing: bool, skip: int) -> bool:
    """Mark X-Chain number `skip` in order of preference; `crossing`: XY-Chain."""
    links = marks.links
    lay_links(board, links, crossing)
    links.visits = 0
    rank = 0
    while True:
        rank = next_rank(board, links, crossing, rank)
        if rank == NONE:
            return False
        for start in range(729):
            best_end(board, links, crossing, start, rank)
            while links.targets[0] | links.targets[1]:
                end = seek(board, links, crossing, start)
                if end < 0:
                    break
                if skip == 0:
                    mark_chain(links, marks, start, end)
                    return True
                skip -= 1
                low, high = single(end)
                links.targets[0] &= ~low
                links.targets[1] &= ~high


@kernel
def lay_links(board: Board, links: Links, crossing: bool) -> None:
    """Set up the places that chains may use and, inside one digit, the strong links."""
    two_low = two_high = 0
    for cell in range(81):
        if popcount(board.cells[cell]) == 2:
            low, high = single(cell)
            two_low |= low
            two_high |= high
    for digit in range(9):
        low, high = admitting(board, digit)
        links.admitting[digit, 0], links.admitting[digit, 1] = low, high
        if crossing:
            low &= two_low
            high &= two_high
        links.usable[digit, 0], links.usable[digit, 1] = low, high
    if crossing:
        return
    for cell in range(81):
        digits = board.cells[cell]
        while digits:
            digit = lowest(digits)
            digits &= digits - 1
            low = high = 0
            for which in range(3):
                other = partner(board, digit, cell, which)
                if other >= 0:
                    one_low, one_high = single(other)
                    low |= one_low
                    high |= one_high
            links.strong[9 * cell + digit, 0] = low
            links.strong[9 * cell + digit, 1] = high


@kernel
def next_rank(board: Board, links: Links, crossing: bool, rank: int) -> int:
    """The next rank after `rank` that some pair of ends has, or NONE."""
    best = NONE
    for start in range(729):
        found = best_end(board, links, crossing, start, -1 - rank)
        if rank < found < best:
            best = found
    return best


@kernel
def best_end(board: Board, links: Links, crossing: bool, start: int, rank: int) -> int:
    """Set the targets to the ends of walks from `start` that have `rank`; for a negative rank
    return the best rank after -1 - `rank` instead, NONE if there is none."""
    cell, digit = start // 9, start % 9
    links.targets[0] = links.targets[1] = 0
    best = NONE
    if not (board.cells[cell] >> digit) & 1:
        return best
    if crossing:
        if popcount(board.cells[cell]) != 2:
            return best
    elif links.strong[start, 0] | links.strong[start, 1] == 0:
        return best
    low, high = single(cell)
    walk(board, links, crossing, digit, low, high)
    if crossing:
        links.reached[0, digit, 0] &= ~low
        links.reached[0, digit, 1] &= ~high
    for first in (0, LOW):
        word = links.reached[0, digit, 1 if first else 0]
        while word:
            end = first + lowest(word)
            word &= word - 1
            found = rank_of(links, digit, cell, end)
            if found == rank:
                low, high = single(end)
                links.targets[0] |= low
                links.targets[1] |= high
            elif -1 - rank < found < best:
                best = found
    return best


@kernel
def seen_by_both(links: Links, digit: int, one: int, other: int) -> tuple[int, int]:
    """The places of `digit` that see both ends, which may be the same cell."""
    low = links.admitting[digit, 0] & PEERS_LOW[one] & PEERS_LOW[other]
    high = links.admitting[digit, 1] & PEERS_HIGH[one] & PEERS_HIGH[other]
    return low, high


@kernel
def rank_of(links: Links, digit: int, one: int, other: int) -> int:
    """The rank of what a chain between two cells removes, smaller is better; NONE if nothing."""
    low, high = seen_by_both(links, digit, one, other)
    if low | high == 0:
        return NONE
    return int((127 - size_of(low, high)) << 27 | weigh(low, high, digit, 0))


@kernel
def walk(board: Board, links: Links, crossing: bool, digit: int, low: int, high: int) -> None:
    """Go from the places of `digit` in a set along strong and weak links in turn, breadth first.

    Sets `reached` and `distance`; a walk may pass a cell more than once.
    """
    for other in range(9):
        for half in range(2):
            links.reached[0, other, half] = links.reached[1, other, half] = 0
    tail = step_strongly(board, links, crossing, digit, (low, high, 0, 0))
    head = 0
    while head < tail:
        code = links.path[head]
        head += 1
        cell, at = code // 9, code % 9
        low = PEERS_LOW[cell] & links.usable[at, 0] & ~links.reached[1, at, 0]
        high = PEERS_HIGH[cell] & links.usable[at, 1] & ~links.reached[1, at, 1]
        links.reached[1, at, 0] |= low
        links.reached[1, at, 1] |= high
        far = links.distance[code, 0] + 1
        tail = step_strongly(board, links, crossing, at, (low, high, far, tail))


@kernel
def step_strongly(
    board: Board, links: Links, crossing: bool, digit: int, front: tuple[int, int, int, int]
) -> int:
    """Take the strong links from a set of places of `digit`; returns the new end of the queue.

    `front` is the set, its distance, and the end of the queue in links.path.
    """
    far, tail = front[2], front[3]
    for half in range(2):
        word = front[half]
        while word:
            cell = half * LOW + lowest(word)
            word &= word - 1
            links.distance[9 * cell + digit, 1] = far
            if crossing:
                at = lowest(board.cells[cell] & ~(1 << digit))
                low, high = single(cell)
            else:
                at = digit
                low, high = links.strong[9 * cell + digit, 0], links.strong[9 * cell + digit, 1]
            for side in range(2):
                fresh = (high if side else low) & ~links.reached[0, at, side]
                links.reached[0, at, side] |= fresh
                while fresh:
                    code = 9 * (side * LOW + lowest(fresh)) + at
                    fresh &= fresh - 1
                    links.distance[code, 0] = far + 1
                    links.path[tail] = code
                    tail += 1
    return int(tail)


@kernel
def inside(links: Links, how: int, code: int, room: int) -> bool:
    """Whether a walk came to candidate `code` by link kind `how` within `room` links."""
    cell, digit = code // 9, code % 9
    low, high = single(cell)
    reached = links.reached[how, digit, 0] & low | links.reached[how, digit, 1] & high
    return bool(reached and links.distance[code, how] <= room)


@kernel
def seek(board: Board, links: Links, crossing: bool, start: int) -> int:
    """Build the first chain from `start` to one of the targets; its last cell, or -1.

    Depth first, and only where a walk to a target is left; the chain is left in links.chain.
    """
    digit = start % 9
    walk(board, links, crossing, digit, links.targets[0], links.targets[1])
    links.chain[0] = start
    depth = 0
    list_options(board, links, crossing, 0)
    while depth >= 0 and links.visits < MOST_VISITS:
        if links.option[depth] == links.option_count[depth]:
            depth -= 1
            continue
        links.visits += 1
        code = links.options[depth, links.option[depth]]
        links.option[depth] += 1
        depth += 1
        links.chain[depth] = code
        if depth >= 3 and depth % 2 and code % 9 == digit and is_target(links, code // 9):
            links.last = depth
            return int(code // 9)
        list_options(board, links, crossing, depth)
    return -1


@kernel
def is_target(links: Links, cell: int) -> bool:
    """Whether a chain may end in `cell`."""
    low, high = single(cell)
    return bool(links.targets[0] & low | links.targets[1] & high)


@kernel
def list_options(board: Board, links: Links, crossing: bool, depth: int) -> None:
    """List the candidates that may follow chain node `depth`, in search order."""
    links.option[depth] = 0
    code = links.chain[depth]
    cell, digit = code // 9, code % 9
    room = CHAIN_LINKS - 2 - depth
    strongly = depth % 2 == 0
    count = 0
    if strongly and crossing:
        links.options[depth, 0] = 9 * cell + lowest(board.cells[cell] & ~(1 << digit))
        count = 1
    elif room >= 0:
        low, high = links.usable[digit, 0], links.usable[digit, 1]
        if strongly:
            low, high = links.strong[code, 0], links.strong[code, 1]
        for k in range(20):
            other = NEIGHBOURS[cell, k]
            one_low, one_high = single(other)
            if low & one_low | high & one_high == 0:
                continue
            if may_follow(links, depth, 9 * other + digit, room):
                links.options[depth, count] = 9 * other + digit
                count += 1
    links.option_count[depth] = count


@kernel
def may_follow(links: Links, depth: int, code: int, room: int) -> bool:
    """Whether `code` may come after chain node `depth`, with `room` links left behind it."""
    strongly = depth % 2 == 0
    ends = strongly and depth >= 2 and is_target(links, code // 9)
    if links.chain[0] // 9 == code // 9:
        return bool(ends)
    for k in range(1, depth + 1):
        if links.chain[k] // 9 == code // 9:
            return False
    return bool(ends or inside(links, 1 if strongly else 0, code, room))


@kernel
def mark_chain(links: Links, marks: Marks, start: int, end: int) -> None:
    """Mark what the chain in links.chain from candidate `start` to cell `end` removes."""
    clear(marks)
    digit = start % 9
    mark(marks, DIGITS, digit)
    for k in range(links.last + 1):
        code = links.chain[k]
        mark(marks, CHAIN, 2 * (code % 9 + 9 * (code // 9 + 1)) + k % 2)
        if k == 0 or code // 9 != links.chain[k - 1] // 9:
            mark(marks, CELLS, code // 9)
    low, high = seen_by_both(links, digit, start // 9, end)
    mark_set(marks, REMOVED, low, high, digit)
