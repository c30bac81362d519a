"""Nice loops and AICs: one search over the tables of all candidates, with or without groups.

From ON or OFF of a candidate the shortest chains go to other candidates of its cell (loops) or
of other cells (AICs). Of all steps the one that removes most is taken, then the lightest
(sets.weigh), then the first: loops from ON, loops from OFF, AICs; premises ascending; entries of
a table as they came in.

Whatever a loop removes implies its own absence, so the search looks at nothing else: without
such a candidate there is no step, and a table is built only for an outcome that would be better
than the best so far.
"""

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import (
    CHAIN,
    CHAIN_BASE,
    REMOVED,
    Board,
    Marks,
    clear,
    mark,
)
from workers.engines.sudoku.links import Links
from workers.engines.sudoku.techniques.choice import (
    NONE,
    final_rank,
    keep,
    nothing_removed,
    promising,
    rank_of,
    start_choice,
)
from workers.engines.sudoku.techniques.sets import LOW, mark_set, single, size_of
from workers.engines.sudoku.techniques.tables import prepare, reaches, spread, trace
from workers.engines.sudoku.techniques.technique import UNFAIR, Form, Technique

LOOP, GROUPED_LOOP = 302, 303

_SENTENCE = "{title} {chain}: removes {eliminations}"

CONTINUOUS, DISCONTINUOUS, AIC = range(3)

TECHNIQUES = (
    Technique(
        name="nice_loop",
        title="Nice Loop/AIC",
        code="0706",
        order=5600,
        level=UNFAIR,
        score=280,
        finder=LOOP,
        forms=(
            Form("Continuous Nice Loop", "0706"),
            Form("Discontinuous Nice Loop", "0707"),
            Form("AIC", "0708"),
        ),
        sentence=_SENTENCE,
    ),
    Technique(
        name="grouped_nice_loop",
        title="Grouped Nice Loop/AIC",
        code="0709",
        order=5650,
        level=UNFAIR,
        score=300,
        finder=GROUPED_LOOP,
        forms=(
            Form("Grouped Continuous Nice Loop", "0709"),
            Form("Grouped Discontinuous Nice Loop", "0710"),
            Form("Grouped AIC", "0711"),
        ),
        sentence=_SENTENCE,
    ),
)

POSITION = (1 << 12) - 1
"""The bits of a rank that hold the position in a table."""
LATER = 1 << 22
"""Loops from OFF come after loops from ON, AICs after both."""


@kernel
def find_loop(board: Board, marks: Marks, grouped: bool, skip: int) -> bool:
    """Mark loop or AIC number `skip` in order of preference."""
    links = marks.links
    prepare(board, links, grouped)
    start_choice(links, skip)
    for _ in range(max(skip, 1)):
        links.best = NONE
        if links.bads:
            for node in range(links.candidates):
                try_off(board, links, node)
            for node in range(links.candidates):
                try_on(board, links, node)
        if links.best == NONE:
            return False
        links.floor = links.best
    mark_best(links, marks)
    return True


@kernel
def try_on(board: Board, links: Links, node: int) -> None:
    """Loops that refute a candidate: its own opposite or another digit of its cell follows."""
    opposite = links.nodes + node
    if not reaches(links, node, opposite):
        return
    nothing_removed(links)
    cell, digit = links.candidate[node] // 9, links.candidate[node] % 9
    remove_digits(links, cell, 1 << digit)
    rank = rank_of(links, node << 12)
    if not promising(links, rank):
        return
    links.wanted[0] = opposite
    wanted = 1
    others = board.cells[cell] & ~(1 << digit)
    while others:
        other = links.number[9 * cell + lowest(others)]
        others &= others - 1
        if reaches(links, node, other):
            links.wanted[wanted] = other
            wanted += 1
    spread(links, node, wanted)
    for k in range(wanted):
        offer(links, links.wanted[k], DISCONTINUOUS, rank)


