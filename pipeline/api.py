"""Puzzlemill from Python: solve, grade, generate, canonical, explain, render, open_corpus.

    >>> from pipeline import api
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> api.solve(puzzle)["solution"][:9]
    '534678912'
    >>> row = api.grade(puzzle).iloc[0]
    >>> int(row["clues"]), row["level"]
    (30, 'easy')

Functions take texts of any registered kind, and tell the kind from the text unless it is named.
Wrong input raises `workers.errors.UsageError`. The first call compiles kernels, once per machine.
"""

import secrets
import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pyarrow as pa

from workers.contracts import Texts
from workers.errors import ParamsError, ParseError, UsageError
from workers.jobs import job_seed
from workers.kinds import registry
from workers.kinds.protocol import PuzzleKind
from workers.tables import Origin, shard_schema, table_from_columns

if TYPE_CHECKING:
    import pandas as pd

    from pipeline.corpus.reading import Corpus
    from pipeline.render.drawing import Drawing
    from pipeline.target_search import TargetSearch

__all__ = ["canonical", "explain", "generate", "grade", "open_corpus", "render", "solve"]

Kind = PuzzleKind[Any]
DEFAULT_KIND = "sudoku"
JOB_ROWS = 250
"""Rows of a job: those of a plan that says nothing, unless all its raters are light."""
GRADE_ROWS = 500  # graded at a time, so that a long list shows results as they come
SEEDS = 2**63
WALKS = "vicinity"
"""The method of generation that makes for goals."""


def solve(
    text: str, kind: str | None = None, method: str | None = None, limit: int = 2, **options: Any
) -> dict[str, Any]:
    """What solving one puzzle gives: the keys of `puzzlemill solve --json`.

    Up to `limit` solutions are looked for: with the default, n_solutions 2 means more than one.
    `options` are those of the method, such as max_level of analytic.
    """
    of_kind = find_kind(kind, [text])
    return of_kind.solve(of_kind.parse(text), method, limit, options)


def grade(
    texts: str | Iterable[str], kind: str | None = None, raters: Sequence[str] | None = None
) -> "pd.DataFrame":
    """One row for every puzzle, in order, with the corpus columns of the raters."""
    listed = [texts] if isinstance(texts, str) else list(texts)
    of_kind = find_kind(kind, listed)
    parsed = [of_kind.parse(text) for text in listed]
    return frame(graded(of_kind, parsed, raters))


def generate(
    count: int = 1,
    seed: int | None = None,
    kind: str = DEFAULT_KIND,
    raters: Sequence[str] | None = None,
    target: str | None = None,
    tries: int | None = None,
    **params: Any,
) -> "pd.DataFrame":
    """`count` new puzzles, one a row; the same for the same seed. Without a seed a random one.

    `params` are the kind's generation parameters. The seed column is the seed of the job. With a
    `target` (a filter as in `corpus query`) only puzzles that pass it; when `tries` puzzles (1,000
    for each one wanted) do not give enough, there are fewer rows, and a warning says so.
    """
    of_kind = find_kind(kind, [])
    root = random_seed() if seed is None else seed
    if target is None:
        return frame(generated(of_kind, count, root, checked_params(of_kind, params), raters))
    search = target_search(target, of_kind, raters)
    checked = checked_params(of_kind, steered(params, search))
    found = frame(aimed(search, of_kind, count, root, checked, raters, tries))
    if len(found) < count:
        warnings.warn(f"{len(found)} rows, not {count}: {search.told}", stacklevel=2)
    return found


def canonical(text: str, kind: str | None = None) -> str | None:
    """The canonical form of one puzzle, the same for all equivalent ones; None over budget."""
    of_kind = find_kind(kind, [text])
    (table,) = canonicals(of_kind, [of_kind.parse(text)])
    form: str | None = table.column("canonical")[0].as_py()
    return form


def explain(
    text: str, kind: str | None = None, scheme: str | None = None, **options: Any
) -> list[dict[str, Any]]:
    """The steps by which a person can solve one puzzle; `options` are those of the scheme."""
    of_kind = find_kind(kind, [text])
    return of_kind.explain(of_kind.parse(text), scheme, options)


