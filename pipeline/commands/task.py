"""task: one task as the task-solving complex of the thesis takes it, with its own options."""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec

from pipeline import api
from pipeline.commands.kernels import announced, prepare
from pipeline.commands.output import (
    SUFFIXES,
    Output,
    Row,
    View,
    checked_place,
    rows_of,
    whole_file,
)
from pipeline.commands.puzzles import give
from pipeline.commands.source import Source
from pipeline.formats import json_puzzles
from pipeline.formats.entry import Entry, Found
from pipeline.formats.files import read_text, source_name
from pipeline.formats.reading import read_found
from workers.errors import ConfigError, ParseError, UsageError
from workers.kinds import registry


class Type(NamedTuple):
    """One type of task: the kind that does it, and the methods of each task, default first."""

    kind: str
    methods: dict[str, tuple[str, ...]]


TYPES = {
    "math": Type("formula", {"solve": ("seed", "best")}),
    "sudoku": Type("sudoku", {"solve": ("brute", "analytic"), "generate": ("opening", "cut")}),
    "cryptarithm": Type("cryptarithm", {"solve": (), "generate": ()}),
}
"""Without methods here, those of the kind are taken."""
RATERS = ("brute", "analytic")
"""What the thesis measures of a puzzle."""
SOLVE_VIEW = View(("puzzle", "status", "level", "iterations", "solution"), "grid")
GENERATE_VIEW = View(("puzzle", "clues", "analytic_level", "brute_iterations"), "puzzle")
JSON = ".json"
PLOTS = (".png", ".svg")


class Task(NamedTuple):
    """A task as it was asked for."""

    kind: api.Kind
    method: str | None
    template: str | None  # the domain of a math task
    source: str | None  # a file, or - for stdin
    path: Path | None


def _as_place(_: click.Context, __: click.Parameter, path: Path | None) -> Path | None:
    return path if path is None else checked_place(path, (JSON, *SUFFIXES, *PLOTS))


@click.command()
@click.option("-t", "--type", "type_name", type=click.Choice(list(TYPES)), required=True,
              help="What the task is about.")  # fmt: skip
@click.option("-a", "--task", "task_name", type=click.Choice(["solve", "generate"]),
              help="What is to be done; math: solve only, and need not be said.")  # fmt: skip
@click.option("-m", "--method", metavar="M",
              help="sudoku: brute or analytic to solve, opening or cut to "
              "generate; math: seed or best.")  # fmt: skip
@click.option("-q", "--template", metavar="T",
              help="math: the subject domain, a shipped one by name or a TOML file.")  # fmt: skip
@click.option("-i", "--input", "source", metavar="FILE",
              help="Puzzles to solve, as text, JSON or (math) TOML (default: stdin), or the "
              "parameters of a generator, as key = value lines or JSON; - is stdin.")  # fmt: skip
@click.option("-o", "--output", "path", metavar="FILE", callback=_as_place,
              type=click.Path(path_type=Path, allow_dash=False),
              help="Write to FILE (.txt, .json, .jsonl, .csv, .parquet); an old FILE is replaced "
              "when the new one is whole.")  # fmt: skip
@click.option("--plot", metavar="NAME",
              help="math: draw what was found for NAME as a graph to -o FILE.png or "
              ".svg.")  # fmt: skip
@click.option("--over", metavar="GIVEN",
              help="math: the given over whose range --plot draws (the first used).")  # fmt: skip
def task(
    type_name: str,
    task_name: str | None,
    method: str | None,
    template: str | None,
    source: str | None,
    path: Path | None,
    plot: str | None,
    over: str | None,
) -> int:
    """Do one task: solve what the input holds, or generate a puzzle.

    A text output has one grid a line: the solution, or how far the method came (math: the log of
    the steps); a JSON output has all there is. Parameters of a generator are count, seed and
    those of a plan: clues, analytic_level, iterations. An input of type math has sections:
    [data] with name = number, [rules] with A = B, [goals] with names, [environment] with
    comparisons.
    """
    task_name = _task_name(type_name, task_name)
    kind = _kind(type_name, task_name)
    methods = TYPES[type_name].methods[task_name]
    if methods and method is not None and method not in methods:
        raise UsageError("-m", f"{type_name} {task_name} has no {method!r}, but "
                         f"{' and '.join(methods)}")  # fmt: skip
    wanted = Task(kind, method or next(iter(methods), None), template, source, path)
    if template is not None and not hasattr(kind, "read_document"):
        raise UsageError("-q", f"{type_name} has no templates")
    _check_plot(path, plot, over)
    if plot is not None:
        return _plot(wanted, plot, over)
    return _solve(wanted) if task_name == "solve" else _generate(wanted)


def _task_name(type_name: str, task_name: str | None) -> str:
    """The task; a type that has one only need not be told."""
    known = list(TYPES[type_name].methods)
    if task_name is None and len(known) > 1:
        raise click.UsageError(f"missing -a: {' or '.join(known)}", click.get_current_context())
    return task_name or known[0]


def _check_plot(path: Path | None, plot: str | None, over: str | None) -> None:
    """A plot goes to a file of its own, and nothing else does."""
    drawn = path is not None and path.suffix.lower() in PLOTS
    if plot is not None and not drawn:
        raise UsageError("--plot", f"needs -o FILE with a name in {' or '.join(PLOTS)}")
    if plot is None and (drawn or over is not None):
        raise UsageError("-o" if drawn else "--over", "only with --plot NAME")


