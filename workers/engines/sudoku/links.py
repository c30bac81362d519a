"""Workspace of chains and almost locked sets: what is linked to what on one position.

Legend, used by the kernels of techniques/ that build chains:
    node         0..n-1: a candidate of the position, ascending by 9 * cell + digit, then groups
    group        two or three places of a digit in the crossing of a line and a box, as one node
    proposition  a node is ON (there): its number; or OFF (not there): its number + nodes
    ALS          cells of one unit with one digit more than cells
    RC           restricted common: a digit that only one of two ALS can hold

A set of cells is two words as in techniques/sets.py; other bit sets have 62 bits a word, so that
they stay positive. The long fields cost no memory until they are written.
"""

from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

MOST_GROUPS: Final = 486
MOST_NODES: Final = 729 + MOST_GROUPS
MOST_EDGES: Final = 1 << 17
SPAN: Final = 62
"""Bits of a word."""
MOST_ALS: Final = 4096
"""On real positions a few hundred; further ones are left out."""
MOST_COMMONS: Final = 1 << 19
CHAIN_LINKS: Final = 20
"""X-chains and XY-chains have at most that many nodes, the first one included."""

_P: Final = 2 * MOST_NODES
_ALS_WORDS: Final = MOST_ALS // SPAN + 1


class Links(Protocol):
    """A record of LINKS."""

    # The position these are the links of.
    state: Integers  # (81,) its masks of candidates
    grouped: int  # 1 with groups
    # Nodes.
    nodes: int
    candidates: int  # nodes that are no groups
    words: int  # of a bit set of nodes
    number: Integers  # (729,) node of a candidate; stale where there is none
    candidate: Integers  # (MOST_NODES,) candidate of a node; of a group: its first cell's
    extent: Integers  # (MOST_NODES, 2) set of the node's cells
    sight: Integers  # (MOST_NODES, 2) cells that see all of them
    line: Integers  # (MOST_NODES,) of a group: the row or column unit
    box: Integers  # (MOST_NODES,) of a group: the box unit
    first_group: Integers  # (10,) where the groups of each digit begin in `groups`
    groups: Integers  # (MOST_GROUPS,) all groups by digit, in order
    admitting: Integers  # (9, 2) set of the places of each digit
    # What follows at once from a proposition, in order.
    edge_start: Integers  # (2 * MOST_NODES + 1,)
    edges: Integers  # (MOST_EDGES,) propositions
    # What follows at all.
    leader: Integers  # (2 * MOST_NODES,) the proposition whose row holds it; -1 while open
    rows: Integers  # (2 * MOST_NODES * 40,) by leader 2 * words each: what is ON, what is OFF
    entered: Integers  # (2 * MOST_NODES,) workspace of the closure
    lowlink: Integers  # (2 * MOST_NODES,)
    cursor: Integers  # (2 * MOST_NODES,)
    path: Integers  # (2 * MOST_NODES,)
    waiting: Integers  # (2 * MOST_NODES,)
    bad: Integers  # (9, 2) candidates that imply their own absence
    bads: int  # how many
    # One table: what follows from a premise, breadth first.
    order: Integers  # (2 * MOST_NODES,) propositions as they came in
    parent: Integers  # (2 * MOST_NODES,) what brought a proposition in
    position: Integers  # (2 * MOST_NODES,) where in the table it is
    stamp: Integers  # (2 * MOST_NODES,) the table that it was last in
    table: int  # number of the table
    wanted: Integers  # (729,) propositions whose chains are looked at
    # A chain, and the best one so far.
    chain: Integers  # (2 * MOST_NODES,) propositions from the premise on
    last: int  # index of the last one
    removed: Integers  # (9, 2) what it eliminates, by digit
    best_chain: Integers  # (2 * MOST_NODES,)
    best_last: int
    best_removed: Integers  # (9, 2)
    best_form: int
    best: int  # rank of the best one: smaller is better
    floor: int  # ranks up to this one were given out already
    listing: int  # 1: all outcomes are wanted, each once
    # Chains of one digit or of cells with two candidates.
    strong: Integers  # (729, 2) cells strongly linked to a candidate
    usable: Integers  # (9, 2) places of each digit that a chain may use
    reached: Integers  # (2, 9, 2) places a walk came to by a strong link, by a weak one
    distance: Integers  # (729, 2) the shortest such walk, where there is one
    targets: Integers  # (2,) set of the cells where the chain may end
    visits: int  # chain nodes that were tried
    options: Integers  # (CHAIN_LINKS, 20) where to go on from each chain node
    option_count: Integers  # (CHAIN_LINKS,)
    option: Integers  # (CHAIN_LINKS,) the next one to try