def render(
    text: str,
    kind: str | None = None,
    solution: bool = False,
    candidates: bool = False,
    pixels: int = 480,
) -> "Drawing":
    """A drawing of one puzzle, which a notebook shows; `.svg`, `.png()` and `.save(path)` give it.

    With `solution` the digits of its only solution are shown, lighter than the clues.
    """
    from pipeline.render.drawing import draw

    of_kind = find_kind(kind, [text])
    puzzle = of_kind.parse(text)
    solved = of_kind.solve(puzzle)["solution"] if solution else None
    return draw(puzzle, solved, candidates, pixels)


def open_corpus(path: str | Path) -> "Corpus":
    """The corpus in a folder, or that of a run's folder, to be read whole or batch by batch."""
    from pipeline.corpus import reading

    return reading.open_corpus(path)


def find_kind(name: str | None, texts: Sequence[str]) -> Kind:
    """The kind of that name, or the one whose parser takes most of the texts.

    Where no parser takes any, the kind whose `sign` (a pattern, if it has one) most of them bear.
    """
    if name is not None:
        return registry.get(name)
    kinds: list[Kind] = [registry.get(name) for name in registry.names()]
    taken = [sum(is_text_of(kind, text) for text in texts) for kind in kinds]
    if not any(taken):
        signs = [getattr(kind, "sign", None) for kind in kinds]
        taken = [sum(sign is not None and bool(sign.search(text)) for text in texts)
                 for sign in signs]  # fmt: skip
    if not any(taken):
        return registry.get(DEFAULT_KIND)  # whose parser then says what is wrong
    return kinds[taken.index(max(taken))]


def is_text_of(kind: Kind, text: str) -> bool:
    """True when the kind's parser takes the text."""
    try:
        kind.parse(text)
    except ParseError:
        return False
    return True


def graded(
    kind: Kind, texts: Iterable[str], raters: Sequence[str] | None = None
) -> Iterator[pa.Table]:
    """Tables with a row for every text (parsed already), as they are ready, with levels."""
    chosen = checked_raters(kind, raters)
    rows = iter(texts)
    while part := list(islice(rows, GRADE_ROWS)):
        yield _with_level(kind, _graded_part(kind, part, chosen))


def canonicals(kind: Kind, texts: Iterable[str]) -> Iterator[pa.Table]:
    """Tables with puzzle, canonical form, automorphisms and key of every text."""
    if "canonical" not in kind.schema(()).names:
        raise UsageError(kind.name, "this kind has no canonical form")
    rows = iter(texts)
    while part := list(islice(rows, GRADE_ROWS)):
        table = _graded_part(kind, part, ())
        yield table.select(["puzzle", "canonical", "automorphisms", "key"])


