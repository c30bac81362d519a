"""A step as a sentence: which technique, where it is seen, what it does.

The wording stands in the technique's record; its fields are {title}, {cells}, {digits},
{units}, {covers}, {fins} (endo fins too), {chain}, {parts} (lettered from A), {eliminations}
and {outcome}, which is what is placed or removed.
"""

from collections.abc import Iterable

from workers.engines.sudoku.geometry import cell_name, unit_name
from workers.engines.sudoku.techniques.technique import Candidate, Node, Step


def explain(step: Step) -> str:
    """Say `step` in one line, for instance:

    "Naked Pair 3,7 in r1c2, r1c5 (row 1): removes 3 from r1c8".
    """
    return step.technique.sentence.format(
        title=step.title,
        cells=_listed(cell_name(cell) for cell in step.cells),
        digits=_digits(step.digits),
        units=_listed(unit_name(unit) for unit in step.units),
        covers=_listed(unit_name(unit) for unit in step.covers),
        fins=_listed(cell_name(cell) for cell in sorted({*step.fins, *step.endo_fins})),
        chain=" -> ".join(_node(node) for node in step.chain),
        parts="; ".join(
            f"{chr(letter)} {_listed(cell_name(cell) for cell in part)}"
            for letter, part in enumerate(step.parts, start=ord("A"))
        ),
        eliminations=_eliminations(step.eliminations),
        outcome=_outcome(step),
    )


def _outcome(step: Step) -> str:
    """What the step does: "r1c2 is 3", or "removes 3 from r1c8"."""
    if step.placements:
        return _listed(f"{cell_name(cell)} is {digit}" for cell, digit in step.placements)
    return f"removes {_eliminations(step.eliminations)}"


def _node(node: Node) -> str:
    """A link of a chain: "r1c2=3", or "r1c2,r1c3<>3" for a group without the digit."""
    cells = ",".join(cell_name(cell) for cell in node.cells)
    return f"{cells}{'=' if node.on else '<>'}{node.digit}"


def _eliminations(candidates: tuple[Candidate, ...]) -> str:
    """Cells that lose the same digits are named together: "3 from r1c8, r1c9; 7 from r2c1"."""
    digits: dict[int, list[int]] = {}
    for cell, digit in candidates:
        digits.setdefault(cell, []).append(digit)
    cells: dict[tuple[int, ...], list[int]] = {}
    for cell, lost in sorted(digits.items()):
        cells.setdefault(tuple(lost), []).append(cell)
    return "; ".join(
        f"{_digits(lost)} from {_listed(cell_name(cell) for cell in losers)}"
        for lost, losers in cells.items()
    )


def _digits(digits: Iterable[int]) -> str:
    return ",".join(str(digit) for digit in digits)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
