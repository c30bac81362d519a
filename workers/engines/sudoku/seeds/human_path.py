"""The human path: methods from easy to hard, after any success back to the first.

The effort score is the sum of the levels of all method calls that were executed, those that
found nothing included, and 5 for each guess: looking in vain is work. README.md says how the
rest of the document was read.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.meter import metered
from workers.engines.sudoku.geometry import CELLS, Digits
from workers.engines.sudoku.seeds.human_loop import EXECUTED, LAST, Person, begin, new_person, work
from workers.engines.sudoku.seeds.human_trials import GUESS
from workers.engines.sudoku.seeds.outcome import (
    BUDGET_OUT,
    CONTRADICTION,
    RUNNING,
    PathStep,
    boards,
)
from workers.engines.sudoku.seeds.pencil import LOG_ROWS, Log, new_log, path_steps


class Method(NamedTuple):
    """One method of the human path; its index is its place in METHODS."""

    name: str
    level: int


METHODS: Final = (
    Method("fill_only_one_possible", 0),
    Method("fill_last_position_of_group", 0),
    Method("check_obvious_number", 1),
    Method("check_line_last_possible_for_number", 2),
    Method("check_inobvious_number", 3),
    Method("reduce_by_group_number", 5),
    Method("write_down_possible", 5),
    Method("update_chain", 10),
    Method("reduce_by_two_possible_in_one_position", 15),
    Method("reduce_by_emulate_possible_in_one_position", 20),
    Method("reduce_by_emulate_possible_number_in_group", 20),
    Method("guess", 0),
)
"""The document's methods from easy to hard, with their levels."""
GUESS_COST: Final = 5
DEFAULT_BUDGET: Final = 20_000
"""Method calls that may be executed for one puzzle."""
SLICE: Final = 200
"""Method calls after which the kernel returns to Python: about 0.1 s at worst."""


class HumanPathResult(NamedTuple):
    """What each of n puzzles took."""

    score: NDArray[np.int64]  # (n,) levels of all calls executed, and 5 a guess
    hardest: NDArray[np.int8]  # (n,) highest index of a method that succeeded, -1 for none
    status: NDArray[np.uint8]  # (n,) codes of outcome.OUTCOME_NAMES
    grids: Digits  # (n, 81) the solution, or the grid at the end
    calls: NDArray[np.int32]  # (n, 12) executed calls by method
    successes: NDArray[np.int32]  # (n, 12)


class HumanPath(NamedTuple):
    """One puzzle with all it took; `marks` are the candidates left, bit d-1 for digit d."""

    result: HumanPathResult  # of one row
    marks: NDArray[np.int64]  # (81,)
    written: NDArray[np.bool_]  # (81,) cells whose candidates are written down
    steps: list[PathStep]  # the first LOG_ROWS entries at most


@metered
def human_path_batch(
    puzzles: Digits, last: int = len(METHODS) - 1, max_depth: int = CELLS,
    budget: int = DEFAULT_BUDGET,
) -> HumanPathResult:  # fmt: skip
    """Solve puzzles uint8 (n, 81) as the document's person does.

    Methods up to index `last` are used (10 leaves out the guess), at most `max_depth` guesses
    stand at a time, and `budget` method calls are executed at most. STOPPED is the document's
    "cannot figure this game out". A solution found by guessing need not be the only one.
    Around a tenth of a millisecond for an easy puzzle, some for a hard one.
    """
    puzzles = boards(puzzles)
    result = _empty_result(puzzles)
    person = new_person(last, max_depth)
    for row in range(len(puzzles)):
        _attempt(puzzles, row, result, person, new_log(0), budget)
    return result


@metered
def human_path(
    puzzle: Digits, last: int = len(METHODS) - 1, max_depth: int = CELLS,
    budget: int = DEFAULT_BUDGET,
) -> HumanPath:  # fmt: skip
    """Solve one puzzle uint8 (81,) as `human_path_batch` does and keep the steps."""
    puzzles = boards(puzzle)
    result = _empty_result(puzzles)
    person, log = new_person(last, max_depth), new_log(LOG_ROWS)
    _attempt(puzzles, 0, result, person, log, budget)
    names = tuple(method.name for method in METHODS)
    return HumanPath(
        result, person.grid.marks, person.written.astype(np.bool_), path_steps(log, names)
    )


def _empty_result(puzzles: Digits) -> HumanPathResult:
    count = len(puzzles)
    return HumanPathResult(
        np.zeros(count, dtype=np.int64),
        np.full(count, -1, dtype=np.int8),
        np.zeros(count, dtype=np.uint8),
        puzzles.copy(),
        np.zeros((count, len(METHODS)), dtype=np.int32),
        np.zeros((count, len(METHODS)), dtype=np.int32),
    )


def _attempt(puzzles: Digits, row: int, result: HumanPathResult, person: Person, log: Log,
             budget: int) -> None:  # fmt: skip
    for counts in (person.calls, person.successes, person.written, person.stack.depth):
        counts[:] = 0
    person.state[:LAST] = 0
    status = RUNNING if begin(person, puzzles[row]) else CONTRADICTION
    while status == RUNNING:
        executed = int(person.state[EXECUTED])
        if executed >= budget:
            status = BUDGET_OUT
        else:
            status = int(work(person, log, min(budget, executed + SLICE)))
    levels = np.array([method.level for method in METHODS])
    used = np.flatnonzero(person.successes)
    result.score[row] = person.calls @ levels + GUESS_COST * person.successes[GUESS]
    result.hardest[row] = used[-1] if len(used) else -1
    result.status[row] = status
    result.grids[row] = person.grid.digits
    result.calls[row] = person.calls
    result.successes[row] = person.successes
