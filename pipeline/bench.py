"""Speed of the engines in CPU seconds, beside other programs when they are given.

Every figure is a median over rounds; a peer runs once a round, right after our own solver, and
ratios are medians of the ratios of a round, because a machine's speed drifts more between rounds
than within one. What precedes the first answer (compiling kernels, or loading them) is told apart.
"""

import os
import shlex
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.formats.lines import read_lines
from workers.engines.machine.random import seeded
from workers.engines.sudoku.canon import canonical_batch
from workers.engines.sudoku.generate import minimal_puzzles
from workers.engines.sudoku.grade import grade_batch
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.text import parse_text, texts_from_digits
from workers.errors import UsageError

BENCHES = ("solve", "generate", "canonical", "grade")
SEED = 1
GENERATED_LIST = 2_000
SAMPLE = 1_000  # puzzles of a list that are graded and made canonical
GENERATED_AT_ONCE = 250
LEAST_S = 0.3  # CPU seconds of a timing; short lists are repeated

Digits = NDArray[np.uint8]


class Figure(NamedTuple):
    """One line of the benchmark table."""

    bench: str
    list: str
    n: int  # puzzles a pass
    per_cpu_second: float
    compile_s: float | None  # CPU seconds before the first answer; None for a peer
    peer: str | None  # None: this program
    ratio: float | None  # ours over the peer's


class PuzzleList(NamedTuple):
    """A list to solve: what engines read, and the file that peers read."""

    name: str
    path: Path
    digits: Digits  # (n, 81)


def figures(
    lists: Sequence[Path], peers: Mapping[str, str], benches: Sequence[str], rounds: int
) -> Iterator[Figure]:
    """The lines of the table, each as soon as it is measured."""
    with tempfile.TemporaryDirectory(prefix="puzzlemill-") as folder:
        opened = [open_list(path) for path in lists] or [generated_list(Path(folder))]
        if "generate" in benches:
            yield _generator(rounds)
        for puzzles in opened:
            if "solve" in benches:
                yield from _solver(puzzles, peers, rounds)
            sample = puzzles.digits[:SAMPLE]
            if "canonical" in benches:
                yield _measured("canonical", puzzles.name, sample, canonical_batch, rounds)
            unique = sample[solve_batch(sample).counts == 1] if "grade" in benches else sample[:0]
            if len(unique):
                yield _measured("grade", puzzles.name, unique, grade_batch, rounds)


def open_list(path: Path) -> PuzzleList:
    """The Sudokus of a file; UsageError names the line of a malformed one."""
    digits = []
    for number, text in read_lines(path):
        try:
            digits.append(parse_text(text))
        except UsageError as error:
            raise UsageError(f"{path}:{number}", str(error)) from None
    return PuzzleList(path.stem, path.absolute(), np.array(digits, np.uint8))


def generated_list(folder: Path) -> PuzzleList:
    """Minimal puzzles, the same on every machine, written to a file for peers."""
    puzzles = minimal_puzzles(seeded(SEED), GENERATED_LIST).puzzles
    path = folder / f"generated-{GENERATED_LIST}.txt"
    path.write_text("".join(row.tobytes().decode() + "\n" for row in texts_from_digits(puzzles)))
    return PuzzleList(path.stem, path, puzzles)


def cpu_seconds_of(command: Sequence[str]) -> float:
    """User and system CPU seconds of a program and its children; UsageError when it fails."""
    try:
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    except OSError as error:
        raise UsageError(command[0], error.strerror or "cannot be run") from None
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise UsageError(shlex.join(command), f"ended with exit code {child.returncode}")
    return usage.ru_utime + usage.ru_stime


def _generator(rounds: int) -> Figure:
    state = seeded(SEED)
    first = round(_cpu(lambda: minimal_puzzles(state, 1)), 3)
    seconds = [_repeated(lambda: minimal_puzzles(state, GENERATED_AT_ONCE)) for _ in range(rounds)]
    rate = GENERATED_AT_ONCE / statistics.median(seconds)
    return Figure("generate", f"seed {SEED}", GENERATED_AT_ONCE, _rounded(rate), first, None, None)


def _solver(puzzles: PuzzleList, peers: Mapping[str, str], rounds: int) -> Iterator[Figure]:
    first = _first_answer(solve_batch, puzzles.digits)
    count = len(puzzles.digits)
    ours: list[float] = []
    theirs: dict[str, list[float]] = {name: [] for name in peers}
    for _ in range(rounds):
        ours.append(_repeated(lambda: solve_batch(puzzles.digits, limit=2)))
        for name, command in peers.items():
            theirs[name].append(cpu_seconds_of([*shlex.split(command), str(puzzles.path)]))
    own_rate = _rounded(count / statistics.median(ours))
    yield Figure("solve", puzzles.name, count, own_rate, first, None, None)
    for name, seconds in theirs.items():
        rate = _rounded(count / max(statistics.median(seconds), 1e-9))
        ratio = statistics.median(peer / own for peer, own in zip(seconds, ours, strict=True))
        yield Figure("solve", puzzles.name, count, rate, None, name, round(ratio, 3))


def _measured(
    bench: str, name: str, digits: Digits, run: Callable[[Digits], Any], rounds: int
) -> Figure:
    first = _first_answer(run, digits)
    seconds = [_repeated(lambda: run(digits)) for _ in range(rounds)]
    rate = len(digits) / statistics.median(seconds)
    return Figure(bench, name, len(digits), _rounded(rate), first, None, None)


def _first_answer(run: Callable[[Digits], Any], digits: Digits) -> float:
    """CPU seconds until the first puzzle is answered: compiling or loading, nearly all of it."""
    return round(_cpu(lambda: run(digits[:1])), 3)


def _repeated(run: Callable[[], Any]) -> float:
    """CPU seconds of one call, averaged over enough calls to be measured."""
    calls, spent = 0, 0.0
    while spent < LEAST_S:
        spent += _cpu(run)
        calls += 1
    return spent / calls


def _cpu(run: Callable[[], Any]) -> float:
    started = time.process_time()
    run()
    return time.process_time() - started


def _rounded(rate: float) -> float:
    return round(rate, 1)
