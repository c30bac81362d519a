"""Workspace for following what a candidate implies: propositions, what each yields, queues.

Legend, used by the kernels of techniques/ that follow implications:
    id        0..n-1: a candidate of the position, ascending by 9 * cell + digit
    group     two or three places of a digit in the crossing of a line and a box: all of them
    node      a proposition: a candidate or a group is ON (there) or OFF (not there)
    row       the nodes that follow from a node, itself included, as bits
    table     the row of a candidate's node, and in what order and why its nodes came

Nodes are numbered so that ON and OFF of candidates, ON and OFF of groups begin at whole words.
"""

from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Short = NDArray[np.int16]
Words = NDArray[np.uint64]

MOST_GROUPS: Final = 486
MOST_NODES: Final = 64 * 40
MOST_SETS: Final = 81 + 243
MOST_ENTRIES: Final = 400_000
REASONS: Final = 5
"""So many reasons of a proposition are kept."""


class Web(Protocol):
    """A record of WEB; `number` of techniques/implications.py sets it up for a position."""

    candidates: int  # how many ids
    groups: int
    span: int  # words for the ids
    group_span: int  # words for the groups
    length: int  # words of a row
    ids: Integers  # (729,) id of a candidate; stale where there is none
    candidate: Integers  # (729,) candidate of an id
    first_group: Integers  # (10,) groups of digit d are first_group[d] .. first_group[d + 1] - 1
    group: Integers  # (MOST_GROUPS, 4) line unit, box unit, positions in the line, in the box
    sets: int  # cells and units that must have one of their candidates
    cells: int  # how many of them are cells; these come first
    first_member: Integers  # (MOST_SETS + 1,)
    member: Integers  # (4 * 729,) ids
    whole: Integers  # (MOST_SETS,) 1 unless a place of the digit was eliminated from the unit
    nodes: int
    node: Integers  # (MOST_NODES,) the nodes in use
    rows: Words  # (MOST_NODES * 40,) row after row, `length` words each
    links: Words  # rows of direct links only, kept to tell lengths
    distance: Integers  # (MOST_NODES,) links to a node from the one measured from; -1: none
    # Nodes that lead to each other have one row; they are found depth first.
    met: Integers  # (MOST_NODES,) when a node was met, 0: not yet
    lowest: Integers  # (MOST_NODES,) the earliest node on the path that a node leads back to
    path: Integers  # (MOST_NODES,) nodes whose row is not closed yet, as they were met
    frame: Integers  # (MOST_NODES,) nodes being looked at, each led to by the one before
    word: Integers  # (MOST_NODES,) which word of its row comes next, by frame
    left: Words  # (MOST_NODES,) what is left to look at of the word before that, by frame
    closed: Words  # (40,) the row of the nodes at work
    common: Words  # (24,) what several rows share
    placed: Words  # (12,) ids that some argument proves
    removed: Words  # (12,) ids that some argument refutes
    # A small simulation: what a premise leads to by singles.
    recording: int  # 1: tables keep entries with reasons
    values: Integers  # (81,) digit 1-9 or 0
    masks: Integers  # (81,) candidates
    counts: Integers  # (27, 9) places by unit and digit, as counted
    start_counts: Integers  # (27, 9) of the position
    naked: Integers  # (81,) queue of candidates
    hidden: Integers  # (243,) queue of candidates, -1 where taken out
    naked_tail: int
    hidden_tail: int
    single: Integers  # (324,) candidates to record; negative - 1: a hidden one
    listed: Integers  # (81,) turn in which the cell was last listed
    turn: int  # counts the rounds of all trials
    # Entries of all tables, table after table.
    entries: int
    first_entry: Integers  # (MOST_NODES,)
    last_entry: Integers  # (MOST_NODES,) one past
    entry: Short  # (MOST_ENTRIES,) node
    cost: Short  # (MOST_ENTRIES,)
    reasons: Short  # (MOST_ENTRIES, REASONS) positions in the table, 0: the premise, or none
    pending: Integers  # (REASONS,) reasons of the entry to come
    position: Integers  # (MOST_NODES,) where in the table at work a node is
    # One table with all that its nodes bring in.
    unfolded: int
    full_entry: Integers  # (MOST_NODES,)
    full_cost: Integers  # (MOST_NODES,)
    source: Integers  # (MOST_NODES,) node whose table brought the entry in, -1: its own
    full_position: Integers  # (MOST_NODES,) of a node, -1 where it is not in the table


_SCALARS = ("candidates", "groups", "span", "group_span", "length", "sets", "cells", "nodes",
            "recording", "naked_tail", "hidden_tail", "turn", "entries", "unfolded")  # fmt: skip
_INTEGERS: dict[str, Any] = {
    "ids": 729,
    "candidate": 729,
    "first_group": 10,
    "group": (MOST_GROUPS, 4),
    "first_member": MOST_SETS + 1,
    "member": 4 * 729,
    "whole": MOST_SETS,
    "node": MOST_NODES,
    "distance": MOST_NODES,
    "met": MOST_NODES,
    "lowest": MOST_NODES,
    "path": MOST_NODES,
    "frame": MOST_NODES,
    "word": MOST_NODES,
    "values": 81,
    "masks": 81,
    "counts": (27, 9),
    "start_counts": (27, 9),
    "naked": 81,
    "hidden": 243,
    "single": 324,
    "listed": 81,
    "first_entry": MOST_NODES,
    "last_entry": MOST_NODES,
    "pending": REASONS,
    "position": MOST_NODES,
    "full_entry": MOST_NODES,
    "full_cost": MOST_NODES,
    "source": MOST_NODES,
    "full_position": MOST_NODES,
}
_WORDS = {
    "rows": MOST_NODES * 40,
    "links": MOST_NODES * 40,
    "left": MOST_NODES,
    "closed": 40,
    "common": 24,
    "placed": 12,
    "removed": 12,
}
_SHORT: dict[str, Any] = {
    "entry": MOST_ENTRIES,
    "cost": MOST_ENTRIES,
    "reasons": (MOST_ENTRIES, REASONS),
}

WEB: Final = np.dtype(
    [(name, np.int64) for name in _SCALARS]
    + [(name, np.int64, shape) for name, shape in _INTEGERS.items()]
    + [(name, np.uint64, shape) for name, shape in _WORDS.items()]
    + [(name, np.int16, shape) for name, shape in _SHORT.items()],
    align=True,
)
"""The record; its long parts cost no memory until they are written."""
