"""The trace of a Sudoku's brute-force search, as plain values."""

from typing import Any

from workers.engines.sudoku.geometry import CELLS
from workers.engines.sudoku.seeds.outcome import BUDGET_OUT, OUTCOME_NAMES
from workers.engines.sudoku.seeds.trace import trace_search
from workers.engines.sudoku.text import format_text, parse_text


def trace(text: str, budget: int, points: int, max_depth: int = CELLS) -> dict[str, Any]:
    """Filled cells against the recursive call of the brute-force search of one puzzle.

    At most `budget` calls are made, none with more than `max_depth` cells filled in. The curve
    has `points` // 2 to `points` points once there are as many calls; each covers
    `calls_per_point` calls (the last maybe fewer), of which it gives the fewest, the most and
    the last filled cells. `levels` counts the calls by filled cells, 0 to 81, exactly.
    """
    puzzle = parse_text(text)
    found = trace_search(puzzle, budget, points, max_depth)
    levels = [0] * found.clues + found.histogram[: CELLS + 1 - found.clues].tolist()
    return {
        "puzzle": format_text(puzzle),
        "iterations": found.iterations,
        "digit_tests": found.digit_tests,
        "censored": found.status == BUDGET_OUT,
        "outcome": OUTCOME_NAMES[found.status],
        "clues": found.clues,
        "calls_per_point": found.bucket,
        "lowest": found.lowest.tolist(),
        "highest": found.highest.tolist(),
        "last": found.last.tolist(),
        "levels": levels,
    }
