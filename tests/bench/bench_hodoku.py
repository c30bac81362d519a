"""Grading side by side with another grader: CPU seconds of both on whole lists, in one run.

Run as a program, for instance with HoDoKu's own batch mode:

    python tests/bench/bench_hodoku.py \
        --peer "java -Xmx512m -Djava.io.tmpdir=. -jar hodoku.jar /bs {input} /o out.txt"

The command is started in an empty folder with the list as a relative file name, so name other
files absolutely. It is run on the first puzzles of a list and on these and then the whole list: the
difference is what the list costs a program that is started and warm. `--most` cuts lists short.
"""

import argparse
import json
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from workers.engines.sudoku.grade import grade_batch
from workers.engines.sudoku.text import parse_text

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
LISTS = ("qqwing_easy_1000", "qqwing_intermediate_1000", "qqwing_expert_1000", "top1465")
WARM = 300


def read(name: str, most: int) -> list[str]:
    """The first puzzles of a list."""
    lines = (DATA / f"{name}.txt").read_text(encoding="ascii").split()
    return [line[:81] for line in lines if len(line) >= 81][:most]


def peer_seconds(command: str, texts: list[str]) -> float:
    """CPU seconds of the command on a file with these puzzles."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "list.txt").write_text("\n".join(texts) + "\n", encoding="ascii")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            shlex.split(command.replace("{input}", "list.txt")),
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def own_seconds(puzzles: np.ndarray, rounds: int) -> float:
    """CPU seconds of `grade_batch`, compiled already: the best of some rounds."""
    grade_batch(puzzles[:100])
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        grade_batch(puzzles)
        best = min(best, time.process_time() - started)
    return best


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--peer", help="a command with {input}")
    options.add_argument("--lists", nargs="*", default=LISTS)
    options.add_argument("--most", type=int, default=10**9)
    options.add_argument("--warm", type=int, default=WARM)
    options.add_argument("--rounds", type=int, default=2)
    chosen = options.parse_args()
    for name in chosen.lists:
        texts = read(name, chosen.most)
        own = own_seconds(np.array([parse_text(text) for text in texts]), chosen.rounds)
        line = {"bench": "hodoku", "list": name, "n": len(texts)}
        line |= {"ms": round(1000 * own / len(texts), 4), "per_cpu_second": round(len(texts) / own)}
        if chosen.peer:
            warm = texts[: chosen.warm]
            peer = peer_seconds(chosen.peer, warm + texts) - peer_seconds(chosen.peer, warm)
            line |= {"peer_ms": round(1000 * peer / len(texts), 3), "ratio": round(peer / own, 1)}
        print(json.dumps(line))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
