"""Nodes and guesses of the reference band engine stay what they are: corpora hold them."""

from pathlib import Path

import numpy as np
import pytest

from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.text import parse_text

GOLDEN = Path(__file__).with_name("search_counts.txt")


@pytest.mark.nojit
def test_counts_nodes_and_guesses_are_the_recorded_ones():
    text = GOLDEN.read_text(encoding="ascii").splitlines()
    lines = [line.split(" : ") for line in text if not line.startswith("#")]
    found = solve_batch(np.array([parse_text(line[0]) for line in lines]))
    for row, (_, expected, source) in enumerate(lines):
        counts = (found.counts[row], found.nodes[row], found.guesses[row])
        assert " ".join(map(str, counts)) == expected, source
