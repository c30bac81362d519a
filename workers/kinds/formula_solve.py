"""Solving and explaining one formula task: the keys of `solve --json`, and the steps.

Beside the common keys a row has

    status        solved, or not found
    reason        the first fault, null without one
    errors        every fault: {error, text}
    remarks       what is odd without being wrong, likewise
    answers       goal -> its values, in the order in which they were found
    values        all that is known in the branch of the first answer, name -> value
    units         name -> unit, of these
    counts        formulas tried, failed, auxiliary tasks, rules, rejected values
    censored      the limit of attempts was reached

`n_solutions` counts the values of both searches together, whatever the method; `iterations` are
attempts; `steps` is the journal, `log` its lines with the answers.
"""

from typing import Any

from workers.engines.formula.grade import judged, solution_text
from workers.engines.formula.journal import Step, journal, journal_text, shown
from workers.engines.formula.solve import Solved, Trouble, remarks, solve, troubles
from workers.engines.formula.task import Task, format_task, split_name

Row = dict[str, Any]


def solved_row(task: Task, method: str) -> Row:
    """The row of one task."""
    both = {search: solve(task, search) for search in ("best", "seed")}
    verdict = judged(task, both["best"], both["seed"])
    own = both[method]
    end, answers = own.walk.end, own.answers
    found = [(name, values[0]) for name, values in zip(task.goals, answers, strict=True) if values]
    faults = troubles(own)
    return {
        "puzzle": format_task(task),
        "n_solutions": verdict.answers,
        "solution": solution_text(found),
        "method": method,
        "iterations": end.attempts,
        "digit_tests": None,
        "nodes": None,
        "level": None,
        "status": "solved" if len(found) == len(task.goals) else "not found",
        "reason": faults[0].sentence if faults else verdict.reason,
        "errors": _listed(faults),
        "remarks": _listed(remarks(task)),
        "answers": dict(zip(task.goals, answers, strict=True)),
        "values": own.values,
        "units": {name: _unit(task, name) for name in own.values},
        "counts": {
            "tried": end.tried,
            "failed": end.failed,
            "auxiliary": end.auxiliary,
            "rules": end.rules,
            "rejected": end.rejected,
        },
        "censored": end.limited,
        "log": log_lines(own, answers),
        "steps": told(own),
    }


def log_lines(solved: Solved, answers: list[list[float]]) -> list[str]:
    """The journal as numbered lines, then a line for every goal."""
    lines = journal_text(solved)
    for name, values in zip(solved.task.goals, answers, strict=True):
        listed = " or ".join(map(shown, values)) or "not found"
        lines.append(f"{name} = {listed}")
    return lines + [f"error: {fault.sentence}" for fault in troubles(solved)]


def told(solved: Solved) -> list[Row]:
    """The journal of a search as steps, and its faults after it."""
    steps = [_told(step) for step in journal(solved)]
    for fault in troubles(solved):
        steps.append({"technique": "fault", "text": fault.sentence, "cells": []})
    return steps


def _told(step: Step) -> Row:
    return {
        "technique": step.event.replace(" ", "_"),
        "text": step.text,
        "cells": list(step.uses),
        "name": step.name,
        "formula": step.formula,
        "value": step.value,
    }


def _listed(faults: list[Trouble]) -> list[Row]:
    return [{"error": one.fault.code, "text": one.sentence} for one in faults]


def _unit(task: Task, name: str) -> str:
    place = task.template.names.index(split_name(name)[0])
    return task.template.variables[place].unit
