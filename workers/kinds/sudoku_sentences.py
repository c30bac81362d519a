"""What the steps of the seed methods say in one line.

Fields: {unit}, {digits} (that the step is about), {seen} (cells), {placed}, {removed}, {noted}
and {done} (placed and removed together).
"""

from collections.abc import Iterable
from typing import Final

from workers.engines.sudoku.geometry import cell_name, unit_name
from workers.engines.sudoku.seeds.outcome import PathStep

Candidates = Iterable[tuple[int, int]]

SENTENCES: Final = {
    "row_model": "Row model: {unit} lacks one digit, {placed}",
    "column_model": "Column model: {unit} lacks one digit, {placed}",
    "box_model": "Box model: {unit} lacks one digit, {placed}",
    "last_free_cell": "Last free cell of {unit}: {placed}",
    "hidden_single": "Hidden single in {unit}: {placed}",
    "naked_single": "Naked single: {placed}",
    "pointing": "Pointing, {digits} of {unit} in one line: removes {removed}",
    "claiming": "Claiming, {digits} of {unit} in one box: removes {removed}",
    "supposition": "Supposition of {digits} in {seen} contradicts level 1: removes {removed}",
    "deeper_supposition": "Supposition of {digits} in {seen} contradicts further suppositions: "
    "removes {removed}",
    "fill_only_one_possible": "Only one candidate is left: {placed}",
    "fill_last_position_of_group": "Last position of {unit}: {placed}",
    "check_obvious_number": "Obvious number, one place in {unit}: {placed}",
    "check_line_last_possible_for_number": "Last possible place in {unit}: {placed}",
    "check_inobvious_number": "Inobvious number, one place in {unit} when group numbers count as "
    "placed: {placed}",
    "reduce_by_group_number": "Group number {digits} of {unit}: removes {removed}",
    "write_down_possible": "Candidates are written down: {noted}",
    "update_chain": "Chain of {seen} in {unit}: removes {removed}",
    "reduce_by_two_possible_in_one_position": "Two possible in one position, {digits} in one of "
    "{seen}: removes {removed}",
    "reduce_by_emulate_possible_in_one_position": "All that is possible in {seen} tried: {done}",
    "reduce_by_emulate_possible_number_in_group": "All places of {digits} in {unit} tried "
    "({seen}): {done}",
    "guess": "Guess: {placed}",
    "undo": "The guess fails and is taken back: removes {removed}",
}


def sentence(step: PathStep, seen: list[int]) -> str:
    """`step` in one line; `seen` are the cells it is seen in."""
    placed = ", ".join(f"{cell_name(cell)} = {digit}" for cell, digit in step.placements)
    removed = _removed(step.eliminations)
    effects = [placed, f"removes {removed}" if removed else ""]
    shown = {digit for _, digit in (*step.seen, *step.eliminations, *step.placements) if digit}
    digits = {digit for _, digit in step.seen if digit} or shown
    return SENTENCES["undo" if step.remark == "undo" else step.method].format(
        unit=unit_name(step.unit) if step.unit >= 0 else "the grid",
        digits=_digits(digits),
        seen=_cells(seen),
        placed=placed,
        removed=removed,
        noted=_cells(step.noted),
        done=", ".join(filter(None, effects)) or "all contradict",
    )


def _removed(candidates: Candidates) -> str:
    """Cells that lose the same digits are named together: "3 from r1c8, r1c9; 7 from r2c1"."""
    lost: dict[int, list[int]] = {}
    for cell, digit in candidates:
        lost.setdefault(cell, []).append(digit)
    losers: dict[str, list[int]] = {}
    for cell, digits in lost.items():
        losers.setdefault(_digits(digits), []).append(cell)
    return "; ".join(f"{digits} from {_cells(cells)}" for digits, cells in losers.items())


def _digits(digits: Iterable[int]) -> str:
    return ",".join(str(digit) for digit in sorted(digits))


def _cells(cells: Iterable[int]) -> str:
    return ", ".join(cell_name(cell) for cell in cells)