_SCALARS = ("grouped", "nodes", "candidates", "words", "bads", "table", "last", "visits")
_BEST = ("best_last", "best_form", "best", "floor", "listing")
_SHAPES: dict[str, Any] = {
    "state": 81,
    "number": 729,
    "candidate": MOST_NODES,
    "extent": (MOST_NODES, 2),
    "sight": (MOST_NODES, 2),
    "line": MOST_NODES,
    "box": MOST_NODES,
    "first_group": 10,
    "groups": MOST_GROUPS,
    "admitting": (9, 2),
    "edge_start": _P + 1,
    "edges": MOST_EDGES,
    "leader": _P,
    "rows": _P * 40,
    "entered": _P,
    "lowlink": _P,
    "cursor": _P,
    "path": _P,
    "waiting": _P,
    "bad": (9, 2),
    "order": _P,
    "parent": _P,
    "position": _P,
    "stamp": _P,
    "wanted": 729,
    "chain": _P,
    "removed": (9, 2),
    "best_chain": _P,
    "best_removed": (9, 2),
    "strong": (729, 2),
    "usable": (9, 2),
    "reached": (2, 9, 2),
    "distance": (729, 2),
    "targets": 2,
    "options": (CHAIN_LINKS, 20),
    "option_count": CHAIN_LINKS,
    "option": CHAIN_LINKS,
}

LINKS: Final = np.dtype(
    [(name, np.int64) for name in (*_SCALARS, *_BEST)]
    + [(name, np.int64, shape) for name, shape in _SHAPES.items()],
    align=True,
)


class Almost(Protocol):
    """The almost locked sets of a position; a record of ALMOST."""

    state: Integers  # (81,) masks of candidates of the position
    count: int
    words: int  # of a bit set of ALS
    paired: int  # so many ALS have partners
    cells: Integers  # (MOST_ALS, 2) set of cells
    digits: Integers  # (MOST_ALS,)
    places: Integers  # (MOST_ALS, 9, 2) its cells that hold the digit
    sight: Integers  # (MOST_ALS, 9, 2) all cells that see all of these
    watchers: Integers  # (MOST_ALS, 9, 2) of them those that hold the digit
    admitting: Integers  # (9, 2) set of the places of each digit
    # Bit sets of ALS, one after the other.
    having: Integers  # (729 * words,) ALS that hold a digit in a cell, by candidate
    covering: Integers  # (81 * words,) ALS that a cell is in
    holders: Integers  # (9 * words,) ALS with a digit
    watched: Integers  # (729 * words,) ALS that a candidate watches
    linked: Integers  # (MOST_ALS * words,) ALS with a restricted common, either way
    partners: Integers  # (MOST_ALS * words,) apart from it, with a common watcher
    row: Integers  # (10 * words,) workspace
    # Restricted commons, by their first ALS.
    joined: int  # so many ALS have theirs listed
    entry_start: Integers  # (MOST_ALS + 1,)
    second: Integers  # (MOST_COMMONS,) the other ALS, ascending
    commons: Integers  # (MOST_COMMONS,) mask of the one or two RC digits
    # Depth-first searches.
    met: Integers  # (MOST_COMMONS,) states that were seen
    touched: Integers  # (MOST_COMMONS,) the entries that have any
    touches: int  # how many
    stack: Integers  # (64, 6)


_ALS_SHAPES: dict[str, Any] = {
    "state": 81,
    "cells": (MOST_ALS, 2),
    "digits": MOST_ALS,
    "places": (MOST_ALS, 9, 2),
    "sight": (MOST_ALS, 9, 2),
    "watchers": (MOST_ALS, 9, 2),
    "admitting": (9, 2),
    "having": 729 * _ALS_WORDS,
    "covering": 81 * _ALS_WORDS,
    "holders": 9 * _ALS_WORDS,
    "watched": 729 * _ALS_WORDS,
    "linked": MOST_ALS * _ALS_WORDS,
    "partners": MOST_ALS * _ALS_WORDS,
    "row": 10 * _ALS_WORDS,
    "entry_start": MOST_ALS + 1,
    "second": MOST_COMMONS,
    "commons": MOST_COMMONS,
    "met": MOST_COMMONS,
    "touched": MOST_COMMONS,
    "stack": (64, 6),
}

ALMOST: Final = np.dtype(
    [(name, np.int64) for name in ("count", "words", "paired", "joined", "touches")]
    + [(name, np.int64, shape) for name, shape in _ALS_SHAPES.items()],
    align=True,
)
