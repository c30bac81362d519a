"""Puzzles for an order: enough of every level, none twice, each rated again before it is taken.

Which puzzles of a corpus are taken depends on the seed and their keys alone, not on the order of
rows or files.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from pipeline import api
from pipeline.book.exclusions import Exclusions, Identity
from pipeline.book.order import Order, Section, Select
from pipeline.corpus.reading import Corpus, open_corpus
from pipeline.levels import Levels, load_levels
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.seeds.brute_all import brute_solutions
from workers.engines.sudoku.text import format_text, parse_text
from workers.errors import ConfigError, IntegrityError

RATERS: Final = ("basic", "hodoku")
COLUMNS: Final = ("puzzle", "solution", "key", "solution_key", "clues", "minimal", "symmetry",
                  "hodoku_score", "level", "level_rank", "hardest_technique")  # fmt: skip
DRAWN_AT_ONCE: Final = 1000
FILL_JOBS: Final = 400
"""Of 250 puzzles each, generated at most to fill what the corpora lack."""


class Chosen(NamedTuple):
    """A puzzle of the book, with the columns of its corpus row."""

    puzzle: str
    solution: str
    key: bytes
    solution_key: bytes
    clues: int
    minimal: bool
    symmetry: str
    score: int
    level: str
    rank: int
    hardest: str

    @property
    def identity(self) -> Identity:
        """What it is told by."""
        return Identity(self.puzzle, self.key, self.solution_key)


class Sources(NamedTuple):
    """Where puzzles come from: opened corpora, the levels they have, and what names them."""

    corpora: list[Corpus]
    levels: Levels
    contents: list[str]  # content hashes
    rater_versions: dict[str, int]


class Selection(NamedTuple):
    """Puzzles by section, in the order of the book; what is missing by level."""

    sections: list[list[Chosen]]
    deficit: dict[str, int]
    generated: int
    candidates: dict[str, int]  # level -> rows of the corpora that could have been taken


def open_sources(paths: Sequence[str | Path]) -> Sources:
    """Open the corpora of an order; ConfigError when their levels or raters differ."""
    kind = api.find_kind("sudoku", [])
    versions = {rater: kind.rater_versions[rater] for rater in RATERS}
    opened = [open_corpus(path) for path in paths]
    tables = [one.manifest.levels for one in opened]
    for one, table in zip(opened, tables, strict=True):
        if one.manifest.kind != "sudoku" or table is None:
            raise ConfigError(one.folder, "is no corpus of Sudokus with levels")
        if table != tables[0]:
            raise ConfigError(one.folder, "has other levels than the first corpus of the order")
        for rater, version in versions.items():
            made = one.manifest.rater_versions.get(rater)
            if made != version:
                what = f"was rated by {rater} {made}; here is {version}: grade it again"
                raise ConfigError(one.folder, what)
    levels = Levels.from_table(tables[0]) if tables and tables[0] else load_levels("levels-1")
    return Sources(opened, levels, [one.manifest.content for one in opened], versions)


def select(order: Order, sources: Sources, excluded: Exclusions, fill: bool) -> Selection:
    """Choose the puzzles; with `fill` what the corpora lack is generated.

    Adds what is chosen to `excluded`. Raises ConfigError for a level that there is not,
    IntegrityError when a row of a corpus is not what its columns say.
    """
    for section in order.section:
        if section.level not in sources.levels.names:
            known = ", ".join(sources.levels.names)
            raise ConfigError("section", f"no level {section.level!r} (known: {known})")
    picker = _Picker(order, excluded)
    rows, candidates = _corpus_rows(order, sources)
    picker.offer(rows)
    generated = 0
    if fill and picker.deficit:
        for made in _generated_rows(order, sources):
            generated += picker.offer(made)
            if not picker.deficit:
                break
    sections = [_ordered(part, order) for part in picker.sections()]
    verify([one for part in sections for one in part], sources.levels)
    return Selection(sections, picker.deficit, generated, dict(candidates))


class _Picker:
    """Takes puzzles as they are offered, as long as their level is wanted."""

    def __init__(self, order: Order, excluded: Exclusions) -> None:
        self._order, self._excluded = order, excluded
        self._taken: dict[str, list[Chosen]] = {}
        self._classes: Counter[bytes] = Counter()
        self._wanted: Counter[str] = Counter()
        for section in order.section:
            self._wanted[section.level] += section.count

    @property
    def deficit(self) -> dict[str, int]:
        missing = {
            level: count - len(self._taken.get(level, ())) for level, count in self._wanted.items()
        }
        return {level: count for level, count in missing.items() if count}

    def offer(self, rows: Iterable[Chosen]) -> int:
        """How many of the rows were taken."""
        most = self._order.select.max_same_solution_class
        before = sum(map(len, self._taken.values()))
        for row in rows:
            if not self.deficit:
                break
            taken = self._taken.setdefault(row.level, [])
            if len(taken) >= self._wanted[row.level] or row.identity in self._excluded:
                continue
            if most and self._classes[row.solution_key] >= most:
                continue
            self._excluded.add(row.identity)
            self._classes[row.solution_key] += 1
            taken.append(row)
        return sum(map(len, self._taken.values())) - before

    def sections(self) -> Iterator[list[Chosen]]:
        """What was taken, level by level shared out among the sections of a level."""
        left = {level: iter(taken) for level, taken in self._taken.items()}
        for section in self._order.section:
            rows = left.get(section.level, iter(()))
            yield [row for row, _ in zip(rows, range(section.count), strict=False)]


def _ordered(rows: list[Chosen], order: Order) -> list[Chosen]:
    if order.select.order == "score":
        return sorted(rows, key=lambda row: (row.rank, row.score, row.key))
    return rows


def _corpus_rows(order: Order, sources: Sources) -> tuple[Iterator[Chosen], Counter[str]]:
    """The rows that fit the order, in an order that seed and keys give, and how many by level."""
    where = _filter(order)
    tables = [corpus.read(COLUMNS, where) for corpus in sources.corpora]
    if not tables:
        return iter(()), Counter()
    table = pa.concat_tables([one.replace_schema_metadata(None) for one in tables])
    seed = str(order.book.seed).encode()
    keys: list[Any] = table.column("key").to_pylist()
    drawn = [hashlib.blake2b(key, key=seed, digest_size=8).digest() for key in keys]
    places = np.argsort(np.array(drawn, "S8"), kind="stable")
    levels: list[Any] = table.column("level").to_pylist()
    parts = (
        places[start : start + DRAWN_AT_ONCE] for start in range(0, len(places), DRAWN_AT_ONCE)
    )
    return (row for part in parts for row in _rows(table.take(part))), Counter(levels)


def _filter(order: Order) -> str:
    wanted, levels = order.select, sorted({section.level for section in order.section})
    parts = [
        "n_solutions == 1",
        f"level in [{', '.join(map(repr, levels))}]",
        f"clues in {wanted.clues.min}..{wanted.clues.max}",
    ]
    if wanted.symmetry != "any":
        parts.append(f"symmetry in [{', '.join(map(repr, wanted.symmetry))}]")
    return " and ".join([*parts, *(["minimal"] if wanted.minimal else [])])


def _rows(table: pa.Table) -> list[Chosen]:
    columns = [table.column(name).to_pylist() for name in COLUMNS]
    return [
        Chosen(text, solved, key, grid, clues, bool(least), symmetry, score or 0, level, rank,
               hardest or "")
        for text, solved, key, grid, clues, least, symmetry, score, level, rank, hardest
        in zip(*columns, strict=True)
    ]  # fmt: skip


def _generated_rows(order: Order, sources: Sources) -> Iterator[list[Chosen]]:
    """New puzzles as the order wants them, job by job."""
    kind = api.find_kind("sudoku", [])
    wanted = order.select
    symmetries: Sequence[str] = ["none"] if wanted.symmetry == "any" else wanted.symmetry
    tables: list[Iterator[pa.Table]] = []
    for place, symmetry in enumerate(symmetries):
        settings: dict[str, Any] = {"symmetry": symmetry}
        if (wanted.clues.min, wanted.clues.max) != (17, 81):
            settings["clues"] = (wanted.clues.min, wanted.clues.max)
        params = api.checked_params(kind, settings)
        seed = (order.book.seed + place) % api.SEEDS
        tables.append(api.generated(kind, FILL_JOBS * api.JOB_ROWS, seed, params, RATERS))
    for _ in range(FILL_JOBS):
        for source in tables:
            table = next(source, None)
            if table is None:
                return
            yield [row for row in _rows(_levelled(table, sources.levels)) if _fits(row, wanted)]


def _levelled(table: pa.Table, levels: Levels) -> pa.Table:
    table = table.drop_columns(
        [one for one in ("level", "level_rank") if one in table.schema.names]
    )
    level, rank = levels.apply(table)
    return table.append_column("level", level).append_column("level_rank", rank)


def _fits(row: Chosen, wanted: Select) -> bool:
    right = wanted.symmetry == "any" or row.symmetry in wanted.symmetry
    return (
        right
        and wanted.clues.min <= row.clues <= wanted.clues.max
        and (row.minimal or not wanted.minimal)
    )


def verify(rows: Sequence[Chosen], levels: Levels) -> None:
    """Rate and solve all rows again, by two solvers; IntegrityError names the first that differs.

    A corpus may have been changed, and a book cannot be called back.
    """
    if not rows:
        return
    kind = api.find_kind("sudoku", [])
    tables = api.graded(kind, [row.puzzle for row in rows], RATERS)
    again = [new for table in tables for new in _rows(_levelled(table, levels))]
    for row, new in zip(rows, again, strict=True):
        if row != new:
            names = [name for name in Chosen._fields if getattr(row, name) != getattr(new, name)]
            what = f"rated again it has another {', '.join(names)} than its row says"
            raise IntegrityError(row.puzzle, what)
    digits = np.array([parse_text(row.puzzle) for row in rows])
    if not (solve_batch(digits).counts == 1).all() or any(
        only_solution(row.puzzle) != row.solution for row in rows
    ):
        raise IntegrityError("selection", "a puzzle has not exactly one solution")


def only_solution(puzzle: str) -> str | None:
    """The solution of a puzzle when brute force finds one and no other, else None."""
    found = brute_solutions(parse_text(puzzle), 2)
    return format_text(found.solutions[0]) if len(found.solutions) == 1 else None


def shortage(sections: Sequence[Section], deficit: dict[str, int]) -> str:
    """What is missing, for a person."""
    wanted: Counter[str] = Counter()
    for section in sections:
        wanted[section.level] += section.count
    parts = [f"{count} of {wanted[level]} {level}" for level, count in deficit.items()]
    return f"missing are {', '.join(parts)}"
