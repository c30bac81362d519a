"""The choice among several steps of one search, for chains that are collected and compared.

A rank is one number, smaller is better: first more eliminations, then less weight (sets.weigh),
then what was found first. To list all steps, outcomes are told apart by their hash instead.
"""

from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.links import Links
from workers.engines.sudoku.techniques.sets import size_of, weigh

NONE = 1 << 60
"""Ranks are smaller."""
FIRST = (1 << 24) - 1
"""The bits of a rank that say which came first."""


@kernel
def start_choice(links: Links, skip: int) -> None:
    """Begin the choice of the preferred step, or for `skip` > 0 a listing of all."""
    links.best = NONE
    links.floor = -1
    links.listing = int(skip > 0)


@kernel
def nothing_removed(links: Links) -> None:
    """Empty links.removed."""
    for digit in range(9):
        links.removed[digit, 0] = links.removed[digit, 1] = 0


@kernel
def rank_of(links: Links, first: int) -> int:
    """The rank of links.removed when it was found as number `first`."""
    count = weight = 0
    for digit in range(9):
        low, high = links.removed[digit, 0], links.removed[digit, 1]
        weight += weigh(low, high, digit, count)
        count += size_of(low, high)
    if count == 0:
        return NONE
    return int(((127 - min(count, 127)) << 27 | weight) << 24 | first)


@kernel
def promising(links: Links, rank: int) -> bool:
    """Whether a step of this rank, were it found first, would be the best one."""
    return bool(rank < links.best and rank | FIRST > links.floor)


@kernel
def final_rank(links: Links, rank: int) -> int:
    """The rank to compare: `rank` itself, or in a listing with a hash of links.removed."""
    if not links.listing:
        return rank
    mixed = 0
    for digit in range(9):
        for half in range(2):
            mixed = (mixed * 1000003 + links.removed[digit, half] % 999983) & FIRST
    return int((rank & ~FIRST) | mixed)


@kernel
def keep(links: Links, rank: int, form: int) -> None:
    """Make the chain in links.chain with what links.removed says the best one."""
    links.best = rank
    links.best_form = form
    links.best_last = links.last
    for k in range(links.last + 1):
        links.best_chain[k] = links.chain[k]
    for digit in range(9):
        links.best_removed[digit, 0] = links.removed[digit, 0]
        links.best_removed[digit, 1] = links.removed[digit, 1]
