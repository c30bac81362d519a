"""Whether a table reaches a proposition by a net: some entry on the way has two reasons.

To tell, the table is unfolded: all that its nodes bring in, at the least cost, and from where.
"""

from workers.engines.machine.kernel import kernel
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
