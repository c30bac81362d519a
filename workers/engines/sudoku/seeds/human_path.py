"""The human path: methods from easy to hard, after any success back to the first.

The effort score is the sum of the levels of all method calls that were executed, those that
found nothing included, and 5 for each guess: looking in vain is work. README.md says how the
rest of the document was read.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.kernel import kernel
from workers.engines.machine.meter import metered
from workers.engines.sudoku.geometry import CELLS, UNITS, Digits
from workers.engines.sudoku.seeds import human_methods as by_eye
from workers.engines.sudoku.seeds import human_notes as by_notes
from workers.engines.sudoku.seeds import human_trials as by_trial
from workers.engines.sudoku.seeds.outcome import (
    BUDGET_OUT,
    CONTRADICTION,
    RUNNING,
    SOLVED,
    STOPPED,
    PathStep,
    boards,
)
from workers.engines.sudoku.seeds.pencil import (
    ALL,
    LOG_ROWS,
    Log,
    Pencil,
    load,
    new_log,
    new_pencil,
    path_steps,
)


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
NEXT: Final = 0  # state: the method to be called next
EXECUTED: Final = 1  # state: calls executed so far
LAST: Final = 2  # state: the hardest method that may be called
DEPTH: Final = 3  # state: guesses that may stand at a time


class Person(NamedTuple):
    """Someone at work on a puzzle."""

    grid: Pencil
    written: NDArray[np.int64]  # (81,) 1 where the candidates are written down
    shaded: NDArray[np.int64]  # (81,) marks when group numbers count as placed
    bench: by_trial.Bench
    stack: by_trial.Stack
    calls: NDArray[np.int64]  # (12,) executed calls by method
    successes: NDArray[np.int64]  # (12,)
    state: NDArray[np.int64]  # (4,) as the constants above


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


def new_person(last: int, max_depth: int) -> Person:
    """A person who knows the methods up to index `last`."""
    return Person(
        grid=new_pencil(),
        written=np.zeros(CELLS, dtype=np.int64),
        shaded=np.zeros(CELLS, dtype=np.int64),
        bench=by_trial.new_bench(),
        stack=by_trial.new_stack(),
        calls=np.zeros(len(METHODS), dtype=np.int64),
        successes=np.zeros(len(METHODS), dtype=np.int64),
        state=np.array([0, 0, last, max_depth], dtype=np.int64),
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
    result.score[row] = person.calls @ levels + GUESS_COST * person.successes[by_trial.GUESS]
    result.hardest[row] = used[-1] if len(used) else -1
    result.status[row] = status
    result.grids[row] = person.grid.digits
    result.calls[row] = person.calls
    result.successes[row] = person.successes


@kernel
def begin(person: Person, puzzle: Digits) -> bool:
    """Look at a new puzzle; False when it is impossible at first sight."""
    return load(person.grid, puzzle) and not impossible(person.grid)


@kernel
def impossible(grid: Pencil) -> bool:
    """Whether an empty cell takes no digit or a unit has no place for one."""
    for unit in range(27):
        seen = grid.used[unit]
        for index in range(9):
            cell = UNITS[unit, index]
            seen |= grid.marks[cell]
            if grid.digits[cell] == 0 and grid.marks[cell] == 0:
                return True
        if seen != ALL:
            return True
    return False


@kernel
def work(person: Person, log: Log, until: int) -> int:
    """Call methods until `until` calls were executed: RUNNING, or how it ended."""
    grid, state, stack = person.grid, person.state, person.stack
    if grid.filled[0] == CELLS:
        return SOLVED
    while state[EXECUTED] < until:
        method = state[NEXT]
        found = call(person, log, method)
        person.calls[method] += 1
        state[EXECUTED] += 1
        if found == 0:
            state[NEXT] += 1
            if state[NEXT] > state[LAST]:
                return STOPPED
            continue
        state[NEXT] = 0
        if found > 0:
            person.successes[method] += 1
        if found < 0 or impossible(grid):
            if stack.depth[0] == 0:
                return CONTRADICTION
            by_trial.undo(grid, person.written, stack, log)
            while impossible(grid) and stack.depth[0] > 0:
                by_trial.undo(grid, person.written, stack, log)
            if impossible(grid):
                return CONTRADICTION
        elif grid.filled[0] == CELLS:
            return SOLVED
    return RUNNING


@kernel
def call(person: Person, log: Log, method: int) -> int:
    """Execute one call of `method`: the changes it made, 0, or CONTRADICTED."""
    grid, written = person.grid, person.written
    if method == by_eye.FILL_ONLY_ONE_POSSIBLE:
        return by_eye.fill_only_one_possible(grid, written, log)
    if method == by_eye.FILL_LAST_POSITION_OF_GROUP:
        return by_eye.fill_last_position_of_group(grid, log)
    if method <= by_eye.CHECK_INOBVIOUS_NUMBER:
        marks = grid.marks
        if method == by_eye.CHECK_INOBVIOUS_NUMBER:
            marks = person.shaded
            by_eye.shade(grid, marks)
        lines = method == by_eye.CHECK_LINE_LAST_POSSIBLE_FOR_NUMBER
        return by_eye.hidden_single(grid, marks, log, method, lines)
    if method == by_notes.REDUCE_BY_GROUP_NUMBER:
        return by_notes.reduce_by_group_number(grid, written, log)
    if method == by_notes.WRITE_DOWN_POSSIBLE:
        return by_notes.write_down_possible(grid, written, log)
    if method == by_notes.UPDATE_CHAIN:
        return by_notes.update_chain(grid, written, log)
    if method == by_notes.REDUCE_BY_TWO_POSSIBLE:
        return by_notes.reduce_by_two_possible(grid, written, log)
    if method == by_trial.EMULATE_POSITION:
        return by_trial.emulate_position(grid, written, person.bench, log)
    if method == by_trial.EMULATE_NUMBER_IN_GROUP:
        return by_trial.emulate_number_in_group(grid, written, person.bench, log)
    if person.stack.depth[0] >= person.state[DEPTH]:
        return 0
    return by_trial.guess(grid, written, person.stack, log)
