"""Cryptarithms as text: `SEND+MORE=MONEY`, `TWO * TWO == SQUARE`, `A+B=C && C-A=B @12-nozero`.

The text is put into Unicode's form NFC first, and errors give the position in the text as it
came. What is parsed has a normal form: no blanks, capital letters (unless rules say otherwise),
one sign for each operation, the rules at the end when they are not the usual ones.
"""

import unicodedata

from workers.engines.cryptarithm.model import (
    PRODUCT,
    SUM,
    WORD,
    Puzzle,
    Term,
    Word,
)
from workers.engines.cryptarithm.rules import DIGIT_SIGNS, USUAL, parse_rules
from workers.engines.cryptarithm.tokens import Token, tokens_of, written
from workers.errors import ParseError

LONGEST_TEXT = 20_000
LONGEST_WORD = 64
MOST_WORDS = 1_000
DEEPEST = 40


def parse_puzzle(text: str) -> Puzzle:
    """The puzzle of a text; ParseError says what is wrong and where."""
    if len(text) > LONGEST_TEXT:
        raise ParseError(f"{len(text)} characters, at most {LONGEST_TEXT:,}", None)
    normal = unicodedata.normalize("NFC", text)
    try:
        return _Parser(normal).puzzle()
    except ParseError as error:
        if normal == text or error.position is None:
            raise
        raise ParseError(error.what, _original_position(text, error.position)) from None


def _original_position(text: str, position: int) -> int:
    """The place in a text of a place in its form NFC."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high) // 2
        if len(unicodedata.normalize("NFC", text[: middle + 1])) <= position:
            low = middle + 1
        else:
            high = middle
    return min(low, max(len(text) - 1, 0))


class _Parser:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str) -> None:
        equations, mark, rules = text.partition("@")
        self._rules = parse_rules(rules, len(equations)) if mark else USUAL
        self._end = len(equations.rstrip())
        self._tokens = tokens_of(equations, self._rules)
        self._next = 0
        self._depth = 0
        self._numbers: dict[str, int] = {}
        self._leading = 0
        self._words = 0

    def puzzle(self) -> Puzzle:
        if self._sign == "":
            raise ParseError("no puzzle in it", None)
        equations = [self._equation()]
        while self._sign == "&":
            self._take()
            equations.append(self._equation())
        if self._sign == ")":
            raise ParseError("a ) without (", self._token.start)
        if self._sign == "=":
            raise ParseError("a second = (equations are joined by &&)", self._token.start)
        if not self._numbers:
            raise ParseError("no letter in it: nothing to solve", 0)
        tokens = [written(token, self._rules) for token in self._tokens]
        suffix = "" if self._rules == USUAL else f"@{self._rules.id}"
        normal = "".join(tokens) + suffix
        return Puzzle(self._rules, tuple(self._numbers), self._leading, tuple(equations), normal)

    @property
    def _token(self) -> Token:
        if self._next < len(self._tokens):
            return self._tokens[self._next]
        return Token("", self._end)

    @property
    def _sign(self) -> str:
        return self._token.sign

    def _take(self) -> Token:
        token = self._token
        self._next += 1
        return token

    def _equation(self) -> tuple[Term, Term]:
        left = self._sum()
        if self._sign != "=":
            raise ParseError(self._lacking("no ="), self._here())
        self._take()
        return left, self._sum()

    def _sum(self) -> Term:
        first = self._take().sign if self._sign in ("+", "-") else "+"
        signs, items = [first], [self._product()]
        while self._sign in ("+", "-"):
            signs.append(self._take().sign)
            items.append(self._product())
        if signs == ["+"]:
            return items[0]
        return Term(SUM, items=tuple(items), signs=tuple(1 if s == "+" else -1 for s in signs))

    def _product(self) -> Term:
        items = [self._factor()]
        while self._sign == "*":
            self._take()
            items.append(self._factor())
        return items[0] if len(items) == 1 else Term(PRODUCT, items=tuple(items))

    def _factor(self) -> Term:
        if self._sign == "(":
            opened = self._take()
            self._depth += 1
            if self._depth > DEEPEST:
                raise ParseError(f"more than {DEEPEST} parentheses deep", opened.start)
            term = self._sum()
            if self._sign != ")":
                raise ParseError("a ( without )", opened.start)
            self._take()
            self._depth -= 1
            return term
        if self._sign != "w":
            raise ParseError(self._lacking("a word is missing"), self._here())
        return Term(WORD, self._word(self._take()))

    def _word(self, token: Token) -> Word:
        if len(token.symbols) > LONGEST_WORD:
            what = f"a word of {len(token.symbols)} letters, at most {LONGEST_WORD}"
            raise ParseError(what, token.start)
        self._words += 1
        if self._words > MOST_WORDS:
            raise ParseError(f"more than {MOST_WORDS:,} words", token.start)
        word = tuple(
            ~symbol if isinstance(symbol, int) else self._number(symbol, token)
            for symbol in token.symbols
        )
        if word[0] >= 0 and (len(word) > 1 or not self._rules.lone_zero):
            self._leading |= 1 << word[0]
        return word

    def _number(self, symbol: str, token: Token) -> int:
        number = self._numbers.setdefault(symbol, len(self._numbers))
        base = self._rules.base
        if number >= base:
            what = (
                f"too many letters: {symbol} is number {number + 1}, base {base} has {base} digits"
            )
            raise ParseError(what, token.start)
        return number

    def _lacking(self, what: str) -> str:
        found = self._sign
        return f"{what} at the end" if found == "" else f"{what} before {found!r}" if found != "w" \
            else f"{what}, but another word"  # fmt: skip

    def _here(self) -> int:
        return self._token.start


def format_solution(puzzle: Puzzle, digits: tuple[int, ...]) -> str:
    """The normal text with digits for the letters, without the rules."""
    signs = {letter: DIGIT_SIGNS[digits[place]] for place, letter in enumerate(puzzle.letters)}
    tokens = tokens_of(puzzle.text.partition("@")[0], puzzle.rules)
    return "".join(
        "".join(DIGIT_SIGNS[s] if isinstance(s, int) else signs[s] for s in token.symbols)
        if token.sign == "w"
        else written(token, puzzle.rules)
        for token in tokens
    )
