"""The list that a run grades, as it lies in the run folder: read by row, and held to its hashes.

input/lines.txt          normalised texts, padded with spaces to one width, one a line
input/source_line.i64    for every row its line in the list, int64 little endian, from 1
input/rejects.jsonl      what was no puzzle: line, column, reason, text
"""

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.contracts import InputFacts, Texts
from workers.disk import file_hash
from workers.errors import IntegrityError

FOLDER = "input"
LINES, SOURCE_LINE, REJECTS = FILES = ("lines.txt", "source_line.i64", "rejects.jsonl")
CHANGED = "has changed since the run was made"
REMEDY = "put it back as it was, or start anew with --new-run"


class _Stamp(NamedTuple):
    """What tells a file from one that has been written since."""

    inode: int
    size: int
    mtime_ns: int


def input_facts(folder: Path, rows: int, width: int) -> InputFacts:
    """The facts of the three files in `folder`, of so many rows and bytes a line."""
    lines, numbers, rejects = (file_hash(folder / name) or "" for name in FILES)
    return InputFacts(rows, width, lines=lines, source_line=numbers, rejects=rejects)


def input_faults(run_dir: Path, facts: InputFacts) -> Iterator[tuple[Path, str]]:
    """(file, what is wrong) for every file of a run's input that is not what it was.

    A file is read whole when it was not since it last changed, so a second look is cheap.
    """
    for path, recorded in _recorded(run_dir, facts):
        try:
            if _hash_now(path) != recorded:
                yield path, CHANGED
        except FileNotFoundError:
            yield path, "is missing"


def check_input(run_dir: Path, facts: InputFacts) -> None:
    """Raises IntegrityError(file, what) unless the input is what it was when the run was made."""
    for path, what in input_faults(run_dir, facts):
        raise IntegrityError(str(path), f"{what}; {REMEDY}")


def read_input(
    run_dir: Path, facts: InputFacts, first: int, last: int
) -> tuple[Texts, NDArray[np.int64]]:
    """Rows first..last-1: texts (n, width) and their source lines (n,).

    Raises IntegrityError when a file has changed, FileNotFoundError when it is not there now.
    """
    for path, recorded in _recorded(run_dir, facts):
        if _hash_now(path) != recorded:
            raise IntegrityError(str(path), f"{CHANGED}; {REMEDY}")
    path = run_dir / FOLDER / LINES
    count, step = last - first, facts.width + 1
    found = np.fromfile(path, np.uint8, count * step, offset=first * step)
    lines = np.fromfile(path.with_name(SOURCE_LINE), "<i8", count, offset=first * 8)
    if len(found) != count * step or len(lines) != count:
        raise IntegrityError(str(path), f"ends before row {last}")
    texts = found.reshape(count, step)[:, :-1]  # without the line ends
    return np.ascontiguousarray(texts), lines.astype(np.int64, copy=False)


def _recorded(run_dir: Path, facts: InputFacts) -> Iterator[tuple[Path, str]]:
    hashes = (facts.lines, facts.source_line, facts.rejects)
    for name, recorded in zip(FILES, hashes, strict=True):
        yield run_dir / FOLDER / name, recorded


def _hash_now(path: Path) -> str | None:
    found = path.stat()
    return _hash(str(path), _Stamp(found.st_ino, found.st_size, found.st_mtime_ns))


@functools.lru_cache(maxsize=64)
def _hash(path: str, stamp: _Stamp) -> str | None:
    return file_hash(Path(path))
