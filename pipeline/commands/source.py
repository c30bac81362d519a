"""TEXT, FILE or `-` as puzzles of a kind; malformed lines are reported and counted."""

import re
import sys
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

import click

from pipeline import api
from pipeline.formats.lines import (
    Entry,
    Reject,
    parse_entries,
    read_entries,
    source_name,
    text_entries,
)
from workers.errors import ParseError, UsageError

SHOWN_REJECTS = 20
SAMPLE_LINES = 20  # of a list, to tell its kind
FILE_LIKE = re.compile(r"[/\\]|\.[a-z]{2,8}$", re.IGNORECASE)
NAME_LIKE = re.compile(r"(?=.*[a-wyzA-WYZ])[\w.-]{1,40}")  # x is an empty cell
DASHED = re.compile(r"-[0-9.\-_*xX]{80}")


class TextCommand(click.Command):
    """A command whose puzzle text may start with `-` for an empty cell."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        words = [word.replace("-", ".") if DASHED.fullmatch(word) else word for word in args]
        return super().parse_args(ctx, words)


class Source:
    """The puzzles a command works on; iterating gives normalised texts, in order.

    `rejected` and `accepted` count what has been read so far.
    """

    def __init__(self, name: str, kind: api.Kind, entries: Iterator[Entry]) -> None:
        self.kind = kind
        self.rejected = self.accepted = 0
        self._name = name
        self._entries = entries

    def __iter__(self) -> Iterator[str]:
        for found in parse_entries(self._entries, self.kind.parse):
            if isinstance(found, Reject):
                self._report(found)
            else:
                self.accepted += 1
                yield found[1]

    def exit_code(self) -> int:
        """2 when a text was malformed, else 0; says how many were."""
        if self.rejected and self.accepted:
            total = self.rejected + self.accepted
            click.echo(f"{self._name}: {self.rejected} of {total} puzzles malformed", err=True)
        return 2 if self.rejected else 0

    def _report(self, reject: Reject) -> None:
        self.rejected += 1
        if self.rejected <= SHOWN_REJECTS:
            click.echo(reject.at(self._name), err=True)
        elif self.rejected == SHOWN_REJECTS + 1:
            click.echo(f"{self._name}: further malformed lines are only counted", err=True)


def open_source(text: str | None, kind_name: str | None) -> Source:
    """The puzzles of a TEXT, a FILE or `-`; without any of them, of stdin when it is piped.

    The kind is the one named, or the one that most of the first texts belong to.
    """
    if text is None:
        if sys.stdin is None or sys.stdin.isatty():
            raise click.UsageError("missing TEXT, FILE or -", click.get_current_context())
        text = "-"
    if text != "-" and not _is_file(text):
        return _one_text(text, kind_name)
    entries = read_entries(text)
    sample = list(islice(entries, SAMPLE_LINES))
    kind = api.find_kind(kind_name, [entry.text for entry in sample])
    return Source(source_name(text), kind, chain(sample, entries))


def _one_text(text: str, kind_name: str | None) -> Source:
    entries = list(text_entries(text)) or [Entry(1, 1, text)]
    kind = api.find_kind(kind_name, [entry.text for entry in entries])
    if not api.is_text_of(kind, entries[0].text):
        if FILE_LIKE.search(text):
            raise UsageError(text, "no such file")
        if NAME_LIKE.fullmatch(text):
            raise UsageError(text, f"no such file, and no puzzle either: {_why_not(kind, text)}")
    return Source("TEXT", kind, iter(entries))


def _why_not(kind: api.Kind, text: str) -> str:
    try:
        kind.parse(text)
    except ParseError as error:
        return str(error)
    return "it holds no puzzle"


def _is_file(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # too long or malformed for a path
        return False
