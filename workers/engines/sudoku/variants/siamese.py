"""Siamese fish: two finned fish of one digit with the same base, whose eliminations differ.

Finned and sashimi count as one kind here. A siamese fish removes what both remove.
"""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from workers.engines.sudoku.board import Board
from workers.engines.sudoku.grade import find_steps
from workers.engines.sudoku.techniques.catalogue import technique_named
from workers.engines.sudoku.techniques.technique import Step, Technique

SIAMESE: Final = tuple(
    kind + name
    for kind in ("finned_", "sashimi_", "finned_franken_", "finned_mutant_")
    for name in ("x_wing", "swordfish", "jellyfish")
)


def siamese_fish(board: Board, technique: Technique) -> Iterator[Step]:
    """All siamese fish of the technique's kind and size."""
    names = {technique.name}
    if not {"franken", "mutant"} & set(technique.name.split("_")):
        size = technique.name.partition("_")[2]
        names |= {f"finned_{size}", f"sashimi_{size}"}
    fish = [step for name in sorted(names) for step in all_fish(board, technique_named(name))]
    for one, other in itertools.combinations(fish, 2):
        same = one.digits == other.digits and set(one.units) == set(other.units)
        if same and one.eliminations != other.eliminations:
            gone = dict.fromkeys((*one.eliminations, *other.eliminations))
            yield replace(
                one,
                eliminations=tuple(gone),
                cells=tuple(sorted({*one.cells, *other.cells})),
                fins=tuple(sorted({*one.fins, *other.fins})),
                endo_fins=tuple(sorted({*one.endo_fins, *other.endo_fins})),
                covers=tuple(dict.fromkeys((*one.covers, *other.covers))),
            )


def all_fish(board: Board, technique: Technique) -> list[Step]:
    """The fish of one technique, those only that carry its own name."""
    return [step for step in find_steps(board, technique) if step.code == technique.code]
