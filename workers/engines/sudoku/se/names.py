"""The techniques of the SE scale: names, titles, and which producer finds them, in order."""

from typing import Final, NamedTuple

from workers.engines.sudoku.se.grid import widen


class Technique(NamedTuple):
    """A technique as it is counted."""

    name: str
    title: str
    producer: int


_TABLE: Final = (
    (1, "hidden_single", "Hidden single"),
    (2, "direct_pointing", "Direct pointing"),
    (2, "direct_claiming", "Direct claiming"),
    (3, "direct_hidden_pair", "Direct hidden pair"),
    (4, "naked_single", "Naked single"),
    (5, "direct_hidden_triplet", "Direct hidden triplet"),
    (6, "pointing", "Pointing"),
    (6, "claiming", "Claiming"),
    (7, "naked_pair", "Naked pair"),
    (8, "x_wing", "X-wing"),
    (9, "hidden_pair", "Hidden pair"),
    (10, "naked_triplet", "Naked triplet"),
    (11, "swordfish", "Swordfish"),
    (12, "hidden_triplet", "Hidden triplet"),
    (13, "xy_wing", "XY-wing"),
    (14, "xyz_wing", "XYZ-wing"),
    (15, "unique_rectangle", "Unique rectangle"),
    (15, "unique_loop", "Unique loop"),
    (16, "naked_quad", "Naked quad"),
    (17, "jellyfish", "Jellyfish"),
    (18, "hidden_quad", "Hidden quad"),
    (19, "bug", "Bivalue universal grave"),
    (20, "aligned_pair", "Aligned pair exclusion"),
    (21, "x_cycle", "X-cycle"),
    (21, "y_cycle", "Y-cycle"),
    (21, "x_chain", "Forcing X-chain"),
    (21, "xy_cycle", "Cycle of both links"),
    (21, "xy_chain", "Forcing chain"),
    (22, "aligned_triplet", "Aligned triplet exclusion"),
    (23, "nishio", "Nishio"),
    (24, "cell_chains", "Cell forcing chains"),
    (24, "region_chains", "Unit forcing chains"),
    (25, "dynamic_contradiction", "Dynamic contradiction"),
    (25, "dynamic_double", "Dynamic double chains"),
    (25, "dynamic_cell", "Dynamic cell chains"),
    (25, "dynamic_region", "Dynamic unit chains"),
    (26, "dynamic_plus", "Dynamic chains with patterns"),
    (27, "nested_2", "Dynamic chains with forcing chains"),
    (28, "nested_3", "Dynamic chains with multiple chains"),
    (29, "nested_4", "Dynamic chains with dynamic chains"),
    (30, "nested_5", "Dynamic chains with nested dynamic chains"),
)

TECHNIQUES: Final = tuple(Technique(name, title, producer) for producer, name, title in _TABLE)
"""All techniques in the order of their producers."""

N_TECHNIQUES: Final = len(TECHNIQUES)

(HIDDEN_SINGLE, DIRECT_POINTING, DIRECT_CLAIMING, DIRECT_HIDDEN_PAIR, NAKED_SINGLE,
 DIRECT_HIDDEN_TRIPLET, POINTING, CLAIMING, NAKED_PAIR, X_WING, HIDDEN_PAIR, NAKED_TRIPLET,
 SWORDFISH, HIDDEN_TRIPLET, XY_WING, XYZ_WING, UNIQUE_RECTANGLE, UNIQUE_LOOP, NAKED_QUAD,
 JELLYFISH, HIDDEN_QUAD, BUG, ALIGNED_PAIR, X_CYCLE, Y_CYCLE, X_CHAIN, XY_CYCLE, XY_CHAIN,
 ALIGNED_TRIPLET, NISHIO, CELL_CHAINS, REGION_CHAINS, CONTRADICTION, DOUBLE, DYNAMIC_CELL,
 DYNAMIC_REGION, DYNAMIC_PLUS, NESTED_2, NESTED_3, NESTED_4, NESTED_5) = map(
     widen, range(len(TECHNIQUES)))  # fmt: skip
