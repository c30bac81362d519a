"""Cryptarithms as ordered: words drawn, puzzles written, what is not as ordered thrown away.

Rows take the pairs of `letter_ranges` in turn. Each pair has its own random stream, whose
puzzles are taken in order, so rows depend on seed, count and order alone.
"""

from collections.abc import Iterator

from workers.engines.cryptarithm.generate import (
    MOST_ADDENDS,
    Drawn,
    Lexicon,
    Order,
    draw_batch,
)
from workers.engines.cryptarithm.grade import grade_columns
from workers.engines.cryptarithm.model import Puzzle
from workers.engines.cryptarithm.products import draw_products
from workers.engines.cryptarithm.sums import columns_of
from workers.engines.cryptarithm.text import parse_puzzle
from workers.engines.machine.random import State, seeded
from workers.errors import BudgetError
from workers.kinds.cryptarithm_params import CryptarithmParams
from workers.kinds.cryptarithm_words import number_lexicon, plain_lexicon

BATCH = 64
"""Puzzles drawn at a time, at most."""
NODES = 100_000
"""Digits tried for one draw; one that needs more is no puzzle."""


def made_puzzles(seed: int, count: int, params: CryptarithmParams) -> list[Puzzle]:
    """`count` puzzles with one solution each, as ordered.

    Raises BudgetError when an order is so rare that the attempts ran out, ParamsError when too
    few words are left.
    """
    words = _lexicon(params)
    turns = params.letter_ranges
    made: list[list[Puzzle]] = []
    for turn, letters in enumerate(turns):
        wanted = len(range(turn, count, len(turns)))
        most = min(letters[1], params.base)
        order = Order(params.addends, (letters[0], most), params.base, NODES)
        made.append(_stream(seeded(seed, turn), words, order, wanted, params))
    return [made[row % len(turns)][row // len(turns)] for row in range(count)]


def _lexicon(params: CryptarithmParams) -> Lexicon:
    if params.method == "doubly-true":
        return number_lexicon(params.language)
    return plain_lexicon(
        params.language, params.words, params.word_length, params.frequency, params.offensive
    )


def _stream(
    state: State, words: Lexicon, order: Order, wanted: int, params: CryptarithmParams
) -> list[Puzzle]:
    found: list[Puzzle] = []
    for puzzle in _drawn(state, words, order, wanted, params):
        found.append(puzzle)
        if len(found) == wanted:
            break
    return found


def _drawn(
    state: State, words: Lexicon, order: Order, wanted: int, params: CryptarithmParams
) -> Iterator[Puzzle]:
    """Puzzles as ordered, one after the other."""
    left, missing = params.attempts, wanted
    while missing > 0:
        drawn = _batch(state, words, order, min(missing, BATCH), left, params)
        left -= drawn.draws
        for row in drawn.words:
            puzzle = parse_puzzle(_written(words, row.tolist(), params))
            if _has_level(puzzle, params):
                missing -= 1
                yield puzzle
        if left <= 0 and missing > 0:
            what = f"{wanted - missing} of {wanted} puzzles found in {params.attempts:,} draws"
            raise BudgetError("no puzzle as ordered", f"{what}; order something less rare")


def _batch(
    state: State, words: Lexicon, order: Order, count: int, left: int, params: CryptarithmParams
) -> Drawn:
    if params.method == "product":
        return draw_products(state, words, order, count, left)
    if params.method == "difference":
        order = order._replace(addends=(2, 2))
    return draw_batch(state, words, order, count, left)


def _written(words: Lexicon, row: list[int], params: CryptarithmParams) -> str:
    """The text of a draw; a difference is its sum, turned around."""
    names = [words.words[word] for word in row[:MOST_ADDENDS] if word >= 0]
    result = words.words[row[MOST_ADDENDS]]
    rules = "" if params.base == 10 else f"@{params.base}"
    if params.method == "difference":
        return f"{result}-{names[0]}={names[1]}{rules}"
    return f"{('*' if params.method == 'product' else '+').join(names)}={result}{rules}"


def _has_level(puzzle: Puzzle, params: CryptarithmParams) -> bool:
    if params.level_bounds is None:
        return True
    columns = columns_of(puzzle)
    if columns is None:
        return False
    low, high = params.level_bounds
    return low <= grade_columns(columns, params.logic_budget).level <= high
