"""A list of puzzles becomes the input of a run (see `workers.inputs`): parsed once, by the
producer, so that workers seek by row."""

import sys
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from pipeline.formats.entry import Reject
from pipeline.formats.files import source_name
from pipeline.formats.reading import parse_lines
from workers.contracts import InputFacts
from workers.errors import UsageError
from workers.inputs import LINES, REJECTS, SOURCE_LINE, input_facts

TEXT_SHOWN = 200
BLOCK_ROWS = 65_536


def ingest(source: str | Path, parse: Callable[[str], str], folder: Path) -> InputFacts:
    """Write the puzzles of `source` into `folder`; UsageError when there is none in it."""
    folder.mkdir(parents=True, exist_ok=True)
    loose, numbers, rejects = folder / "lines.loose", array("q"), folder / REJECTS
    widths: set[int] = set()
    first: Reject | None = None
    with loose.open("wb") as lines, rejects.open("wb") as bad:
        for found in parse_lines(source, parse):
            if isinstance(found, Reject):
                first = first or found
                bad.write(_reject_line(found))
                continue
            entry, text = found
            line = text.encode("utf-8")
            widths.add(len(line))
            numbers.append(entry.line)
            lines.write(line + b"\n")
    if not numbers:
        reason = first.at("first").removeprefix("first:") if first else "empty"
        raise UsageError(source_name(source), f"no puzzle in it; line {reason}")
    return _finish(folder, loose, numbers, widths)


def _finish(folder: Path, loose: Path, numbers: "array[int]", widths: set[int]) -> InputFacts:
    if sys.byteorder == "big":
        numbers.byteswap()
    with (folder / SOURCE_LINE).open("wb") as stream:
        numbers.tofile(stream)
    lines, width = folder / LINES, max(widths)
    if len(widths) == 1:
        loose.rename(lines)
    else:
        _pad(loose, lines, width)
        loose.unlink()
    return input_facts(folder, len(numbers), width)


def _pad(loose: Path, lines: Path, width: int) -> None:
    with loose.open("rb") as source, lines.open("wb") as target:
        for block in _blocks(source):
            target.write(b"".join(line.rstrip(b"\n").ljust(width) + b"\n" for line in block))


def _blocks(stream: BinaryIO) -> Iterator[list[bytes]]:
    while block := stream.readlines(BLOCK_ROWS):
        yield block


def _reject_line(reject: Reject) -> bytes:
    facts = {
        "line": reject.line,
        "column": reject.column,
        "reason": reject.reason,
        "text": reject.text[:TEXT_SHOWN],
    }
    return msgspec.json.encode(facts) + b"\n"
