"""Variants of techniques that HoDoKu knows as options, all off in its default configuration.

They are no part of grading: no row depends on them and no kernel is compiled for them. Each is a
plain search over sets that lists every step, for a reader or a test that asks for it.

    two_places   empty rectangles of two candidates only, and dual ones made of these
    siamese      two finned fish of the same base, taken as one step
    overlap      almost locked sets that share cells: in wings, chains and death blossoms
    als_nodes    loops and AICs with almost locked sets as nodes
"""

from collections.abc import Callable, Iterable
from typing import Final

from workers.engines.sudoku.board import Board
from workers.engines.sudoku.techniques.technique import Step, Technique
from workers.engines.sudoku.variants.als_nodes import loops_through_sets
from workers.engines.sudoku.variants.overlap import blossoms, set_chains, set_wings
from workers.engines.sudoku.variants.rectangles import dual_rectangles, rectangles
from workers.engines.sudoku.variants.siamese import SIAMESE, siamese_fish
from workers.errors import ParamsError

Search = Callable[[Board, Technique], Iterable[Step]]

VARIANTS: Final[dict[tuple[str, str], Search]] = {
    ("two_places", "empty_rectangle"): rectangles,
    ("two_places", "dual_empty_rectangle"): dual_rectangles,
    ("overlap", "als_xy_wing"): set_wings,
    ("overlap", "als_xy_chain"): set_chains,
    ("overlap", "death_blossom"): blossoms,
    ("als_nodes", "grouped_nice_loop"): loops_through_sets,
    **{("siamese", name): siamese_fish for name in SIAMESE},
}
"""(option, technique) -> the search."""


def find_variants(board: Board, technique: Technique, option: str) -> list[Step]:
    """All steps of `technique` with `option` on, one per outcome and form; changes nothing.

    Takes seconds on a board with many candidates. Raises ParamsError for an option that the
    technique does not have.
    """
    search = VARIANTS.get((option, technique.name))
    if search is None:
        raise ParamsError("option", f"{technique.name} has no option {option!r}")
    steps: dict[object, Step] = {}
    for step in search(board, technique):
        steps.setdefault((step.form, step.title, frozenset(step.eliminations)), step)
    return list(steps.values())
