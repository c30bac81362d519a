"""The formula kind: tasks of a domain, solved by auxiliary tasks.

formula.py            the kind itself
formula_params.py     settings of generation
formula_columns.py    the columns that every row has, and those of each rater
formula_solve.py      solving and explaining one task
formula_curve.py      a found formula over the range of a given
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from msgspec import Struct
from numpy.typing import NDArray

from workers.contracts import Columns, Texts
from workers.engines.formula.document import names_domain, parse_task, table_text, task_texts
from workers.engines.formula.generate import Made, Order, made_tasks
from workers.engines.formula.shipped import open_template, template_named
from workers.engines.formula.solve import solve
from workers.engines.formula.task import Task, TaskError, format_task
from workers.engines.machine.meter import metered
from workers.errors import ParamsError, ParseError
from workers.kinds.formula_columns import (
    RATERS,
    VERSIONS,
    basic_columns,
    basic_fields,
    keys,
    rated,
)
from workers.kinds.formula_curve import curve_row
from workers.kinds.formula_params import FormulaParams
from workers.kinds.formula_solve import solved_row, told
from workers.kinds.options import NoOptions, chosen


class FormulaKind:
    """See the module."""

    name = "formula"
    version = 1
    rater_versions: Mapping[str, int] = VERSIONS
    light_raters: frozenset[str] = frozenset()
    default_raters: tuple[str, ...] = ("basic", "derivation", "seed")
    default_levels: str | None = "formulas-levels-1"
    params_type: type[Struct] = FormulaParams
    methods: Mapping[str, type[Struct]] = {"best": NoOptions, "seed": NoOptions}
    schemes: Mapping[str, type[Struct]] = {"best": NoOptions, "seed": NoOptions}
    sign = re.compile(r"\b(data|goals)[ \t]*:|\[(data|goals)\]")

    task_text = "log"
    """Key of a solved row that makes a text of a task."""

    def schema(self, raters: Sequence[str]) -> pa.Schema:
        """The basic columns, then those of each rater in the kind's own order."""
        fields = basic_fields()
        for name, (own_fields, _) in RATERS.items():
            if name in raters:
                fields.extend(own_fields())
        return pa.schema(fields)

    def generate(
        self, seed: int, count: int, params: FormulaParams, raters: Sequence[str]
    ) -> Columns:
        """`count` tasks with one answer each, as ordered; equal arguments, equal rows.

        Raises ParamsError when no derivation fits the order, BudgetError when the order is so
        rare that the attempts ran out.
        """
        return _columns(_made(seed, count, params), raters)

    def grade(self, texts: Texts, params: FormulaParams, raters: Sequence[str]) -> Columns:
        """One row for every text (n, width), in order."""
        return _columns(_read([bytes(row).decode("ascii") for row in texts]), raters)

    def parse(self, text: str) -> str:
        """The task in one line, numbers in their shortest spelling; ParseError with position."""
        return format_task(_task(text))

    def solve(
        self,
        text: str,
        method: str | None = None,
        limit: int = 2,
        options: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """One task by a method of `methods`; the keys are those of `formula_solve`."""
        name, _ = chosen("method", self.methods, method, options)
        if limit < 1:
            raise ParamsError("limit", f"{limit} is less than 1")
        return solved_row(_task(text), name)

    def key(self, texts: Texts) -> NDArray[np.uint8]:
        """Hashes (n, 16): equal exactly for tasks that differ in the order of parts at most."""
        return keys([_task(bytes(row).decode("ascii")) for row in texts])

    def explain(
        self, text: str, scheme: str | None = None, options: Mapping[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        """The journal of a search, a fault at its end where the search found one."""
        name, _ = chosen("scheme", self.schemes, scheme, options)
        return told(solve(_task(text), name))

    def read_document(
        self, content: str | Mapping[str, Any], template: str | None = None
    ) -> list[tuple[int, str]]:
        """The tasks in a text with sections, in lines of a list, or in a table: line and text.

        `template` is the name of a domain, or a TOML file with one, for tasks that name none.
        A single task is parsed; of a list the texts are left as they are. Raises ParseError whose
        position is one in the content, ConfigError for a domain.
        """
        domain = None if template is None else open_template(template)
        try:
            text = content if isinstance(content, str) else table_text(content)
            found = task_texts(text)
            if len(found) == 1:
                return [(found[0][0], format_task(parse_task(found[0][1], domain)))]
        except TaskError as wrong:
            position = wrong.position if isinstance(content, str) else None
            raise ParseError(wrong.sentence, position) from None
        if domain is None:
            return found
        named = f" template: {domain.id}"
        return [(line, one if names_domain(one) else one + named) for line, one in found]

    def curve(self, text: str, name: str, over: str | None = None) -> dict[str, Any]:
        """A found formula over the range of a given: see `formula_curve.curve_row`."""
        return curve_row(_task(text), name, over)

    def warm(self, action: str, raters: Sequence[str], ahead: bool = False) -> None:
        """Nothing to compile."""


def _task(text: str) -> Task:
    try:
        return parse_task(text)
    except TaskError as wrong:
        raise ParseError(wrong.sentence, wrong.position) from None


@metered
def _made(seed: int, count: int, params: FormulaParams) -> list[Made]:
    templates = tuple(found for name in params.templates if (found := template_named(name)))
    order = Order(templates, params.formulas, params.depth, params.distractors,
                  params.constraint, params.attempts)  # fmt: skip
    return list(made_tasks(seed, count, order))


@metered
def _read(texts: Sequence[str]) -> list[Made]:
    tasks = map(_task, texts)
    return [Made(task, solve(task, "best"), solve(task, "seed")) for task in tasks]


def _columns(made: Sequence[Made], raters: Sequence[str]) -> Columns:
    rows = [rated(one) for one in made]
    columns = basic_columns(rows)
    for name, (_, own_columns) in RATERS.items():
        if name in raters:
            columns |= own_columns(rows)
    return columns


KIND = FormulaKind()
