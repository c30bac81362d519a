"""Puzzles that must not be in a book again: those of a ledger, of files, of printed books.

ledger:calm-sudoku     all volumes of a series that are not void; `ledger:*` of every series
vol1.pdf               a printed book, read back
vol2.parquet           any file of puzzles; keys are taken from it where it has them
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from pipeline import api
from pipeline.book.ledger import open_ledger
from pipeline.formats.entry import Entry
from pipeline.formats.reading import parse_entries, read_found
from workers.errors import UsageError

ROWS = 500  # what `api.graded` gives at a time


class Identity(NamedTuple):
    """What a puzzle is told by: its text, its class, the class of its solution."""

    puzzle: str
    key: bytes
    solution_key: bytes


class Exclusions:
    """Sets of what was printed; `depth` says which of them counts."""

    def __init__(self, depth: str) -> None:
        self.depth = depth
        self._puzzles: set[str] = set()
        self._keys: set[bytes] = set()
        self._solutions: set[bytes] = set()

    def add(self, identity: Identity) -> None:
        """Exclude a puzzle from now on."""
        self._puzzles.add(identity.puzzle)
        self._keys.add(identity.key)
        self._solutions.add(identity.solution_key)

    def __contains__(self, identity: Identity) -> bool:
        if self.depth == "string":
            return identity.puzzle in self._puzzles
        if self.depth == "isomorph":
            return identity.key in self._keys
        return identity.solution_key in self._solutions

    def __len__(self) -> int:
        return len(self._puzzles)


def read_exclusions(
    sources: Sequence[str], depth: str, ledger: Path, but: tuple[str, int] | None
) -> Exclusions:
    """What all sources exclude; `but` is a volume of the ledger that does not count."""
    found = Exclusions(depth)
    for source in sources:
        for identity in _identities(source, ledger, but):
            found.add(identity)
    return found


def _identities(source: str, ledger: Path, but: tuple[str, int] | None) -> Iterable[Identity]:
    if source.startswith("ledger:"):
        series = source.removeprefix("ledger:")
        if not ledger.is_file():
            return []  # the first volume of all
        with open_ledger(ledger) as opened:
            printed = opened.taken(None if series == "*" else series, but)
        return [Identity(one.puzzle, one.key, one.solution_key) for one in printed]
    path = Path(source)
    if path.suffix.lower() == ".pdf":
        from pipeline.book.check.recover import read_puzzles

        return identities([one.clues for one in read_puzzles(path)])
    return identities(_file_puzzles(path))


def _file_puzzles(path: Path) -> list[str]:
    kind = api.find_kind("sudoku", [])
    puzzles = []
    for one in parse_entries(read_found(path), kind.parse):
        if not isinstance(one, tuple) or not isinstance(one[0], Entry):
            raise UsageError(path, "has a line that is no Sudoku; an exclusion list must be whole")
        puzzles.append(one[1])
    return puzzles


def identities(puzzles: Sequence[str]) -> list[Identity]:
    """What each puzzle is told by; a puzzle without one solution has an empty solution class."""
    kind = api.find_kind("sudoku", [])
    found = []
    for start in range(0, len(puzzles), ROWS):
        part = puzzles[start : start + ROWS]
        table = next(api.graded(kind, part, ()))
        columns = [table.column(name).to_pylist() for name in ("puzzle", "key", "solution_key")]
        found += [Identity(text, key, sol or b"") for text, key, sol in zip(*columns, strict=True)]
    return found