@kernel
def try_off(board: Board, links: Links, node: int) -> None:
    """Loops and AICs from the absence of a candidate."""
    wanted = list_loops(board, links, node)
    wanted = list_aics(board, links, node, wanted)
    if wanted == 0:
        return
    premise = links.nodes + node
    spread(links, premise, wanted)
    for k in range(wanted):
        proposition = links.wanted[k]
        rank = outcome(board, links, node, proposition)
        if rank >= 0:
            in_cell = same_cell(links, node, proposition)
            offer(links, proposition, DISCONTINUOUS if in_cell else AIC, rank)
            continue
        trace(links, proposition)
        if is_loop(links) and not is_lasso(links, links.candidate[node] // 9):
            go_round(board, links, node, proposition)
            offer(links, proposition, CONTINUOUS, rank_of(links, LATER | node << 12))


@kernel
def same_cell(links: Links, node: int, proposition: int) -> bool:
    """Whether a proposition is about the cell of `node`."""
    other = links.candidate[proposition % links.nodes]
    return bool(other // 9 == links.candidate[node] // 9)


@kernel
def list_loops(board: Board, links: Links, node: int) -> int:
    """List in links.wanted what follows from OFF of `node` in its cell and is worth a look."""
    premise = links.nodes + node
    cell = links.candidate[node] // 9
    wanted = 0
    digits = board.cells[cell]
    two = popcount(digits) == 2
    while digits:
        other = links.number[9 * cell + lowest(digits)]
        digits &= digits - 1
        for proposition in (other, links.nodes + other):
            if proposition == premise or not reaches(links, premise, proposition):
                continue
            if proposition < links.nodes and other != node and two:
                continue
            rank = outcome(board, links, node, proposition)
            if rank < 0:
                worth = max(127 - links.bads, 0) << 51 < links.best
            else:
                worth = promising(links, rank)
            if worth:
                links.wanted[wanted] = proposition
                wanted += 1
    return wanted


@kernel
def list_aics(board: Board, links: Links, node: int, wanted: int) -> int:
    """Add what follows from OFF of `node` in other cells and is worth a look."""
    premise = links.nodes + node
    cell, digit = links.candidate[node] // 9, links.candidate[node] % 9
    bad_low = links.bad[digit, 0] & links.sight[node, 0]
    bad_high = links.bad[digit, 1] & links.sight[node, 1]
    if size_of(bad_low, bad_high) >= 2:
        for half in range(2):
            word = links.admitting[digit, half]
            while word:
                end = links.number[9 * (half * LOW + lowest(word)) + digit]
                word &= word - 1
                low, high = bad_low & links.sight[end, 0], bad_high & links.sight[end, 1]
                if size_of(low, high) >= 2 and end != node:
                    wanted = want_aic(board, links, node, end, wanted)
    digits = board.cells[cell] & ~(1 << digit)
    while digits:
        other = lowest(digits)
        digits &= digits - 1
        if not reaches(
            links, links.number[9 * cell + other], premise - node + links.number[9 * cell + other]
        ):
            continue
        for half in range(2):
            word = bad_high if half else bad_low
            word &= links.admitting[other, half]
            while word:
                end = links.number[9 * (half * LOW + lowest(word)) + other]
                word &= word - 1
                wanted = want_aic(board, links, node, end, wanted)
    return wanted


@kernel
def want_aic(board: Board, links: Links, node: int, end: int, wanted: int) -> int:
    """Add ON of `end` unless it is out of reach, one link away, or not better than the best."""
    premise = links.nodes + node
    if not reaches(links, premise, end):
        return wanted
    for edge in range(links.edge_start[premise], links.edge_start[premise + 1]):
        if links.edges[edge] == end:
            return wanted
    if promising(links, outcome(board, links, node, end)):
        links.wanted[wanted] = end
        wanted += 1
    return wanted


@kernel
def outcome(board: Board, links: Links, node: int, proposition: int) -> int:
    """Set links.removed to what a chain from OFF of `node` to `proposition` removes; its rank.

    -1 for a continuous loop, where the whole chain decides.
    """
    nothing_removed(links)
    cell, digit = links.candidate[node] // 9, links.candidate[node] % 9
    end = proposition % links.nodes
    other, last_digit = links.candidate[end] // 9, links.candidate[end] % 9
    if other == cell:
        if last_digit == digit:
            remove_digits(links, cell, board.cells[cell] & ~(1 << digit))
        elif proposition >= links.nodes:
            remove_digits(links, cell, 1 << last_digit)
        else:
            return -1
        return rank_of(links, LATER | node << 12)
    if last_digit == digit:
        for half in range(2):
            both = links.sight[node, half] & links.sight[end, half]
            links.removed[digit, half] = links.admitting[digit, half] & both
    else:
        remove_digits(links, cell, 1 << last_digit)
        remove_digits(links, other, 1 << digit)
    return rank_of(links, 2 * LATER | node << 12)


@kernel
def remove_digits(links: Links, cell: int, digits: int) -> None:
    """Add candidates of one cell to links.removed."""
    low, high = single(cell)
    while digits:
        digit = lowest(digits)
        digits &= digits - 1
        links.removed[digit, 0] |= low
        links.removed[digit, 1] |= high


@kernel
def offer(links: Links, proposition: int, form: int, rank: int) -> None:
    """Keep the chain to `proposition` with what links.removed says, if it is valid and best."""
    rank = final_rank(links, rank | links.position[proposition])
    if not links.floor < rank < links.best:
        return
    trace(links, proposition)
    if form == AIC:
        if is_lasso(links, -1):
            return
    elif not is_loop(links) or is_lasso(links, first_cell(links, 0)):
        return
    keep(links, rank, form)


@kernel
def first_cell(links: Links, k: int) -> int:
    """The first cell of chain node `k`."""
    return int(links.candidate[links.chain[k] % links.nodes] // 9)


@kernel
def is_loop(links: Links) -> bool:
    """Whether the first and the last link of the chain leave the cell."""
    last = links.last
    return bool(
        first_cell(links, 0) != first_cell(links, 1)
        and first_cell(links, last - 1) != first_cell(links, last)
    )


@kernel
def is_lasso(links: Links, home: int) -> bool:
    """Whether the chain comes back to a cell, its neighbour nodes and cell `home` aside."""
    low = high = 0
    for k in range(links.last + 1):
        one_low, one_high = single(first_cell(links, k))
        if low & one_low | high & one_high:
            return True
        if k and first_cell(links, k - 1) != home:
            node = links.chain[k - 1] % links.nodes
            low |= links.extent[node, 0]
            high |= links.extent[node, 1]
    return False


@kernel
def go_round(board: Board, links: Links, node: int, proposition: int) -> None:
    """Set links.removed to what a continuous loop removes."""
    nothing_removed(links)
    cell, digit = links.candidate[node] // 9, links.candidate[node] % 9
    last_digit = links.candidate[proposition] % 9
    remove_digits(links, cell, board.cells[cell] & ~(1 << digit | 1 << last_digit))
    low = high = 0
    for k in range(links.last):
        at = links.chain[k] % links.nodes
        low |= links.extent[at, 0]
        high |= links.extent[at, 1]
    for k in range(1, links.last):
        at, before = links.chain[k], links.chain[k - 1] % links.nodes
        here = first_cell(links, k)
        if first_cell(links, k - 1) == here:
            continue
        if at >= links.nodes:
            at -= links.nodes
            digit = links.candidate[at] % 9
            sight_low = links.sight[before, 0] & links.sight[at, 0] & ~low
            sight_high = links.sight[before, 1] & links.sight[at, 1] & ~high
            links.removed[digit, 0] |= links.admitting[digit, 0] & sight_low
            links.removed[digit, 1] |= links.admitting[digit, 1] & sight_high
        elif k + 2 <= links.last and first_cell(links, k + 1) == here != first_cell(links, k + 2):
            kept = 1 << (links.candidate[at] % 9)
            kept |= 1 << (links.candidate[links.chain[k + 2] % links.nodes] % 9)
            remove_digits(links, here, board.cells[here] & ~kept)


@kernel
def mark_best(links: Links, marks: Marks) -> None:
    """Mark the best chain and what it removes, by digit and cell."""
    clear(marks)
    marks.form = links.best_form
    for digit in range(9):
        low, high = links.best_removed[digit, 0], links.best_removed[digit, 1]
        mark_set(marks, REMOVED, low, high, digit)
    for k in range(links.best_last + 1):
        proposition = links.best_chain[k]
        node = proposition % links.nodes
        code = 0
        for half in (1, 0):
            word = links.extent[node, half]
            places = 1
            part = 0
            while word:
                part += places * (half * LOW + lowest(word) + 1)
                places *= CHAIN_BASE
                word &= word - 1
            code = code * places + part
        on = 1 if proposition < links.nodes else 0
        mark(marks, CHAIN, 2 * (links.candidate[node] % 9 + 9 * code) + on)
