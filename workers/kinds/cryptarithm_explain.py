"""Explaining one cryptarithm: the grader's path, or the search by columns, in words.

Columns are counted from the right; c2 is the carry into column 2. What stands only under a
supposition is told with how many suppositions it stands under (`depth`).
"""

from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any

from workers.engines.cryptarithm.deduce import C_CONSTANT, C_IN, C_OUT, MOST_LETTERS
from workers.engines.cryptarithm.grade import grade_columns
from workers.engines.cryptarithm.model import Puzzle
from workers.engines.cryptarithm.program import STEP_ITEM, STEP_PLACE, STEP_SORT, TRY, build
from workers.engines.cryptarithm.rules import DIGIT_SIGNS
from workers.engines.cryptarithm.search import BUDGET_OUT
from workers.engines.cryptarithm.solve import solve_columns, solve_puzzles
from workers.engines.cryptarithm.sums import Columns, columns_of
from workers.engines.cryptarithm.techniques import (
    CONTRADICTION,
    DISTINCT,
    SOLUTION,
    SPLIT_CARRY,
    TECHNIQUES,
)
from workers.engines.cryptarithm.text import format_solution
from workers.errors import BudgetError, ManySolutions, NoSolution
from workers.kinds.cryptarithm_options import ColumnsOptions, LogicOptions

Step = dict[str, Any]
MOST_STEPS = 20_000


def explained(puzzle: Puzzle, scheme: str, options: Any) -> list[Step]:
    """The steps for one puzzle, by a scheme of `cryptarithm_options`.

    What is no sum is explained by columns. Raises NoSolution, ManySolutions, and BudgetError
    when it is not known how many there are.
    """
    found = solve_puzzles([puzzle], 2)
    count = int(found.counts[0])
    if not found.known[0] and count < 2:
        raise BudgetError(puzzle.text, "the search was given up")
    if count == 0:
        raise NoSolution(puzzle.text, "no solution")
    if count > 1:
        raise ManySolutions(puzzle.text, "several solutions")
    return EXPLAINERS[scheme](puzzle, found.solutions[0][0], options)


def _by_logic(puzzle: Puzzle, digits: tuple[int, ...], options: LogicOptions) -> list[Step]:
    columns = columns_of(puzzle)
    if columns is None:
        return _by_columns(puzzle, digits, ColumnsOptions())
    grade = grade_columns(columns, options.budget, MOST_STEPS)
    steps = []
    for (_, technique, taker), events in groupby(grade.path.tolist(), _same_step):
        listed = list(events)
        if technique == DISTINCT:
            steps.append(_taken(puzzle, columns, listed, -1 - taker))
        else:
            steps += [_told(puzzle, columns, event, digits) for event in listed]
    if grade.censored:
        steps.append(_end("budget", "More suppositions than are allowed: given up here."))
    elif len(steps) == MOST_STEPS:
        steps.append(_end("cut", f"And so on: only {MOST_STEPS:,} steps are told."))
    return steps


def _same_step(event: list[int]) -> tuple[int, int, int]:
    """Events of one step: what the digit of a letter takes from the others is told together."""
    return event[0], event[1], event[2] if event[1] == DISTINCT else 0


def _taken(puzzle: Puzzle, columns: Columns, events: list[list[int]], taker: int) -> Step:
    names = [_name(puzzle, columns, event[3]) for event in events]
    others = ", ".join(names[:-1]) + " or " + names[-1] if len(names) > 1 else names[0]
    known = [f"{name} {_left(columns, event[3], *event[6:])}"
             for name, event in zip(names, events, strict=True)
             if event[6] & (event[6] - 1) == 0]  # fmt: skip
    news = f", so {' and '.join(known)}" if known else ""
    text = (
        f"The digit of {puzzle.letters[columns.letters[taker]]} is taken: not for {others}{news}."
    )
    return {**_step(DISTINCT, text, events[0][0]), "cells": names}


def _step(technique: int, text: str, depth: int) -> Step:
    known = TECHNIQUES[technique]
    return {"technique": known.name, "title": known.title, "text": text, "cells": [],
            "depth": depth}  # fmt: skip