def _plot(wanted: Task, name: str, over: str | None) -> int:
    from pipeline.curve_plot import curve, plot_curve
    from pipeline.plots import require_matplotlib

    require_matplotlib()
    texts = _texts(wanted)
    for text in texts:
        if texts.accepted > 1:
            raise UsageError("--plot", "draws one task, the input has several")
        assert wanted.path is not None
        plot_curve(curve(wanted.kind, text, name, over), wanted.path)
    return texts.exit_code()


def _kind(type_name: str, task_name: str) -> api.Kind:
    """The kind of a type; UsageError when the type has no such task or the kind is not there."""
    if task_name not in TYPES[type_name].methods:
        raise UsageError("-a", f"{type_name} has no {task_name}, only solve")
    name = TYPES[type_name].kind
    if name not in registry.names():
        known = ", ".join(registry.names())
        raise UsageError(
            f"-t {type_name}", f"its kind {name!r} is not installed (installed: {known})"
        )
    return registry.get(name)


def _solve(wanted: Task) -> int:
    texts = _texts(wanted)
    view = SOLVE_VIEW._replace(text=getattr(wanted.kind, "task_text", SOLVE_VIEW.text))
    _put(_solved(wanted, texts), wanted.path, view)
    return texts.exit_code()


def _texts(wanted: Task) -> Source:
    if wanted.source is None and sys.stdin.isatty():
        raise click.UsageError("missing -i FILE", click.get_current_context())
    name = source_name(wanted.source or "-")
    entries = _documents if hasattr(wanted.kind, "read_document") else _entries
    return Source(name, wanted.kind, entries(wanted, name))


def _solved(wanted: Task, texts: Source) -> Iterator[list[Row]]:
    for text in texts:
        with announced(wanted.kind, by_method=True):
            row = wanted.kind.solve(text, wanted.method)
        yield [row]


def _entries(wanted: Task, name: str) -> Iterator[Found]:
    """The puzzles of the input, unparsed."""
    return read_found(wanted.source or "-")


def _documents(wanted: Task, name: str) -> Iterator[Found]:
    """The puzzles of an input as their kind's `read_document` finds them: in a text with
    sections, in TOML (by the file's name), or in JSON, where a list has several."""
    text = read_text(wanted.source or "-")
    contents: list[Any] = [text]
    if name.endswith(".toml"):
        contents = [_toml(text, name)]
    elif text.lstrip().startswith(("{", "[{", '["')):
        found = json_puzzles.decoded(text, name)
        contents = found if isinstance(found, list) else [found]
    read = wanted.kind.read_document  # type: ignore[attr-defined]
    for content in contents:
        try:
            for line, puzzle in read(content, wanted.template):
                yield Entry(line, 1, puzzle)
        except ParseError as wrong:
            raise UsageError(_place(name, text, wrong.position), wrong.what) from None


def _place(name: str, text: str, position: int | None) -> str:
    """`name:line:column` of a position in a text."""
    if position is None:
        return name
    before = text[:position]
    return f"{name}:{before.count(chr(10)) + 1}:{position - before.rfind(chr(10))}"


def _toml(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(name, f"not TOML: {error}") from None


def _generate(wanted: Task) -> int:
    values = {} if wanted.source is None else _parameters(wanted.source)
    count = _whole(values, "count", 1, wanted.source) or 1
    seed = _whole(values, "seed", 0, wanted.source)
    method = {} if wanted.method is None else {"method": wanted.method}
    params = api.checked_params(wanted.kind, {**method, **values})
    if seed is None:
        seed = api.random_seed()
        click.echo(f"seed {seed}", err=True)
    known = tuple(rater for rater in RATERS if rater in wanted.kind.rater_versions)
    prepare(wanted.kind, "generate", known)
    _put(api.generated(wanted.kind, count, seed, params, known or None), wanted.path, GENERATE_VIEW)
    return 0


def _whole(values: dict[str, Any], name: str, least: int, source: str | None) -> int | None:
    """Take a whole number out of the parameters, None where it is not given."""
    value = values.pop(name, None)
    if value is None or (type(value) is int and value >= least):
        return value
    what = f"{name}: {value!r} is no whole number from {least}"
    raise ConfigError(source_name(source or "-"), what)


def _parameters(source: str) -> dict[str, Any]:
    """The parameters in a file: a JSON object or TOML."""
    name, text = source_name(source), read_text(source)
    if json_puzzles.looks_like_json(text):
        found = json_puzzles.decoded(text, name)
        if not isinstance(found, dict):
            raise ConfigError(name, "parameters are an object: {...}")
        return found
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(name, f"neither JSON nor key = value lines ({error})") from None


def _put(batches: Iterator[Any], path: Path | None, view: View) -> None:
    """Write rows to a file in the format of its name, or for a person."""
    if path is None or path.suffix.lower() != JSON:
        give(batches, Output(False, False, path), view)
        return
    rows = [row for batch in batches for row in rows_of(batch)]
    with whole_file(path) as aside:
        document = msgspec.json.encode(rows[0] if len(rows) == 1 else rows)
        aside.write_bytes(msgspec.json.format(document, indent=2) + b"\n")
