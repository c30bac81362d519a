"""One identity for all cryptarithms that are the same puzzle.

The same are puzzles that differ by the names of letters, by the order of words in a sum or
product, or by words moved across the =. A sum is its letter weights; any other puzzle is put
into a form whose letters are numbered by what they do in it.
"""

import hashlib
from collections.abc import Sequence
from typing import Any, Final

from workers.engines.cryptarithm.model import PRODUCT, SUM, WORD, Puzzle, Term
from workers.engines.cryptarithm.weights import linear_form

MOST_FORMS: Final = 5_000
"""Forms made of one puzzle; a puzzle whose letters are more alike than that is its own text."""

Code = tuple[Any, ...]


def puzzle_key(puzzle: Puzzle) -> bytes:
    """Sixteen bytes, equal for equal puzzles and, but for accidents of hashing, no others.

    Equal means: see the module. Where MOST_FORMS is not enough, it is that of the text.
    """
    return hashlib.blake2b(repr(canonical_form(puzzle)).encode(), digest_size=16).digest()


def canonical_form(puzzle: Puzzle) -> Code:
    """What equal puzzles have in common, as a tuple of numbers and words."""
    form = linear_form(puzzle)
    base = puzzle.rules.base
    if form is None:
        return ("terms", base, *_terms_form(puzzle))
    pairs = [(weight, puzzle.leading >> letter & 1) for letter, weight in enumerate(form.weights)]
    turned = [(-weight, leading) for weight, leading in pairs]
    best = max((sorted(pairs), form.constant), (sorted(turned), -form.constant))
    return ("weights", base, tuple(best[0]), best[1])


def _terms_form(puzzle: Puzzle) -> Code:
    count = len(puzzle.letters)
    leading = tuple(puzzle.leading >> letter & 1 for letter in range(count))
    left = [MOST_FORMS]
    found = _least(puzzle, leading, left)
    return ("text", puzzle.text) if found is None else found


def _least(puzzle: Puzzle, colors: Sequence[int], left: list[int]) -> Code | None:
    """The least form over all numberings that the colors allow; None when `left` runs out."""
    refined = _refined(puzzle, colors, left)
    if refined is None:
        return None
    classes: dict[int, list[int]] = {}
    for letter, color in enumerate(refined):
        classes.setdefault(color, []).append(letter)
    tied = [color for color, letters in sorted(classes.items()) if len(letters) > 1]
    if not tied:
        leading = tuple(puzzle.leading >> letter & 1 for letter in _order(refined))
        return (leading, *_code(puzzle, refined))
    forms = []
    for letter in classes[tied[0]]:
        single = [2 * color for color in refined]
        single[letter] -= 1
        form = _least(puzzle, single, left)
        if form is None:
            return None
        forms.append(form)
    return min(forms, key=repr)


def _refined(puzzle: Puzzle, colors: Sequence[int], left: list[int]) -> list[int] | None:
    """Colors split by what letters do, until nothing splits; None when `left` runs out."""
    known = _ranked([(color,) for color in colors])
    while True:
        left[0] -= len(known)
        if left[0] < 0:
            return None
        signs: list[Code] = []
        for letter in range(len(known)):
            marked = [2 * color for color in known]
            marked[letter] += 1
            signs.append((known[letter], repr(_code(puzzle, marked))))
        finer = _ranked(signs)
        if len(set(finer)) == len(set(known)):
            return known
        known = finer


def _ranked(values: Sequence[Code]) -> list[int]:
    ranks = {value: rank for rank, value in enumerate(sorted(set(values)))}
    return [ranks[value] for value in values]


def _order(colors: Sequence[int]) -> list[int]:
    return sorted(range(len(colors)), key=lambda letter: colors[letter])


def _code(puzzle: Puzzle, colors: Sequence[int]) -> Code:
    """The puzzle with colors for letters, in an order that depends on nothing else."""
    codes = []
    for left, right in puzzle.equations:
        terms = [*_signed(left, 1, colors), *_signed(right, -1, colors)]
        turned = [(-sign, code) for sign, code in terms]
        codes.append(max(sorted(terms), sorted(turned)))
    return tuple(tuple(code) for code in sorted(codes))


def _signed(term: Term, sign: int, colors: Sequence[int]) -> list[tuple[int, str]]:
    """The terms of a sum with their signs; sums within a sum are opened."""
    if term.sort != SUM:
        return [(sign, _text(term, colors))]
    return [
        pair
        for own, item in zip(term.signs, term.items, strict=True)
        for pair in _signed(item, sign * own, colors)
    ]


def _text(term: Term, colors: Sequence[int]) -> str:
    """One text for a term; factors in any order, products within a product opened."""
    if term.sort == WORD:
        return ",".join(str(colors[s]) if s >= 0 else f"={~s}" for s in term.word)
    if term.sort == PRODUCT:
        return "(" + "*".join(sorted(_factors(term, colors))) + ")"
    return (
        "(" + "".join(f"{sign:+d}{text}" for sign, text in sorted(_signed(term, 1, colors))) + ")"
    )


def _factors(term: Term, colors: Sequence[int]) -> list[str]:
    if term.sort != PRODUCT:
        return [_text(term, colors)]
    return [text for item in term.items for text in _factors(item, colors)]
