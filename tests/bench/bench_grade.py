"""Puzzles graded per CPU-second on each reference list, and the cold compile time.

Run as a program: `python tests/bench/bench_grade.py [--tier N] [--rounds N]`. The compile time
is cold when PUZZLEMILL_CACHE names an empty folder.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

from workers.engines.sudoku.grade import SOLVED, grade_batch
from workers.engines.sudoku.techniques.catalogue import LAST_TIER
from workers.engines.sudoku.text import parse_text

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
LISTS = (
    "qqwing_simple_1000",
    "qqwing_easy_1000",
    "qqwing_intermediate_1000",
    "qqwing_expert_1000",
    "kaggle_sample",
    "17_clue_49158",
    "top1465",
)
MOST = 5000


def read(name: str) -> np.ndarray:
    """The first puzzles of a list, as digits (n, 81)."""
    lines = (DATA / f"{name}.txt").read_text(encoding="ascii").split("\n")
    return np.array([parse_text(line) for line in lines[:MOST] if line])


def cpu_seconds(puzzles: np.ndarray, tier: int) -> float:
    started = time.process_time()
    grade_batch(puzzles, tier)
    return time.process_time() - started


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tier", type=int, default=LAST_TIER)
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    compile_s = round(cpu_seconds(read("top1465")[:50], chosen.tier), 2)
    for name in LISTS:
        puzzles = read(name)
        best = min(cpu_seconds(puzzles, chosen.tier) for _ in range(chosen.rounds))
        solved = float((grade_batch(puzzles, chosen.tier).status == SOLVED).mean())
        line = {"bench": "grade", "list": name, "n": len(puzzles), "solved": round(solved, 3)}
        line |= {"per_cpu_second": round(len(puzzles) / best), "compile_s": compile_s}
        print(json.dumps(line))


if __name__ == "__main__":
    main()