def _told(puzzle: Puzzle, columns: Columns, event: list[int], digits: tuple[int, ...]) -> Step:
    depth, technique, column, item, _, _, new, new_top = event
    if technique == SOLUTION:
        text = f"All letters are known: {format_solution(puzzle, digits)}."
        return _end("solution", text, depth)
    if technique == CONTRADICTION:
        wrong = "The supposition is wrong." if depth else "There is no solution."
        return _end("contradiction", f"That cannot be. {wrong}", depth)
    name = _name(puzzle, columns, item)
    news = f"{name} {_left(columns, item, new, new_top)}"
    if technique >= SPLIT_CARRY:
        text = f"Suppose that {news}."
    elif column >= 0:
        text = f"{_where(columns, column)}: {_column_text(puzzle, columns, column)}; so {news}."
    else:
        text = f"Only one letter is left for a digit; so {news}."
    return {**_step(technique, text, depth), "cells": [name]}


def _end(technique: str, text: str, depth: int = 0) -> Step:
    return {"technique": technique, "text": text, "cells": [], "depth": depth}


def _name(puzzle: Puzzle, columns: Columns, item: int) -> str:
    if item < MOST_LETTERS:
        return puzzle.letters[columns.letters[item]]
    return _carry(columns, item - MOST_LETTERS)


def _carry(columns: Columns, carry: int) -> str:
    """`c2`: the carry into column 2; with several equations, `c2 of equation 1`."""
    row = next(number for number, row in enumerate(columns.rows) if row[C_IN] == carry)
    equation, place = columns.places[row]
    several = columns.places[-1][0] > 0
    return f"c{place + 1} of equation {equation + 1}" if several else f"c{place + 1}"


def _where(columns: Columns, column: int) -> str:
    equation, place = columns.places[column]
    of = f" of equation {equation + 1}" if columns.places[-1][0] else ""
    return f"Column {place + 1}{of}"


def _left(columns: Columns, item: int, new: int, new_top: int) -> str:
    """What is left for a letter or carry: `is 7`, `is 2, 5 or 7`, `is 0 to 2`."""
    if item >= MOST_LETTERS:
        if new > new_top:
            return "has no value left"
        return f"is {new}" if new == new_top else f"is {new} to {new_top}"
    signs = [DIGIT_SIGNS[digit] for digit in range(columns.base) if new >> digit & 1]
    if not signs:
        return "has no digit left"
    return "is " + (", ".join(signs[:-1]) + " or " if len(signs) > 1 else "") + signs[-1]


def _column_text(puzzle: Puzzle, columns: Columns, column: int) -> str:
    """`D + E = Y + 10 c2`."""
    row = columns.rows[column].tolist()
    sides: tuple[list[str], list[str]] = ([], [])
    for place, letter in enumerate(columns.letters):
        factor = row[place]
        if factor:
            times = "" if abs(factor) == 1 else f"{abs(factor)} "
            sides[factor < 0].append(times + puzzle.letters[letter])
    if row[C_CONSTANT]:
        sides[row[C_CONSTANT] < 0].append(str(abs(row[C_CONSTANT])))
    if row[C_IN]:
        sides[0].append(_carry(columns, row[C_IN]))
    if row[C_OUT]:
        sides[1].append(f"{columns.base} {_carry(columns, row[C_OUT])}")
    return " = ".join(" + ".join(side) or "0" for side in sides)


def _by_columns(puzzle: Puzzle, digits: tuple[int, ...], options: ColumnsOptions) -> list[Step]:
    found = solve_columns(puzzle, 2, options.budget)
    program = build(puzzle)
    several = len(puzzle.equations) > 1
    steps, fresh, ways = [], [], 1
    for row, visits in zip(program.steps.tolist(), found.visits.tolist(), strict=True):
        if row[STEP_SORT] == TRY:
            fresh.append(puzzle.letters[row[STEP_ITEM]])
            ways = visits
            continue
        of = f" of equation {row[STEP_ITEM] + 1}" if several else ""
        tried = f" with all digits for {', '.join(fresh)}" if fresh else ""
        where = f"Column {row[STEP_PLACE] + 1}{of}{tried}"
        text = f"{where}: {visits:,} of {ways:,} cases are left."
        steps.append({"technique": "column", "text": text, "cells": fresh, "depth": 0})
        fresh, ways = [], visits
    if found.status == BUDGET_OUT:
        return [*steps, _end("budget", "More digits than are allowed: given up here.")]
    return [*steps, _end("solution", f"One is left: {format_solution(puzzle, digits)}.")]


EXPLAINERS: Mapping[str, Callable[[Puzzle, tuple[int, ...], Any], list[Step]]] = {
    "logic": _by_logic,
    "columns": _by_columns,
}
