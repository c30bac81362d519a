"""Puzzles per CPU-second of the band engine: `python tests/bench/bench_search.py FOLDER_OF_LISTS`.

Each list is solved with limit 2 in ROUNDS rounds; the rate is that of the median round. First
calls, which compile when the cache is cold (PUZZLEMILL_CACHE names another folder), are timed
apart. Generators follow: grids and puzzles made per CPU-second.
"""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from workers.engines.machine.random import seeded
from workers.engines.sudoku.generate import (
    GenerateOptions,
    generate_puzzles,
    minimal_puzzles,
    random_grids,
)
from workers.engines.sudoku.properties import minimal
from workers.engines.sudoku.search import solve_batch

LISTS = (
    "17_clue_49158",
    "top1465",
    "top95",
    "forum_hardest_1106",
    "forum_hardest_1905_11plus",
    "qqwing_simple_1000",
    "qqwing_expert_1000",
    "kaggle_sample",
    "serg_benchmark",
)
ROUNDS, ROWS, MADE = 7, 10_000, 3_000


def read_puzzles(path: Path) -> np.ndarray:
    """The first ROWS puzzles of a list, (n, 81) digits."""
    text = "".join(line[:81] for line in path.read_text().split()[:ROWS]).replace(".", "0")
    return np.frombuffer(text.encode(), np.uint8).reshape(-1, 81) - ord("0")


def cpu_seconds(call: Callable[[], Any]) -> float:
    """CPU seconds of one call."""
    started = time.process_time()
    call()
    return time.process_time() - started


def report(name: str, count: int, call: Callable[[], Any], note: str = "") -> None:
    """Print one row of the table."""
    seconds = statistics.median(cpu_seconds(call) for _ in range(ROUNDS))
    print(f"{name:40} {count:6} {count / seconds:12,.0f}  {note}")


def main(folder: Path) -> None:
    empty = np.zeros((1, 81), np.uint8)
    print(f"first solve_batch      {cpu_seconds(lambda: solve_batch(empty)):6.2f} CPU-seconds")
    first = cpu_seconds(lambda: minimal_puzzles(seeded(1), 1))
    print(f"first minimal_puzzles  {first:6.2f} CPU-seconds")
    first = cpu_seconds(lambda: random_grids(seeded(1), 1))
    print(f"first random_grids     {first:6.2f} CPU-seconds")
    first = cpu_seconds(lambda: minimal(empty, empty))
    print(f"first minimal          {first:6.2f} CPU-seconds")
    print(f"\n{'list':40} {'n':>6} {'per CPU-s':>12}  guesses a puzzle")
    for name in LISTS:
        puzzles = read_puzzles(folder / f"{name}.txt")
        guesses = solve_batch(puzzles).guesses.mean()
        report(name, len(puzzles), lambda puzzles=puzzles: solve_batch(puzzles), f"{guesses:.3f}")
    state = seeded(1)
    report("random grids", MADE, lambda: random_grids(state, MADE))
    made = minimal_puzzles(state, MADE)
    report("minimal puzzles", MADE, lambda: minimal_puzzles(state, MADE))
    report("minimality", MADE, lambda: minimal(made.puzzles, made.solutions))
    half_turn = GenerateOptions("rotate180", minimal=False)
    report("half-turn puzzles", MADE, lambda: generate_puzzles(state, MADE, half_turn))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
