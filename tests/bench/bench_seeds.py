"""Cost of the seed methods: CPU seconds of the fixtures, CPU milliseconds a puzzle on the lists.

Run as a program: `python tests/bench/bench_seeds.py [--rounds N]`. The compile time is cold when
PUZZLEMILL_CACHE names an empty folder.
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from workers.engines.machine.random import seeded
from workers.engines.sudoku.seeds.analytic import analytic_batch
from workers.engines.sudoku.seeds.brute import brute_batch
from workers.engines.sudoku.seeds.cut import cut_batch
from workers.engines.sudoku.seeds.human_path import human_path_batch
from workers.engines.sudoku.seeds.trace import trace_search
from workers.engines.sudoku.text import parse_text

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
LISTS = (
    "qqwing_simple_1000",
    "qqwing_easy_1000",
    "qqwing_intermediate_1000",
    "qqwing_expert_1000",
    "top1465",
    "forum_hardest_1106",
)
NEAR_WORST = parse_text(
    "000000000000003085001020000000507000004000100090000000500000073002010000000040009"
)
LEO = parse_text(
    "900104002080060070000000000400000001070000030300000007000000000030070080100209004"
)
NO_BUDGET = 10**9


def cpu_seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def report(**facts: object) -> None:
    print(json.dumps(facts))


def read(name: str) -> np.ndarray:
    lines = (DATA / f"{name}.txt").read_text(encoding="ascii").split("\n")
    return np.array([parse_text(line[:81]) for line in lines if line])


def compile_times() -> None:
    for name, work in (
        ("brute", lambda: brute_batch(LEO)),
        ("trace", lambda: trace_search(LEO)),
        ("analytic", lambda: analytic_batch(LEO)),
        ("human-path", lambda: human_path_batch(LEO)),
        ("cut", lambda: cut_batch(seeded(1), 1)),
    ):
        report(bench="compile", method=name, cpu_s=round(cpu_seconds(work), 2))


def fixtures(rounds: int) -> None:
    for name, work in (
        ("brute near-worst case", lambda: brute_batch(NEAR_WORST, NO_BUDGET)),
        ("trace near-worst case", lambda: trace_search(NEAR_WORST, NO_BUDGET)),
        ("brute Star Burst Leo", lambda: brute_batch(LEO)),
    ):
        best = min(cpu_seconds(work) for _ in range(rounds))
        report(bench="fixture", what=name, cpu_s=round(best, 4))


def lists(rounds: int) -> None:
    for name in LISTS:
        puzzles = read(name)
        brute = brute_batch(puzzles)
        costs = {
            "brute": lambda puzzles=puzzles: brute_batch(puzzles),
            "analytic": lambda puzzles=puzzles: analytic_batch(puzzles),
            "human_path": lambda puzzles=puzzles: human_path_batch(puzzles),
        }
        line: dict[str, object] = {"bench": "seeds", "list": name, "n": len(puzzles)}
        for method, work in costs.items():
            best = min(cpu_seconds(work) for _ in range(rounds))
            line[f"{method}_ms"] = round(1000 * best / len(puzzles), 3)
        line["median_calls"] = float(np.median(brute.iterations))
        line["mean_calls"] = round(float(brute.iterations.mean()))
        line["censored"] = float(brute.censored.mean())
        report(**line)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=2)
    chosen = options.parse_args()
    compile_times()
    fixtures(chosen.rounds)
    lists(chosen.rounds)


if __name__ == "__main__":
    main()