def generated(
    kind: Kind, count: int, seed: int, params: Any, raters: Sequence[str] | None = None
) -> Iterator[pa.Table]:
    """Tables with `count` new puzzles: those of a plan with this seed, before deduplication."""
    if not 0 <= seed < SEEDS:
        raise UsageError("seed", f"{seed} is not in 0..2**63-1")
    chosen = checked_raters(kind, raters)
    for job in range(-(-count // JOB_ROWS)):
        own = job_seed(seed, job)
        rows = min(JOB_ROWS, count - job * JOB_ROWS)
        columns = kind.generate(own, rows, params, chosen)
        yield _with_level(kind, _table(kind, columns, chosen, Origin(job, own, None)))


def target_search(target: str, kind: Kind, raters: Sequence[str] | None) -> "TargetSearch":
    """A search for rows of these raters that pass the target; UsageError when it is wrong."""
    from pipeline.target_search import TargetSearch

    return TargetSearch(target, kind, checked_raters(kind, raters))


def steered(params: dict[str, Any], search: "TargetSearch") -> dict[str, Any]:
    """Generation parameters with the goals of the target, where there are walks without goals."""
    if params.get("method") != WALKS or "goals" in params:
        return params
    return {**params, "goals": search.goals}


def aimed(
    search: "TargetSearch",
    kind: Kind,
    count: int,
    seed: int,
    params: Any,
    raters: Sequence[str] | None = None,
    tries: int | None = None,
) -> Iterator[pa.Table]:
    """Tables with `count` new puzzles that pass the target, or fewer where `tries` do not do.

    They are those of a plan with this seed and target, before deduplication.
    """
    from pipeline.target_search import TRIES

    most = tries if tries is not None else TRIES * count
    jobs = -(-most // JOB_ROWS)
    return search.tables(generated(kind, jobs * JOB_ROWS, seed, params, raters), count, most)


def cut_paths(kind: Kind, count: int, seed: int, params: Any) -> Iterator[list[dict[str, Any]]]:
    """The difficulty after each removal, for the puzzles `generated` makes of the same by cut.

    `number` counts the puzzles from 0. Raises UsageError for a kind that does not cut.
    """
    cut_path = getattr(kind, "cut_path", None)
    if cut_path is None:
        raise UsageError(kind.name, "this kind has no path of removals")
    for job in range(-(-count // JOB_ROWS)):
        first = job * JOB_ROWS
        rows = cut_path(job_seed(seed, job), params, min(JOB_ROWS, count - first))
        yield [{**row, "number": row["number"] + first} for row in rows]


def checked_raters(kind: Kind, raters: Sequence[str] | None) -> tuple[str, ...]:
    """The raters asked for, or the kind's own choice; UsageError names the known ones."""
    if raters is None:
        return tuple(kind.default_raters)
    for rater in raters:
        if rater not in kind.rater_versions:
            known = ", ".join(kind.rater_versions)
            raise UsageError("raters", f"{kind.name} has no {rater!r} (known: {known})")
    return tuple(raters)


def checked_params(kind: Kind, params: dict[str, Any]) -> Any:
    """The kind's parameters with these values and its defaults; ParamsError names the wrong one."""
    known = [field.name for field in msgspec.structs.fields(kind.params_type)]
    for name in params:
        if name not in known:
            raise ParamsError(name, f"unknown (known: {', '.join(known) or 'none'})")
    try:
        return msgspec.convert(params, kind.params_type)
    except msgspec.ValidationError as wrong:
        what, _, where = str(wrong).partition(" - at `$.")
        raise ParamsError(where.rstrip("`") or kind.name, what) from None


def random_seed() -> int:
    """A seed nobody can foresee."""
    return secrets.randbelow(SEEDS)


def frame(tables: Iterable[pa.Table]) -> "pd.DataFrame":
    """Tables of one schema as one DataFrame with Arrow types: a null stays a null."""
    import pandas as pd

    found: pd.DataFrame = pa.concat_tables(tables).to_pandas(types_mapper=pd.ArrowDtype)
    return found


def packed(texts: Sequence[str]) -> Texts:
    """Texts as bytes (n, width), padded with spaces on the right."""
    lines = [text.encode() for text in texts]
    width = max(map(len, lines))
    return np.frombuffer(b"".join(line.ljust(width) for line in lines), np.uint8).reshape(-1, width)


def rated(kind: Kind, texts: Sequence[str], raters: tuple[str, ...], params: Any) -> pa.Table:
    """A row for every text (parsed already), with the columns of the raters and no level."""
    return _table(kind, kind.grade(packed(texts), params, raters), raters, None)


def _graded_part(kind: Kind, part: Sequence[str], raters: tuple[str, ...]) -> pa.Table:
    return rated(kind, part, raters, kind.params_type())


def _table(kind: Kind, columns: Any, raters: tuple[str, ...], origin: Origin | None) -> pa.Table:
    schema = shard_schema(kind.schema(raters))
    table = table_from_columns(columns, schema, origin or Origin(0, None, None))
    return table if origin else table.drop_columns(["job", "row", "seed", "source_line"])


def _with_level(kind: Kind, table: pa.Table) -> pa.Table:
    """The table with level, level_rank and predicted minutes, where its columns give them."""
    if kind.default_levels is None:
        return table
    from pipeline.levels import load_levels

    levels = load_levels(kind.default_levels)
    by_time = getattr(kind, "time_levels", None)
    if by_time is not None and not set(levels.columns) <= set(table.column_names):
        timed = load_levels(by_time)
        levels = timed if set(timed.columns) <= set(table.column_names) else levels
    table = levels.with_minutes(table)
    level, rank = levels.apply(table)
    return table.append_column("level", level).append_column("level_rank", rank)
