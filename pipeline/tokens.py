"""The words of a filter expression: numbers, quoted texts, names and signs, with positions."""

import re
from typing import NamedTuple

from workers.errors import ParseError

TOKEN = re.compile(
    r"""\s*(?:(?P<number>-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?)(?![A-Za-z_\d])
         |(?P<text>'[^']*'|"[^"]*")
         |(?P<word>[A-Za-z_][A-Za-z_0-9]*)
         |(?P<sign>==|!=|<=|>=|\.\.|[=<>()\[\],]))""",
    re.VERBOSE,
)


class Token(NamedTuple):
    """A piece of the text: its class (number, text, word, sign or end) and where it starts."""

    sort: str
    text: str
    position: int


def tokens(text: str) -> list[Token]:
    """The text as tokens, the last of sort `end`; ParseError where it cannot be read."""
    found: list[Token] = []
    position = 0
    while text[position:].strip():
        match = TOKEN.match(text, position)
        if match is None:
            start = position + len(text[position:]) - len(text[position:].lstrip())
            what = "text without its closing quote" if text[start] in "'\"" else "cannot read"
            raise ParseError(f"filter: {what} {text[start : start + 20]!r}", start)
        sort = str(match.lastgroup)
        found.append(Token(sort, match[sort], match.start(sort)))
        position = match.end()
    found.append(Token("end", "the end", len(text)))
    return found
