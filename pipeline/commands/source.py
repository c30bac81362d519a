"""TEXT, FILE or `-` as puzzles of a kind; malformed lines are reported and counted."""

import re
import sys
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

import click

from pipeline import api
from pipeline.formats.entry import Entry, Found, Reject
from pipeline.formats.files import source_name
from pipeline.formats.links import LINK
from pipeline.formats.reading import parse_entries, read_found, text_found
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

    def __init__(self, name: str, kind: api.Kind, found: Iterator[Found]) -> None:
        self.kind = kind
        self.name = name
        self.rejected = self.accepted = 0
        self._found = found

    def __iter__(self) -> Iterator[str]:
        return (entry.text for entry in self.entries())

    def entries(self) -> Iterator[Entry]:
        """The same with what else the file says of each puzzle; the text is normalised."""
        for found in parse_entries(self._found, self.kind.parse):
            if isinstance(found, Reject):
                self._report(found)
            else:
                self.accepted += 1
                yield found[0]._replace(text=found[1])

    def refuse(self, reject: Reject) -> None:
        """Count and report a puzzle that was accepted, and cannot be used after all."""
        self.accepted -= 1
        self._report(reject)

    def exit_code(self) -> int:
        """2 when a text was malformed, else 0; says how many were."""
        if self.rejected and self.accepted:
            total = self.rejected + self.accepted
            click.echo(f"{self.name}: {self.rejected} of {total} puzzles malformed", err=True)
        return 2 if self.rejected else 0

    def _report(self, reject: Reject) -> None:
        self.rejected += 1
        if self.rejected <= SHOWN_REJECTS:
            click.echo(reject.at(self.name), err=True)
        elif self.rejected == SHOWN_REJECTS + 1:
            click.echo(f"{self.name}: further malformed lines are only counted", err=True)


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
    return open_file(text, kind_name)


def open_file(file: str, kind_name: str | None, form: str | None = None) -> Source:
    """The puzzles of a FILE or `-`, in the format named or the one its content tells."""
    return _opened(source_name(file), read_found(file, form), kind_name)


def _opened(name: str, found: Iterator[Found], kind_name: str | None) -> Source:
    sample = list(islice(found, SAMPLE_LINES))
    texts = [entry.text for entry in sample if isinstance(entry, Entry)]
    kind = api.find_kind(kind_name, texts)
    return Source(name, kind, chain(sample, found))


def _one_text(text: str, kind_name: str | None) -> Source:
    found = list(text_found(text)) or [Entry(1, 1, text)]
    kind = api.find_kind(kind_name, [one.text for one in found])
    if not LINK.match(text) and not api.is_text_of(kind, found[0].text):
        if FILE_LIKE.search(text):
            raise UsageError(text, "no such file")
        if NAME_LIKE.fullmatch(text):
            raise UsageError(text, f"no such file, and no puzzle either: {_why_not(kind, text)}")
    return Source("TEXT", kind, iter(found))


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
