"""Calls and digit tests of brute force equal the documents' figures, and the solutions too."""

from pathlib import Path

import numpy as np

from workers.engines.sudoku.seeds.brute import brute_batch
from workers.engines.sudoku.seeds.outcome import SOLVED
from workers.engines.sudoku.seeds.trace import trace_search
from workers.engines.sudoku.text import format_text, parse_text

GOLDEN = Path(__file__).with_name("seed_counts.txt")
NO_BUDGET = 10**9
SOLUTIONS = (
    "957184362281963475643725198496357821875412936312896547729548613534671289168239754",
    "987654321246173985351928746128537694634892157795461832519286473472319568863745219",
    "812753649943682175675491283154237896369845721287169534521974368438526917796318452",
    "186427395437915682592683741369142578251879463748536219615394827924758136873261954",
)


def lines() -> list[list[str]]:
    text = GOLDEN.read_text(encoding="ascii").splitlines()
    return [line.split(" : ") for line in text if not line.startswith("#")]


def test_calls_and_digit_tests_are_the_documents():
    found = brute_batch(np.array([parse_text(line[0]) for line in lines()]), NO_BUDGET)
    assert (found.status == SOLVED).all()
    assert not found.censored.any()
    for row, (_, expected, source) in enumerate(lines()):
        assert f"{found.iterations[row]} {found.digit_tests[row]}" == expected, source
    assert tuple(format_text(grid) for grid in found.grids) == SOLUTIONS


def test_the_trace_makes_the_same_calls():
    for puzzle, expected, source in lines():
        found = trace_search(parse_text(puzzle), NO_BUDGET)
        assert f"{found.iterations} {found.digit_tests}" == expected, source
        assert found.histogram.sum() == found.iterations
        assert found.last[-1] == 81
        assert 2048 <= len(found.last) <= 4096
