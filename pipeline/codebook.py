"""The codebook: one entry a column, for people who read a corpus with other tools."""

from typing import Any

import msgspec
import pyarrow as pa
from msgspec import Struct

NULLS = {
    "key": "the canonical form ran out of its budget",
    "canonical": "the canonical form ran out of its budget",
    "automorphisms": "the canonical form ran out of its budget",
    "solution": "not exactly one solution",
    "solution_key": "not exactly one solution",
    "reason": "nothing to remark",
    "seed": "read from a list, not generated",
    "source_line": "generated, not read from a list",
    "level": "no level: not exactly one solution, or not rated",
    "level_rank": "no level: not exactly one solution, or not rated",
}
NOT_EVALUATED = "not evaluated"


class Entry(Struct, frozen=True):
    """What a user should know about one column."""

    column: str
    type: str
    unit: str
    nulls: str
    description: str
    rater: str | None
    rater_version: int | None


def codebook(schema: pa.Schema) -> list[Entry]:
    """An entry for every column of a corpus, in order."""
    return [_entry(field) for field in schema]


def codebook_markdown(entries: list[Entry]) -> str:
    """The codebook as a Markdown table."""
    lines = ["| column | type | unit | null means | description |", "|---|---|---|---|---|"]
    for entry in entries:
        cells = (f"`{entry.column}`", entry.type, entry.unit, entry.nulls, _full(entry))
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def codebook_text(entries: list[Entry]) -> str:
    """The codebook as aligned plain text."""
    width = max((len(entry.column) for entry in entries), default=0)
    kind = max((len(entry.type) for entry in entries), default=0)
    lines = []
    for entry in entries:
        unit = "" if entry.unit == "1" else f" [{entry.unit}]"
        nulls = f" (null: {entry.nulls})" if entry.nulls != "never" else ""
        lines.append(f"{entry.column:{width}}  {entry.type:{kind}}  {_full(entry)}{unit}{nulls}")
    return "\n".join(lines) + "\n"


def codebook_json(entries: list[Entry]) -> str:
    """The codebook as JSON, one object a line."""
    return "".join(msgspec.json.encode(entry).decode() + "\n" for entry in entries)


def _entry(field: Any) -> Entry:
    notes = {key.decode(): text.decode() for key, text in (field.metadata or {}).items()}
    version = notes.get("rater_version")
    nulls = notes.get("null") or NULLS.get(field.name, NOT_EVALUATED)
    return Entry(
        column=field.name,
        type=str(field.type),
        unit=notes.get("unit", "1"),
        nulls=nulls if field.nullable else "never",
        description=notes.get("description", ""),
        rater=notes.get("rater"),
        rater_version=int(version) if version else None,
    )


def _full(entry: Entry) -> str:
    if entry.rater is None:
        return entry.description
    return f"{entry.description} (rater {entry.rater}, version {entry.rater_version})"
