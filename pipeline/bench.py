"""Speed of the engines in CPU seconds, beside other programs when they are given.

Every figure is a median over rounds; a peer runs once a round, right after our own solver, and
ratios are medians of the ratios of a round, because a machine's speed drifts more between rounds
than within one. What precedes the first answer (compiling kernels, or loading them; the start of a
peer) is told apart.
"""

import math
import os
import shlex
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.formats.reading import read_lines
from workers.engines.machine.random import seeded
from workers.engines.sudoku.backdoors import backdoors
from workers.engines.sudoku.canon import canonical_batch
from workers.engines.sudoku.generate import minimal_puzzles
from workers.engines.sudoku.grade import grade_batch
from workers.engines.sudoku.properties import minimal, symmetry
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.text import parse_text, texts_from_digits
from workers.engines.sudoku.vicinity import neighbours
from workers.errors import UsageError

SEED = 1
GENERATED_LIST = 2_000
SAMPLE = 1_000  # puzzles of a list for everything but solving
GENERATED_AT_ONCE = 250
PEER_GENERATED = 5_000
LEAST_S = 0.3  # CPU seconds of a timing; short lists are repeated
MOST_COPIES = 1_000  # of a list, for peers

Digits = NDArray[np.uint8]


class Task(NamedTuple):
    """Something that is done with the puzzles of a list."""

    run: Callable[[Digits, Digits], Any]  # puzzles and solutions, (n, 81) each
    unique: bool  # only with those that have one solution


TASKS: Mapping[str, Task] = {
    "canonical": Task(lambda puzzles, _: canonical_batch(puzzles), False),
    "symmetry": Task(lambda puzzles, _: symmetry(puzzles), False),
    "minimal": Task(minimal, True),
    "backdoors": Task(backdoors, True),
    "vicinity": Task(lambda puzzles, _: neighbours(seeded(SEED), puzzles, 3), True),
    "grade": Task(lambda puzzles, _: grade_batch(puzzles), True),
}
BENCHES = ("generate", "solve", *TASKS)


class Figure(NamedTuple):
    """One line of the benchmark table."""

    bench: str
    list: str
    n: int  # puzzles a pass
    per_cpu_second: float
    compile_s: float | None  # CPU seconds before the first answer; a peer's with nothing to do
    peer: str | None  # None: this program
    ratio: float | None  # ours over the peer's


class PuzzleList(NamedTuple):
    """A list to solve: what engines read, and the file that peers read."""

    name: str
    path: Path
    digits: Digits  # (n, 81)


def figures(
    lists: Sequence[Path],
    peers: Mapping[str, str],
    benches: Sequence[str],
    rounds: int,
    generators: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Figure]:
    """The lines of the table, each as soon as it is measured."""
    with tempfile.TemporaryDirectory(prefix="puzzlemill-") as name:
        folder = Path(name)
        if "generate" in benches:
            yield from _generator(generators, rounds)
        for puzzles in [open_list(path) for path in lists] or [generated_list(folder)]:
            if "solve" in benches:
                yield from _solver(puzzles, peers, rounds, folder)
            yield from _tasks(puzzles, [name for name in TASKS if name in benches], rounds)


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


def start_seconds_of(command: Sequence[str]) -> float | None:
    """CPU seconds of a peer that has nothing to do; None when it fails at that."""
    try:
        return round(min(cpu_seconds_of(command) for _ in range(3)), 3)
    except UsageError:
        return None


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


def _generator(generators: Mapping[str, str], rounds: int) -> Iterator[Figure]:
    state = seeded(SEED)
    first = round(_cpu(lambda: minimal_puzzles(state, 1)), 3)
    runs = {name: [*shlex.split(text), str(PEER_GENERATED)] for name, text in generators.items()}
    starts = {name: start_seconds_of([*command[:-1], "1"]) for name, command in runs.items()}
    ours, theirs = _rounds(lambda: minimal_puzzles(state, GENERATED_AT_ONCE), runs, rounds)
    bench = Own("generate", f"seed {SEED}", GENERATED_AT_ONCE, first)
    yield from _compared(bench, ours, PEER_GENERATED, theirs, starts)


