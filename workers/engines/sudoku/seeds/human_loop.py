"""The loop of the human path: a method is called, and after any success the first one again."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import CELLS, UNITS, Digits
from workers.engines.sudoku.seeds import human_methods as by_eye
from workers.engines.sudoku.seeds import human_notes as by_notes
from workers.engines.sudoku.seeds import human_trials as by_trial
from workers.engines.sudoku.seeds.outcome import CONTRADICTION, RUNNING, SOLVED, STOPPED
from workers.engines.sudoku.seeds.pencil import ALL, Log, Pencil, load, new_pencil

METHODS: Final = 12
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


def new_person(last: int, max_depth: int) -> Person:
    """A person who knows the methods up to index `last`."""
    return Person(
        grid=new_pencil(),
        written=np.zeros(CELLS, dtype=np.int64),
        shaded=np.zeros(CELLS, dtype=np.int64),
        bench=by_trial.new_bench(),
        stack=by_trial.new_stack(),
        calls=np.zeros(METHODS, dtype=np.int64),
        successes=np.zeros(METHODS, dtype=np.int64),
        state=np.array([0, 0, last, max_depth], dtype=np.int64),
    )


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
