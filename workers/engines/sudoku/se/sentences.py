"""A step of the SE scale as a sentence."""

from collections.abc import Iterable

from workers.engines.sudoku.geometry import cell_name, unit_name
from workers.engines.sudoku.se.rating import Link, Step

CHAINS = 21
BRANCHES = 23
"""First producer with chains, and first one with several of them."""


def sentence(step: Step) -> str:
    """Say `step` in one line, for instance:

    "3.0 Naked pair 3,7 in r1c2, r1c5 (row 1): removes 3 from r1c8".
    """
    return f"{step.rating} {step.technique.title}{_where(step)}: {_outcome(step)}"


def _where(step: Step) -> str:
    if step.technique.producer >= BRANCHES:
        return f", {_assumed(step)}"
    if step.technique.producer >= CHAINS and step.chain:
        return f" {' -> '.join(_node(link) for link in step.chain)}"
    digits = ",".join(map(str, step.digits))
    where = f" {digits}" if digits else ""
    if step.cells:
        where += f" in {_cells(step.cells)}"
    if step.unit >= 0:
        where += f" ({unit_name(step.unit)})" if step.cells else f" in {unit_name(step.unit)}"
    return where


def _assumed(step: Step) -> str:
    """What the branches of a step start from, and where they meet."""
    if step.cells:
        return f"whatever {_cells(step.cells)} is"
    if step.unit >= 0:
        return f"wherever {step.digits[0]} is in {unit_name(step.unit)}"
    start, *clash = step.chain
    if len(clash) > 1:
        name = f"{clash[0].digit} in {cell_name(clash[0].cell)}"
        return f"{_node(start)} forces {name} on and off"
    return f"{_node(start)} or not"


def _outcome(step: Step) -> str:
    """What the step does: "r1c2 is 3", or "removes 3,4 from r1c8; 3 from r1c9"."""
    if step.placements:
        return ", ".join(f"{cell_name(cell)} is {digit}" for cell, digit in step.placements)
    digits: dict[int, list[str]] = {}
    for cell, digit in step.eliminations:
        digits.setdefault(cell, []).append(str(digit))
    cells: dict[str, list[int]] = {}
    for cell, lost in digits.items():
        cells.setdefault(",".join(lost), []).append(cell)
    return "removes " + "; ".join(f"{lost} from {_cells(losers)}" for lost, losers in cells.items())


def _node(link: Link) -> str:
    return f"{cell_name(link.cell)}{'=' if link.on else '<>'}{link.digit}"


def _cells(cells: Iterable[int]) -> str:
    return ", ".join(cell_name(cell) for cell in cells)