def _solver(
    puzzles: PuzzleList, peers: Mapping[str, str], rounds: int, folder: Path
) -> Iterator[Figure]:
    first = _first_answer(solve_batch, puzzles.digits)
    empty = folder / "empty.txt"
    empty.touch()
    path, count = _long_enough(puzzles, folder) if peers else (puzzles.path, 0)
    runs = {name: [*shlex.split(text), str(path)] for name, text in peers.items()}
    starts = {name: start_seconds_of([*command[:-1], str(empty)]) for name, command in runs.items()}
    ours, theirs = _rounds(lambda: solve_batch(puzzles.digits, limit=2), runs, rounds)
    own = Own("solve", puzzles.name, len(puzzles.digits), first)
    yield from _compared(own, ours, count, theirs, starts)


def _long_enough(puzzles: PuzzleList, folder: Path) -> tuple[Path, int]:
    """A list for peers that takes our own solver LEAST_S, and its length: copies of a short one."""
    once = _cpu(lambda: solve_batch(puzzles.digits, limit=2))
    copies = min(MOST_COPIES, math.ceil(LEAST_S / max(once, 1e-6)))
    if copies <= 1:
        return puzzles.path, len(puzzles.digits)
    path = folder / f"{puzzles.name}-{copies}.txt"
    lines = "".join(row.tobytes().decode() + "\n" for row in texts_from_digits(puzzles.digits))
    path.write_text(lines * copies)
    return path, len(puzzles.digits) * copies


class Own(NamedTuple):
    """What was measured here: the first fields of a Figure."""

    bench: str
    list: str
    n: int
    compile_s: float


def _rounds(
    run: Callable[[], Any], peers: Mapping[str, Sequence[str]], rounds: int
) -> tuple[list[float], dict[str, list[float]]]:
    """CPU seconds of our own run and of each peer's, a figure a round, taken in turns."""
    ours: list[float] = []
    theirs: dict[str, list[float]] = {name: [] for name in peers}
    for _ in range(rounds):
        ours.append(_repeated(run))
        for name, command in peers.items():
            theirs[name].append(cpu_seconds_of(command))
    return ours, theirs


def _compared(
    own: Own,
    ours: Sequence[float],
    count: int,
    theirs: Mapping[str, Sequence[float]],
    starts: Mapping[str, float | None],
) -> Iterator[Figure]:
    """Our own line, and one for each peer, whose runs are over `count` puzzles."""
    rate = own.n / statistics.median(ours)
    yield Figure(own.bench, own.list, own.n, _rounded(rate), own.compile_s, None, None)
    for name, whole in theirs.items():
        start = starts[name]
        seconds = [max(one - (start or 0.0), 1e-9) for one in whole]
        rate = _rounded(count / statistics.median(seconds))
        pairs = zip(seconds, ours, strict=True)
        ratio = statistics.median((peer / count) / (mine / own.n) for peer, mine in pairs)
        yield Figure(own.bench, own.list, count, rate, start, name, round(ratio, 3))


def _tasks(puzzles: PuzzleList, names: Sequence[str], rounds: int) -> Iterator[Figure]:
    if not names:
        return
    sample = puzzles.digits[:SAMPLE]
    found = solve_batch(sample)
    unique = found.counts == 1
    for name in names:
        task = TASKS[name]
        digits, solutions = sample, found.solutions
        if task.unique:
            digits, solutions = sample[unique], found.solutions[unique]
        if len(digits):
            yield _measured(name, puzzles.name, digits, solutions, rounds)


def _measured(bench: str, name: str, digits: Digits, solutions: Digits, rounds: int) -> Figure:
    run = TASKS[bench].run
    first = round(_cpu(lambda: run(digits[:1], solutions[:1])), 3)
    seconds = [_repeated(lambda: run(digits, solutions)) for _ in range(rounds)]
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
