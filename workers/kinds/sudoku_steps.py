"""Steps as a page can draw them: what each does, and the grid before it.

`told_techniques` tells the steps of the technique catalogue, `told_ratings` those of the SE scale
and `told_path` those of the seed methods. They replay the steps on a slate, because
engines log what they do and not what they see.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from workers.engines.sudoku.geometry import CELLS, PEERS, UNITS, Digits, cell_name, unit_name
from workers.engines.sudoku.grade import Step, explain
from workers.engines.sudoku.se.rating import Step as RatedStep
from workers.engines.sudoku.se.sentences import sentence as rated_sentence
from workers.engines.sudoku.seeds.outcome import PathStep
from workers.kinds.sudoku_reasons import because
from workers.kinds.sudoku_sentences import sentence

Told = dict[str, Any]
ALL = 511
DIGITS = tuple("".join(str(d) for d in range(1, 10) if mask >> (d - 1) & 1) for mask in range(512))


class Slate:
    """A grid that is being solved: digits, and the candidates of the empty cells as bits.

    A person may see fewer candidates than there are: with `notes` only those of noted cells show.
    """

    def __init__(self, puzzle: Digits, notes: bool = False) -> None:
        self.digits = [0] * CELLS
        self.marks = [ALL] * CELLS
        self.noted = [not notes] * CELLS
        self._guesses: list[tuple[list[int], list[int], list[bool]]] = []
        for cell, digit in enumerate(puzzle.tolist()):
            if digit:
                self.place(cell, digit)

    def place(self, cell: int, digit: int) -> None:
        """Write a digit and take it from the peers; nothing when the cell does not take it."""
        bit = 1 << (digit - 1)
        if self.marks[cell] & bit:
            self.digits[cell], self.marks[cell] = digit, 0
            for peer in PEERS[cell]:
                self.marks[peer] &= ~bit

    def apply(self, placements: Iterable[tuple[int, int]],
              eliminations: Iterable[tuple[int, int]]) -> None:  # fmt: skip
        """Do what a step does."""
        for cell, digit in placements:
            self.place(cell, digit)
        for cell, digit in eliminations:
            self.marks[cell] &= ~(1 << (digit - 1))

    def follow(self, step: PathStep) -> None:
        """Do what a step of a seed method does: a guess is remembered, an undo takes it back."""
        if step.remark == "guess":
            self._guesses.append((self.digits[:], self.marks[:], self.noted[:]))
        elif step.remark == "undo":
            self.digits, self.marks, self.noted = self._guesses.pop()
        self.apply(step.placements, step.eliminations)
        for cell in step.noted:
            self.noted[cell] = True
        if step.remark == "undo":
            self.noted[step.eliminations[0][0]] = True

    def shown(self) -> Told:
        """The keys `values` and `candidates` of a step."""
        cells = zip(self.digits, self.marks, self.noted, strict=True)
        return {
            "values": "".join(str(digit or ".") for digit in self.digits),
            "candidates": [
                str(digit) if digit else DIGITS[marks] if noted else ""
                for digit, marks, noted in cells
            ],
        }


def told_techniques(puzzle: Digits, steps: Iterable[Step]) -> list[Told]:
    """Steps of the technique catalogue: `title`, `digits`, `fins`, `parts`, `chain`, `because` too.

    Fins are cells, parts the sets that the cells fall into, such as almost locked ones. A chain is
    what follows link by link: a digit is `on` in one of the cells, or off in all. `because` are
    the cases of a forcing step, a text each.
    """
    slate, told = Slate(puzzle), []
    for step in steps:
        told.append(
            {
                "technique": step.technique.name,
                "title": step.technique.title,
                "text": explain(step),
                "because": because(step, slate.marks),
                "cells": _names(step.cells or _along(step)),
                "digits": list(step.digits),
                "units": [unit_name(unit) for unit in (*step.units, *step.covers)],
                "fins": _names((*step.fins, *step.endo_fins)),
                "parts": [_names(part) for part in step.parts],
                "chain": [
                    {"cells": _names(node.cells), "digit": node.digit, "on": node.on}
                    for node in step.chain
                ],
                **_effects(step.placements, step.eliminations),
                **slate.shown(),
            }
        )
        slate.apply(step.placements, step.eliminations)
    return told


def told_ratings(puzzle: Digits, steps: Iterable[RatedStep]) -> list[Told]:
    """Steps of the SE scale, with `rating`, `title`, `digits` and `chain` (nodes, or starts)."""
    slate, told = Slate(puzzle), []
    for step in steps:
        told.append(
            {
                "technique": step.technique.name,
                "title": step.technique.title,
                "rating": step.rating,
                "text": rated_sentence(step),
                "cells": _names(_rated_cells(step)),
                "digits": list(step.digits),
                "units": [unit_name(step.unit)] if step.unit >= 0 else [],
                "chain": [
                    {"cells": [cell_name(link.cell)], "digit": link.digit, "on": link.on}
                    for link in step.chain
                ],
                **_effects(step.placements, step.eliminations),
                **slate.shown(),
            }
        )
        slate.apply(step.placements, step.eliminations)
    return told


def told_path(puzzle: Digits, steps: Iterable[PathStep], notes: bool, boards: bool) -> list[Told]:
    """Steps of a seed method; `remark` is "guess" or "undo" where a step is no deduction.

    With `notes` candidates show once they are written down, as on the human path; without
    `boards` steps have no `values` and `candidates`.
    """
    slate, told = Slate(puzzle, notes), []
    for step in steps:
        cells = _cells(step, slate)
        told.append(
            {
                "technique": step.method,
                "text": sentence(step, cells),
                "cells": _names(cells),
                "units": [unit_name(step.unit)] if step.unit >= 0 else [],
                **_effects(step.placements, step.eliminations),
                "noted": _names(step.noted),
                "remark": step.remark,
                **(slate.shown() if boards else {}),
            }
        )
        slate.follow(step)
    return told


def told_fill(puzzle: Digits, grid: Digits, technique: str) -> list[Told]:
    """The digits that stand in `grid` and not in `puzzle`, a step each, without boards."""
    cells = [cell for cell in range(CELLS) if grid[cell] != puzzle[cell]]
    return [
        {
            "technique": technique,
            "text": f"{cell_name(cell)} = {grid[cell]}",
            "cells": [cell_name(cell)],
            "units": [],
            **_effects([(cell, int(grid[cell]))], ()),
        }
        for cell in cells
    ]


def _along(step: Step) -> list[int]:
    """The cells of a chain, in its order, each once."""
    return list(dict.fromkeys(cell for node in step.chain for cell in node.cells))


def _rated_cells(step: RatedStep) -> list[int]:
    """The cells of the pattern or the chain, else those that the step changes."""
    seen = step.cells or tuple(link.cell for link in step.chain)
    changed = (cell for cell, _ in (*step.placements, *step.eliminations))
    return list(dict.fromkeys(seen or changed))


def _cells(step: PathStep, slate: Slate) -> list[int]:
    """The cells a step is seen in, from its log or else from the slate before it."""
    if step.seen:
        return [cell for cell, _ in step.seen]
    if step.noted:
        return list(step.noted)
    if step.placements or step.unit < 0:
        return list(dict.fromkeys(cell for cell, _ in (*step.placements, *step.eliminations)))
    lost = 0
    for _, digit in step.eliminations:
        lost |= 1 << (digit - 1)
    return [cell for cell in UNITS[step.unit].tolist() if slate.marks[cell] & lost]


def _effects(placements: Iterable[tuple[int, int]],
             eliminations: Iterable[tuple[int, int]]) -> Told:  # fmt: skip
    return {
        "placements": [[cell_name(cell), digit] for cell, digit in placements],
        "eliminations": [[cell_name(cell), digit] for cell, digit in eliminations],
    }


def _names(cells: Sequence[int]) -> list[str]:
    return [cell_name(cell) for cell in cells]
