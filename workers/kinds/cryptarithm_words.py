"""Word lists of cryptarithms: which there are, who made them, and which of their words to take.

`words/<language>.txt` holds a word and its Zipf frequency a line, `words/numbers-<language>.txt`
a number word and its value; lines that begin with # are credits. `words/LICENCES.md` has the
licences, `.ci/words` makes the files from the packages they come from.
"""

import functools
import hashlib
from collections.abc import Sequence
from importlib import resources
from typing import Final

from workers.engines.cryptarithm.generate import LONGEST, Lexicon, lexicon
from workers.engines.cryptarithm.text import parse_puzzle
from workers.engines.cryptarithm.tokens import capital
from workers.errors import ParamsError, ParseError

LANGUAGES: Final = ("de", "en", "es", "fr", "pt")
NUMBER_LANGUAGES: Final = ("de", "en", "es", "fr", "it", "pt")
LONGEST_WORD: Final = LONGEST
OFFENSIVE_BYTES: Final = 5
OWN_CREDIT: Final = "words of the plan's own list"
Listed = tuple[tuple[str, float], ...]


@functools.cache
def _lines(name: str) -> tuple[str, ...]:
    path = resources.files("workers.kinds").joinpath("words", f"{name}.txt")
    return tuple(path.read_text(encoding="utf-8").splitlines())


def credits_of(name: str) -> tuple[str, ...]:
    """Whom a list is owed to, one line each."""
    return tuple(line[2:] for line in _lines(name) if line.startswith("#"))


@functools.cache
def listed(name: str) -> Listed:
    """The words of a list in capitals, each with its number."""
    found = {}
    for line in _lines(name):
        if not line.startswith("#"):
            word, number = line.split()
            found["".join(map(capital, word))] = float(number)
    return tuple(found.items())


@functools.cache
def number_words() -> dict[str, dict[str, int]]:
    """Language -> number word in capitals -> its value."""
    return {
        language: {word: int(value) for word, value in listed(f"numbers-{language}")}
        for language in NUMBER_LANGUAGES
    }


@functools.cache
def _offensive() -> frozenset[str]:
    return frozenset(line for line in _lines("offensive") if not line.startswith("#"))


def is_offensive(word: str) -> bool:
    """True for a word that stands in lists of offensive words, whatever its case."""
    digest = hashlib.blake2b(word.lower().encode(), digest_size=OFFENSIVE_BYTES).hexdigest()
    return digest in _offensive()


def plain_word(word: str) -> str:
    """A word as it stands in a puzzle's normal form; ParseError when it cannot."""
    text = parse_puzzle(f"{word.strip()}=0@16").text
    return text.partition("=")[0]


@functools.cache
def plain_lexicon(
    language: str,
    own: tuple[str, ...],
    lengths: tuple[int, int],
    frequency: tuple[float, float],
    offensive: bool,
) -> Lexicon:
    """The lexicon of a language's words, or of one's own, within bounds of length and frequency.

    Raises ParamsError when a word cannot stand in a puzzle or fewer than three are left.
    """
    if own:
        words: Sequence[str] = _own_words(own)
    else:
        low, high = frequency
        words = [word for word, zipf in listed(language) if low <= zipf <= high]
    words = [
        word
        for word in dict.fromkeys(words)
        if lengths[0] <= len(word) <= lengths[1] and (offensive or not is_offensive(word))
    ]
    if len(words) < 3:
        raise ParamsError("words", f"{len(words)} words are left; take wider bounds")
    try:
        return lexicon(words)
    except ValueError as error:
        raise ParamsError("words", str(error)) from None


def _own_words(own: Sequence[str]) -> list[str]:
    """Words of a list that a user gave; blank lines and comments do not count."""
    words = []
    for line in own:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            word = plain_word(line)
        except ParseError as error:
            raise ParamsError("words", f"{line!r}: {error.what}") from None
        if not word.isalpha():
            raise ParamsError("words", f"{line!r}: letters only")
        words.append(word)
    return words


@functools.cache
def number_lexicon(language: str) -> Lexicon:
    """The number words of a language, with their values; not zero, which adds nothing."""
    listing = listed(f"numbers-{language}")
    pairs = [(word, int(value)) for word, value in listing if value > 0 and len(word) <= LONGEST]
    return lexicon([word for word, _ in pairs], [value for _, value in pairs])


def doubly_true(words: Sequence[str]) -> str | None:
    """The language in which words (addends, then the result) are numbers that add up, or None."""
    for language, known in number_words().items():
        values = [known.get(word, -1) for word in words]
        if min(values) >= 0 and len(values) > 2 and sum(values[:-1]) == values[-1]:
            return language
    return None
