"""The columns of a formula task: what it is and its answer, then those of each rater."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from workers.contracts import Columns, Texts
from workers.engines.formula.generate import Made, constraint_needed
from workers.engines.formula.grade import Grade, Verdict, graded, judged
from workers.engines.formula.task import Task, format_task, split_name
from workers.engines.formula.template import LANGUAGES
from workers.engines.formula.wording import wording
from workers.kinds.columns import Field, column

text, small, count = pa.string(), pa.int8(), pa.int32()
VERSIONS: Mapping[str, int] = {"basic": 1, "derivation": 1, "seed": 1, "wording": 1}


class Rated(NamedTuple):
    """A task with all that its columns are made from."""

    task: Task
    verdict: Verdict
    grade: Grade | None  # None unless it has one answer
    needed: bool | None
    made: Made


def rated(made: Made) -> Rated:
    """Judge a task by the results of both searches."""
    verdict = judged(made.task, made.best, made.seed)
    if verdict.answers != 1:
        return Rated(made.task, verdict, None, None, made)
    return Rated(made.task, verdict, graded(made.task, made.best), constraint_needed(made.best),
                 made)  # fmt: skip


def basic_fields() -> list[Field]:
    """Fields that every row has, in order."""
    return [
        column("key", pa.binary(16), "stable id: BLAKE2b hash of the task with its data, rules "
               "and environment in order"),
        column("puzzle", text, "the task: domain, data, rules, goals, environment", shown=True),
        column("template", text, "the domain", few=True),
        column("goal", text, "the names sought", few=True),
        column("solution", text, "the goals with their values, ten digits; null unless unique",
               nullable=True, shown=True),
        column("answer", pa.float64(), "the value of the goal, 12 digits", nullable=True,
               null="not exactly one answer, or several goals"),
        column("unit", text, "unit of the answer", nullable=True, few=True,
               null="several goals"),
        column("n_solutions", small, "0, 1, or 2 for more: values that the constraints allow",
               few=True),
        column("reason", text, "why the task has not one answer; null when it has",
               nullable=True, few=True),
        column("givens", small, "initial data", unit="givens", few=True),
        column("constraint_needed", pa.bool_(), "a constraint chooses among several values",
               nullable=True, null="not exactly one answer"),
    ]  # fmt: skip


def basic_columns(rows: Sequence[Rated]) -> Columns:
    """The columns of `basic_fields`."""
    single = [one.verdict.values[0] if one.verdict.answers == 1 and len(one.task.goals) == 1
              else None for one in rows]  # fmt: skip
    return {
        "key": keys([one.task for one in rows]),
        "puzzle": packed([format_task(one.task) for one in rows]),
        "template": texts([one.task.template.id for one in rows]),
        "goal": texts([" ".join(one.task.goals) for one in rows]),
        "solution": texts([one.verdict.solution if one.verdict.answers == 1 else None
                           for one in rows]),
        "answer": numbers([None if one is None else float(f"{one:.12g}") for one in single],
                          np.float64),
        "unit": texts([_unit(one.task) for one in rows]),
        "n_solutions": numbers([one.verdict.answers for one in rows], np.int8),
        "reason": texts([one.verdict.reason for one in rows]),
        "givens": numbers([len(one.task.data) for one in rows], np.int8),
        "constraint_needed": numbers([one.needed for one in rows], np.bool_),
    }  # fmt: skip


def derivation_fields() -> list[Field]:
    """Fields of the rater `derivation`: the shortest derivation."""
    fields: tuple[tuple[str, str], ...] = (
        ("formulas", "formulas of the shortest derivation"),
        ("depth", "formulas of its longest chain"),
        ("auxiliary_tasks", "formulas that are not a goal's own"),
        ("branchings", "formulas of it with several roots"),
        ("rejected", "values that a constraint rejected in it"),
        ("nonlinear", "operations in it beyond sums and products by a constant"),
        ("distractors", "givens that are of no use in it"),
        ("rules_used", "rules applied"),
        ("indices_used", "different indices in the task"),
    )
    score = "effort: 10 a formula, 5 a level of depth, and so on (formula grade, version 1)"
    null = "not exactly one answer"
    return [
        column("formula_score", count, score, unit="points", nullable=True, role="rating",
               null=null, shown=True),
        column("formula_level", text, "level from the score: easy, medium, hard, expert, extreme",
               nullable=True, few=True, role="level", null=null),
        *(column(name, pa.int16(), what, nullable=True, few=True, null=null,
                 shown=name in ("formulas", "depth")) for name, what in fields),
    ]  # fmt: skip


def derivation_columns(rows: Sequence[Rated]) -> Columns:
    """The columns of `derivation_fields`, null where there is not one answer."""
    grades = [one.grade for one in rows]
    found: Columns = {
        "formula_score": _of(grades, lambda grade: grade.score, np.int32),
        "formula_level": texts([None if grade is None else grade.level for grade in grades]),
    }
    for field in derivation_fields()[2:]:
        found[field.name] = numbers(
            [None if grade is None else getattr(grade, field.name) for grade in grades], np.int16
        )
    return found


def seed_fields() -> list[Field]:
    """Fields of the rater `seed`: what the document's search does."""
    return [
        column("seed_iterations", count, "attempts of the document's search (at most its limit, "
               "when censored)", unit="attempts"),
        column("seed_censored", pa.bool_(), "the limit of attempts was reached"),
        column("seed_auxiliary", count, "auxiliary tasks begun"),
        column("seed_formulas", count, "formulas tried"),
        column("seed_failed", count, "formulas that gave nothing"),
        column("seed_rejected", count, "values that a constraint rejected"),
    ]  # fmt: skip


