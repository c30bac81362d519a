"""ALS-XY-Chain: almost locked sets joined one to the next by restricted commons.

Chains go forward in the list of ALS, depth first. A digit joins two neighbours only if it did
not join the pair before; where both of two may, both do. From four ALS on a chain removes the
digits of its first and last ALS, but those that join them to their neighbours, from all cells
that watch them in both.

Of all chains the one that removes most is taken, then the lightest (sets.weigh), then the first.
What a chain removes depends only on its start, its first digit, its last pair and that pair's
digits, so for each start a pair is entered once in each such state.
"""

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import REMOVED, Board, Marks, clear
from workers.engines.sudoku.links import Almost, Links
from workers.engines.sudoku.techniques.almost import join_all, list_als, mark_als, shared
from workers.engines.sudoku.techniques.choice import (
    FIRST,
    NONE,
    final_rank,
    keep,
    nothing_removed,
    promising,
    rank_of,
    start_choice,
)
from workers.engines.sudoku.techniques.sets import mark_set
from workers.engines.sudoku.techniques.technique import UNFAIR, Technique

ALS_CHAIN = 307
MOST_LINKS = 50

TECHNIQUES = (
    Technique(
        name="als_xy_chain",
        title="Almost Locked Set XY-Chain",
        code="0903",
        order=5900,
        level=UNFAIR,
        score=340,
        finder=ALS_CHAIN,
        sentence="{title}: {parts}, each joined to the next: removes {eliminations}",
    ),
)

# A frame of the stack.
ENTRY, NEXT, ACTUAL = range(3)


@kernel
def find_als_chain(board: Board, marks: Marks, skip: int) -> bool:
    """Mark ALS-XY-Chain number `skip` in order of preference."""
    almost, links = marks.almost, marks.links
    list_als(board, almost)
    join_all(almost)
    start_choice(links, skip)
    for _ in range(max(skip, 1)):
        links.best = NONE
        tried = almost.touches = 0
        for als in range(almost.count):
            for entry in range(almost.entry_start[als], almost.entry_start[als + 1]):
                commons = almost.commons[entry]
                while commons:
                    tried = follow_chains(almost, links, als, entry, (commons & -commons, tried))
                    commons &= commons - 1
            forget(almost)
        if links.best == NONE:
            return False
        links.floor = links.best
    clear(marks)
    for digit in range(9):
        low, high = links.best_removed[digit, 0], links.best_removed[digit, 1]
        mark_set(marks, REMOVED, low, high, digit)
    for k in range(links.best_last + 1):
        mark_als(almost, marks, links.best_chain[k])
    return True


@kernel
def follow_chains(
    almost: Almost, links: Links, als: int, entry: int, begin: tuple[int, int]
) -> int:
    """Try all chains from `als` that begin with `entry`.

    `begin` holds the digit that joins the first pair, as a bit, and the number of chains tried
    before; returns that number at the end.
    """
    first, tried = begin
    column = 6 * lowest(first)
    stack = almost.stack
    stack[0, ENTRY], stack[0, ACTUAL] = entry, first
    stack[0, NEXT] = almost.entry_start[almost.second[entry]]
    depth = 0
    while depth >= 0:
        following = stack[depth, NEXT]
        here = almost.second[stack[depth, ENTRY]]
        if following == almost.entry_start[here + 1] or depth + 1 == MOST_LINKS:
            depth -= 1
            continue
        stack[depth, NEXT] += 1
        before = stack[depth, ACTUAL] & -stack[depth, ACTUAL]
        commons = almost.commons[following]
        actual = commons & ~before
        if actual == 0:
            continue
        kind = 4 if actual & (actual - 1) else 2 * int(actual != commons & -commons)
        state = 1 << (column + kind + int(depth > 0))
        if almost.met[following] & state:
            continue
        if almost.met[following] == 0:
            almost.touched[almost.touches] = following
            almost.touches += 1
        almost.met[following] |= state
        depth += 1
        end = almost.second[following]
        stack[depth, ENTRY], stack[depth, ACTUAL] = following, actual
        stack[depth, NEXT] = almost.entry_start[end]
        if depth > 1:
            digits = shared(almost, als, end, first | actual)
            if digits:
                tried += 1
                offer(almost, links, (als, end, digits), depth, tried)
    return int(tried)


@kernel
def offer(
    almost: Almost, links: Links, ends: tuple[int, int, int], depth: int, number: int
) -> None:
    """Keep the chain on the stack if it is the best one; `ends`: first, last, their digits."""
    one, other, digits = ends
    nothing_removed(links)
    while digits:
        digit = lowest(digits)
        digits &= digits - 1
        for half in range(2):
            both = almost.watchers[one, digit, half] & almost.watchers[other, digit, half]
            links.removed[digit, half] = both
    rank = rank_of(links, min(number, FIRST))
    if not promising(links, rank):
        return
    rank = final_rank(links, rank)
    if links.floor < rank < links.best:
        links.chain[0] = one
        for k in range(depth + 1):
            links.chain[k + 1] = almost.second[almost.stack[k, ENTRY]]
        links.last = depth + 1
        keep(links, rank, 0)


@kernel
def forget(almost: Almost) -> None:
    """Forget the states that were met."""
    for k in range(almost.touches):
        almost.met[almost.touched[k]] = 0
    almost.touches = 0
