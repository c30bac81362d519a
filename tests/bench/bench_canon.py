"""Canonical forms per CPU-second: `python tests/bench/bench_canon.py FOLDER_OF_LISTS`.

Each list is timed as it is and, named `... solutions`, as complete grids; the rate is the median
of ROUNDS passes over at most ROWS rows, after one warm-up call.
"""

import statistics
import sys
import time
from pathlib import Path

import numpy as np

from workers.engines.sudoku.canon import canonical_batch
from workers.engines.sudoku.search import solve_batch

LISTS = (
    "17_clue_49158",
    "qqwing_simple_1000",
    "qqwing_intermediate_1000",
    "qqwing_expert_1000",
    "kaggle_sample",
    "top1465",
    "forum_hardest_1905_11plus",
)
ROUNDS, ROWS = 5, 5000


def read_puzzles(path: Path) -> np.ndarray:
    """The first ROWS puzzles of a list, (n, 81) digits."""
    text = "".join(line[:81] for line in path.read_text().split()[:ROWS]).replace(".", "0")
    return np.frombuffer(text.encode(), np.uint8).reshape(-1, 81) - ord("0")


def report(name: str, puzzles: np.ndarray) -> None:
    """Print one row of the table."""
    rates = []
    for _ in range(ROUNDS):
        started = time.process_time()
        found = canonical_batch(puzzles)
        rates.append(len(puzzles) / (time.process_time() - started))
    out = int(found.status.sum())
    print(f"{name:40} {len(puzzles):6} {statistics.median(rates):12,.0f} {out:12}")


def main(folder: Path) -> None:
    started = time.process_time()
    canonical_batch(np.zeros((1, 81), np.uint8))
    print(f"first call: {time.process_time() - started:.1f} CPU-seconds")
    print(f"{'list':40} {'n':>6} {'per CPU-s':>12} {'budget out':>12}")
    for name in LISTS:
        puzzles = read_puzzles(folder / f"{name}.txt")
        report(name, puzzles)
        solved = solve_batch(puzzles)
        report(f"{name} solutions", solved.solutions[solved.counts == 1])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