def seed_columns(rows: Sequence[Rated]) -> Columns:
    """The columns of `seed_fields`."""
    ends = [one.made.seed.walk.end for one in rows]
    return {
        "seed_iterations": numbers([end.attempts for end in ends], np.int32),
        "seed_censored": numbers([end.limited for end in ends], np.bool_),
        "seed_auxiliary": numbers([end.auxiliary for end in ends], np.int32),
        "seed_formulas": numbers([end.tried for end in ends], np.int32),
        "seed_failed": numbers([end.failed for end in ends], np.int32),
        "seed_rejected": numbers([end.rejected for end in ends], np.int32),
    }


def wording_fields() -> list[Field]:
    """Fields of the rater `wording`: the task in words."""
    return [column(f"wording_{language}", text, f"the task in words (language {language})")
            for language in LANGUAGES]  # fmt: skip


def wording_columns(rows: Sequence[Rated]) -> Columns:
    """The columns of `wording_fields`."""
    return {f"wording_{language}": texts([wording(one.task, language) for one in rows])
            for language in LANGUAGES}  # fmt: skip


RATERS: Mapping[str, tuple[Callable[[], list[Field]], Callable[[Sequence[Rated]], Columns]]] = {
    "derivation": (derivation_fields, derivation_columns),
    "seed": (seed_fields, seed_columns),
    "wording": (wording_fields, wording_columns),
}


def keys(tasks: Sequence[Task]) -> NDArray[np.uint8]:
    """Hashes (n, 16), equal exactly for tasks that differ at most in the order of their data,
    rules and environment."""
    digests = [hashlib.blake2b(_ordered(task).encode(), digest_size=16).digest() for task in tasks]
    return np.frombuffer(b"".join(digests), np.uint8).reshape(len(tasks), 16)


def _ordered(task: Task) -> str:
    return format_task(task._replace(
        data=tuple(sorted(task.data)),
        rules=tuple(sorted(task.rules, key=lambda rule: rule.target)),
        environment=tuple(sorted(task.environment, key=lambda one: one.text)),
    ))  # fmt: skip


def _unit(task: Task) -> str | None:
    if len(task.goals) > 1:
        return None
    name = split_name(task.goals[0])[0]
    return task.template.variables[task.template.names.index(name)].unit


def packed(lines: Sequence[str]) -> Texts:
    """ASCII texts as bytes (n, width), padded with spaces on the right."""
    width = max(map(len, lines), default=1)
    octets = "".join(line.ljust(width) for line in lines).encode("ascii")
    return np.frombuffer(octets, np.uint8).reshape(len(lines), width)


def texts(values: Sequence[str | None]) -> NDArray[Any]:
    """A column of texts, None as null."""
    full: NDArray[Any] = np.empty(len(values), object)
    full[:] = values
    mask = np.array([value is None for value in values], np.bool_)
    return np.ma.MaskedArray(full, mask=mask) if mask.any() else full


def numbers(values: Sequence[Any], dtype: Any) -> NDArray[Any]:
    """A column of numbers, None as null."""
    mask = np.array([value is None for value in values], np.bool_)
    full = np.array([0 if value is None else value for value in values], dtype)
    return np.ma.MaskedArray(full, mask=mask) if mask.any() else full


def _of(grades: Sequence[Grade | None], take: Callable[[Grade], int], dtype: Any) -> NDArray[Any]:
    return numbers([None if grade is None else take(grade) for grade in grades], dtype)
