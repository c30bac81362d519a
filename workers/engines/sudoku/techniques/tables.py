"""What follows from a proposition: all of it as a set, or breadth first with a chain to each.

`follow` answers for all premises at once which propositions can be reached at all; `spread`
builds the table of one premise, in which every proposition remembers the one that brought it in.
Tables are long and most of them hold nothing of interest, so the sets are asked first.
"""

from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import Board
from workers.engines.sudoku.links import SPAN, Links
from workers.engines.sudoku.techniques.nodes import link_nodes, name_nodes, same_state
from workers.engines.sudoku.techniques.sets import single


@kernel
def prepare(board: Board, links: Links, grouped: bool) -> None:
    """Set up nodes, implications and reach of the position, unless they are there already."""
    if same_state(board, links, grouped):
        return
    name_nodes(board, links, grouped)
    link_nodes(board, links)
    follow(links)
    note_bad(links)


@kernel
def follow(links: Links) -> None:
    """Find all that follows from each proposition: strongly connected parts, last ones first.

    Propositions that imply each other share a row, kept under their leader.
    """
    for proposition in range(2 * links.nodes):
        links.leader[proposition] = -1
        links.entered[proposition] = 0
    time = waiting = 0
    for root in range(2 * links.nodes):
        if links.entered[root]:
            continue
        depth = 0
        at = root
        while depth >= 0:
            if links.entered[at] == 0:
                time += 1
                links.entered[at] = links.lowlink[at] = time
                links.cursor[at] = links.edge_start[at]
                links.path[depth] = at
                links.waiting[waiting] = at
                waiting += 1
            if links.cursor[at] < links.edge_start[at + 1]:
                following = links.edges[links.cursor[at]]
                links.cursor[at] += 1
                if links.entered[following] == 0:
                    depth += 1
                    at = following
                elif links.leader[following] < 0:
                    links.lowlink[at] = min(links.lowlink[at], links.entered[following])
                continue
            if links.lowlink[at] == links.entered[at]:
                waiting = close_part(links, at, waiting)
            depth -= 1
            if depth >= 0:
                above = links.path[depth]
                links.lowlink[above] = min(links.lowlink[above], links.lowlink[at])
                at = above


@kernel
def close_part(links: Links, leader: int, waiting: int) -> int:
    """Make the row of the propositions waiting from `leader` on; returns how many wait still."""
    width = 2 * links.words
    row = leader * width
    for k in range(width):
        links.rows[row + k] = 0
    first = waiting - 1
    while links.waiting[first] != leader:
        first -= 1
    for k in range(first, waiting):
        member = links.waiting[k]
        links.leader[member] = leader
        index = place_in_row(links, member)
        links.rows[row + index // SPAN] |= 1 << (index % SPAN)
    for k in range(first, waiting):
        member = links.waiting[k]
        for edge in range(links.edge_start[member], links.edge_start[member + 1]):
            following = links.edges[edge]
            if not reaches(links, leader, following):
                other = links.leader[following] * width
                for word in range(width):
                    links.rows[row + word] |= links.rows[other + word]
    return int(first)


@kernel
def place_in_row(links: Links, proposition: int) -> int:
    """The bit of a proposition in a row: ON from word 0, OFF from word `words` on."""
    if proposition < links.nodes:
        return int(proposition)
    return int(proposition - links.nodes + SPAN * links.words)


@kernel
def reaches(links: Links, premise: int, proposition: int) -> bool:
    """Whether `proposition` follows from `premise` (each follows from itself)."""
    index = place_in_row(links, proposition)
    row = links.leader[premise] * 2 * links.words
    return bool((links.rows[row + index // SPAN] >> (index % SPAN)) & 1)


@kernel
def note_bad(links: Links) -> None:
    """Note the candidates that imply their own absence: all that any loop can eliminate."""
    for digit in range(9):
        links.bad[digit, 0] = links.bad[digit, 1] = 0
    links.bads = 0
    for node in range(links.candidates):
        if reaches(links, node, links.nodes + node):
            digit = links.candidate[node] % 9
            low, high = single(links.candidate[node] // 9)
            links.bad[digit, 0] |= low
            links.bad[digit, 1] |= high
            links.bads += 1


@kernel
def spread(links: Links, premise: int, wanted: int) -> None:
    """Build the table of `premise` as far as the first `wanted` of links.wanted are in it."""
    links.table += 1
    links.order[0] = premise
    links.position[premise] = 0
    links.stamp[premise] = links.table
    links.parent[premise] = -1
    for k in range(wanted):
        links.entered[links.wanted[k]] = -links.table
    missing = wanted
    head, tail = 0, 1
    while head < tail and missing:
        at = links.order[head]
        head += 1
        for edge in range(links.edge_start[at], links.edge_start[at + 1]):
            following = links.edges[edge]
            if links.stamp[following] != links.table:
                links.stamp[following] = links.table
                links.parent[following] = at
                links.position[following] = tail
                links.order[tail] = following
                tail += 1
                missing -= links.entered[following] == -links.table


@kernel
def trace(links: Links, proposition: int) -> None:
    """Write the chain from the premise of the table to `proposition` to links.chain."""
    last = 0
    at = proposition
    while links.parent[at] >= 0:
        at = links.parent[at]
        last += 1
    links.last = last
    at = proposition
    while last >= 0:
        links.chain[last] = at
        at = links.parent[at]
        last -= 1
