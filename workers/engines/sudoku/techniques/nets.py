"""Which conclusions need a net: some chain behind them has a proposition with two reasons.

Conclusions that single chains would prove do not count as nets. To tell, one table is unfolded:
all that its nodes bring in, at the least cost, and from where.
"""

from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import Board
from workers.engines.sudoku.techniques.conclusions import emptied
from workers.engines.sudoku.techniques.implications import follows, on
from workers.engines.sudoku.web import Web


@kernel
def unfold(web: Web, table: int) -> None:
    """Bring into `table` what its nodes have in their own tables."""
    for k in range(web.nodes):
        web.full_position[web.node[k]] = -1
    web.unfolded = 0
    for at in range(web.first_entry[table], web.last_entry[table]):
        enter(web, web.entry[at], web.cost[at], -1)
    j = 1
    while j < web.unfolded:
        node, cost = web.full_entry[j], web.full_cost[j]
        for at in range(web.first_entry[node] + 1, web.last_entry[node]):
            enter(web, web.entry[at], cost + web.cost[at], node)
        j += 1


@kernel
def enter(web: Web, node: int, cost: int, source: int) -> None:
    """Enter `node`, or lower the cost of an entry that came from elsewhere."""
    at = web.full_position[node]
    if at < 0:
        at = web.unfolded
        web.unfolded += 1
        web.full_position[node] = at
        web.full_entry[at] = node
    elif web.source[at] < 0 or web.full_cost[at] <= cost:
        return
    web.full_cost[at] = cost
    web.source[at] = source


@kernel
def is_net(web: Web, table: int, node: int) -> bool:
    """Whether the chain from the unfolded `table` to `node` has an entry with two reasons."""
    at = int(web.full_position[node])
    while at > 0:
        node = web.full_entry[at]
        source = web.source[at]
        if source < 0:
            reasons = web.first_entry[table] + at
            at = furthest_reason(web, reasons)
        else:
            start = web.first_entry[source]
            own = start
            while web.entry[own] != node:
                own += 1
            while own > start:
                reason = furthest_reason(web, own)
                if reason < 0:
                    return True
                own = start + reason
            at = int(web.full_position[source])
    return at < 0


@kernel
def furthest_reason(web: Web, at: int) -> int:
    """The highest reason of the entry at `at`; -1 when it has two or more."""
    count = best = 0
    for k in range(web.reasons.shape[1]):
        reason = web.reasons[at, k]
        if reason:
            count += 1
            best = max(best, int(reason))
    return -1 if count > 1 else best


@kernel
def needs_net(board: Board, web: Web, node: int) -> bool:
    """Whether a net proves conclusion `node`, by contradiction or in every case."""
    half = 64 * web.span
    opposite = node + half if node < half else node - half
    if contradiction_by_net(board, web, opposite):
        return True
    cell = web.candidate[node % half] // 9
    for k in range(web.candidates):
        if web.candidate[k] // 9 != cell and follows(web, k, node) and follows(web, half + k, node):
            for table in (k, half + k):
                unfold(web, table)
                if is_net(web, table, node):
                    return True
    for k in range(web.sets):
        always = True
        for m in range(web.first_member[k], web.first_member[k + 1]):
            always = always and follows(web, web.member[m], node)
        for m in range(web.first_member[k], web.first_member[k + 1]):
            if always:
                unfold(web, web.member[m])
                if is_net(web, web.member[m], node):
                    return True
    return False


@kernel
def contradiction_by_net(board: Board, web: Web, table: int) -> bool:
    """Whether a net leads from premise `table` to something impossible."""
    unfold(web, table)
    half = 64 * web.span
    opposite = table + half if table < half else table - half
    if follows(web, table, opposite) and is_net(web, table, opposite):
        return True
    if doubt_by_net(web, table) or crowd_by_net(board, web, table):
        return True
    for k in range(web.sets):
        if not web.whole[k] or not emptied(web, table, k):
            continue
        first, last = web.first_member[k], web.first_member[k + 1]
        if k < web.cells and any_follows(web, table, first, last):
            continue
        for m in range(first, last):
            if is_net(web, table, half + web.member[m]):
                return True
    return False


@kernel
def any_follows(web: Web, table: int, first: int, last: int) -> bool:
    """Whether one of some members is there."""
    for m in range(first, last):
        if follows(web, table, web.member[m]):
            return True
    return False


@kernel
def doubt_by_net(web: Web, table: int) -> bool:
    """A candidate there and not there, by a net: of each digit the lowest cell only."""
    seen = 0
    for k in range(web.candidates):
        digit = web.candidate[k] % 9
        if (seen >> digit) & 1:
            continue
        gone = 64 * web.span + k
        if follows(web, table, k) and follows(web, table, gone):
            seen |= 1 << digit
            if is_net(web, table, k) or is_net(web, table, gone):
                return True
    return False


@kernel
def crowd_by_net(board: Board, web: Web, table: int) -> bool:
    """Two digits in a cell (per pair the lowest cell only), or one twice in a unit, by a net."""
    for first in range(9):
        for second in range(first + 1, 9):
            for cell in range(81):
                mask = board.cells[cell]
                if not ((mask >> first) & (mask >> second) & 1):
                    continue
                one, other = on(web, 9 * cell + first), on(web, 9 * cell + second)
                if follows(web, table, one) and follows(web, table, other):
                    if is_net(web, table, one) or is_net(web, table, other):
                        return True
                    break
    for k in range(web.cells, web.sets):
        count = 0
        net = False
        for m in range(web.first_member[k], web.first_member[k + 1]):
            node = web.member[m]
            if follows(web, table, node):
                count += 1
                net = net or is_net(web, table, node)
        if count > 1 and net:
            return True
    return False
