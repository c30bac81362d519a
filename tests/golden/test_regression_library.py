"""All boards of HoDoKu's regression library, each with the option that its variant asks for."""

import re

import numpy as np
import pytest

from workers.engines.sudoku.grade import CATALOGUE, find_steps, open_board
from workers.engines.sudoku.text import parse_text
from workers.engines.sudoku.variants import find_variants

OPTIONS = {
    **dict.fromkeys(("0402-1", "0405"), "two_places"),
    **dict.fromkeys(("0902-2", "0903-1", "0903", "0904-2"), "overlap"),
    **dict.fromkeys(("0709-2", "0710-3", "0710-4", "0711-3", "0711-4"), "als_nodes"),
}
"""Variant -> the option, off by default, that finds it; siamese fish have five digits."""

MISSES = {
    ("03111", "815 827 828"): "no two of our fish with the same base remove that together",
    ("0709-2", "291 314 649"): "the loop that is found goes another way and removes more",
    ("0709-2", "454 554 558 598 698 847 867 868"): "the loop that is found goes another way",
    ("0709-2", "122 141 147 151 161 219 229 341 348 441 451 461 624 761 769 947 987"): (
        "the loop that is found goes another way and removes more"
    ),
}
"""Boards (variant, what is removed) that are not found, and why."""

BY_CODE = {form.code: t for t in CATALOGUE for form in t.forms}
BY_CODE |= {technique.code: technique for technique in CATALOGUE}


def triples(candidates) -> set[str]:
    return {f"{digit}{cell // 9 + 1}{cell % 9 + 1}" for cell, digit in candidates}


def board_of(text: str, deleted: list[str]):
    placed = [match.start() - k for k, match in enumerate(re.finditer(r"\+", text))]
    masks = np.full(81, 0x1FF, dtype=np.int64)
    for digit, row, column in deleted:
        masks[9 * int(row) + int(column) - 10] &= ~(1 << (int(digit) - 1))
    return open_board(parse_text(text.replace("+", "")), masks, placed)


def steps_of(code: str, board):
    """The steps on a board that carry the code, with the option that a variant needs."""
    technique = BY_CODE[code[:4]]
    option = "siamese" if len(code.partition("-")[0]) == 5 else OPTIONS.get(code)
    if option is not None:
        return [s for s in find_variants(board, technique, option) if s.code == code[:4]]
    return [step for step in find_steps(board, technique) if step.code == code[:4]]


@pytest.mark.slow
def test_every_board_of_the_library_is_found_or_its_miss_explained(shared_data):
    boards, missed = 0, set()
    for line in (shared_data / "reglib.txt").read_text(encoding="latin-1").splitlines():
        if not line.startswith(":"):
            continue
        _, code, _, grid, deleted, removed, placed, *_ = (line + ":::").split(":")
        boards += 1
        steps = steps_of(code, board_of(grid, deleted.split()))
        found = [(triples(step.placements), triples(step.eliminations)) for step in steps]
        wanted = set(placed.split()), set(removed.split())
        if bool(found) if code.endswith("-x") else wanted not in found:
            missed.add((code, " ".join(sorted(removed.split()))))
    assert boards == 1112
    assert missed == set(MISSES)
    assert boards - len(missed) >= 1106
