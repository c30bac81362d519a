"""Close the rows of a web: whatever follows from what follows, follows.

Depth first (Tarjan's strongly connected components, 1972): nodes that lead to each other get one
row, after the rows of all that they lead to are closed.
"""

from typing import Final

import numpy as np

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.techniques.implications import NONE, ONE
from workers.engines.sudoku.web import MOST_NODES, Web

CLOSED: Final = MOST_NODES + 1
"""In `met`: the row is closed, the node not on the path any more."""


@kernel
def close(web: Web) -> None:
    """Replace the direct links in the rows by all that follows."""
    for k in range(web.nodes):
        web.met[web.node[k]] = 0
    for k in range(web.nodes):
        if web.met[web.node[k]] == 0:
            close_from(web, web.node[k])


@kernel
def close_from(web: Web, root: int) -> None:
    """Close the rows of `root` and of all that it leads to."""
    clock, tail, depth = 1, 1, 0
    web.path[0] = root
    enter_frame(web, 0, root, clock)
    while depth >= 0:
        node = web.frame[depth]
        other = next_link(web, depth)
        if other >= 0:
            if web.met[other] == 0:
                clock += 1
                depth += 1
                web.path[tail] = other
                tail += 1
                enter_frame(web, depth, other, clock)
            elif web.met[other] < web.lowest[node]:
                web.lowest[node] = web.met[other]
            continue
        if web.lowest[node] == web.met[node]:
            tail = close_component(web, node, tail)
        depth -= 1
        if depth >= 0 and web.lowest[node] < web.lowest[web.frame[depth]]:
            web.lowest[web.frame[depth]] = web.lowest[node]


@kernel
def enter_frame(web: Web, depth: int, node: int, clock: int) -> None:
    """Begin to look at `node`."""
    web.frame[depth] = node
    web.met[node] = web.lowest[node] = clock
    web.word[depth] = 0
    web.left[depth] = NONE


@kernel
def next_link(web: Web, depth: int) -> int:
    """The next node in the row of the frame's node, or -1."""
    start = web.frame[depth] * web.length
    while web.left[depth] == NONE:
        if web.word[depth] == web.length:
            return -1
        web.left[depth] = web.rows[start + web.word[depth]]
        web.word[depth] += 1
    left = web.left[depth]
    web.left[depth] = left & (left - ONE)
    return 64 * (int(web.word[depth]) - 1) + lowest(left)


@kernel
def close_component(web: Web, root: int, tail: int) -> int:
    """Close the rows of the nodes at the end of the path, from `root` on; return its new length."""
    first = tail - 1
    while web.path[first] != root:
        first -= 1
    length = web.length
    for w in range(length):
        web.closed[w] = NONE
    for k in range(first, tail):
        node = web.path[k]
        web.closed[node >> 6] |= ONE << np.uint64(node & 63)
    for k in range(first, tail):
        start = web.path[k] * length
        for word in range(length):
            # What is closed already brings nothing new.
            left = web.rows[start + word] & ~web.closed[word]
            while left:
                other = (64 * word + lowest(left)) * length
                for w in range(length):
                    web.closed[w] |= web.rows[other + w]
                left &= ~web.closed[word]
    for k in range(first, tail):
        node = web.path[k]
        web.met[node] = CLOSED
        for w in range(length):
            web.rows[node * length + w] = web.closed[w]
    return first
