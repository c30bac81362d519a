"""Corpus columns: which there are, what they mean, and whether a table has them.

A corpus has the columns of its shards (the kind's, then job, row, seed, source_line), then level
and level_rank, with predicted minutes before them where there are any. Field metadata say unit,
description, rater and rater version. Inside a major
schema version columns are only added, nullable and at the end; anything else is refused.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute

from pipeline.levels import Levels, load_levels
from pipeline.minutes import MINUTES_COLUMNS, MINUTES_FIELDS
from workers.contracts import JobSpec, RunFacts
from workers.errors import IntegrityError, VersionRefused
from workers.kinds import registry
from workers.runs import current_versions
from workers.tables import METADATA_KEY, shard_schema

CORPUS_SCHEMA = 1
RUN_COLUMN = "run"
RANGES: dict[str, tuple[float, float | None]] = {
    "n_solutions": (0, 2),
    "automorphisms": (1, None),
    "hodoku_score": (0, None),
    "hodoku_steps": (0, None),
    "er": (1, 20),
    "ep": (1, 20),
    "ed": (1, 20),
    "search_nodes": (0, None),
    "guesses": (0, None),
    "job": (0, None),
    "row": (0, None),
    "seed": (0, None),
    "source_line": (1, None),
    "level_rank": (1, None),
}
"""Column -> smallest and largest value allowed; columns with `_t_` in their name count uses."""
pc: Any = pyarrow.compute  # the stubs refuse plain values


def run_schema(facts: RunFacts) -> pa.Schema:
    """Columns of the shards of a run, with the rater and its version on every rating.

    Raises VersionRefused when the kinds here are not those that made the run.
    """
    kind = registry.get(facts.spec.kind)
    raters = facts.spec.raters
    here = (kind.version, {rater: kind.rater_versions.get(rater) for rater in raters})
    if here != (facts.kind_version, facts.rater_versions):
        what = f"made by versions {facts.kind_version} {facts.rater_versions}, here are {here}"
        raise VersionRefused(facts.name, what)
    plain = set(kind.schema(()).names)
    owners = {name: rater for rater in raters for name in kind.schema((rater,)).names}
    fields: list[Any] = []
    for field in shard_schema(kind.schema(raters)):
        notes: dict[Any, Any] = dict(field.metadata or {})
        if field.name in owners and field.name not in plain:
            rater = owners[field.name]
            notes |= {b"rater": rater.encode()}
            notes |= {b"rater_version": str(facts.rater_versions[rater]).encode()}
        fields.append(field.with_metadata(notes))
    return pa.schema(fields)


def corpus_schema(
    rows: pa.Schema, facts: Sequence[RunFacts], levels: Levels | None = None
) -> pa.Schema:
    """The schema of a corpus whose rows have the columns `rows`, from runs with these facts.

    It has the columns of a time model, before those of the level, when its levels have one.
    """
    made = ("level", "level_rank", *MINUTES_COLUMNS)
    fields: list[Any] = [field for field in rows if field.name not in made]
    if levels is not None and levels.minutes is not None:
        fields.extend(MINUTES_FIELDS)
    notes = {"unit": "1", "values": "few"}
    level = "level by the levels file of the corpus"
    rank = "rank of the level, 1 = the easiest of the levels file"
    fields.append(pa.field("level", pa.string(), metadata={**notes, "description": level}))
    fields.append(pa.field("level_rank", pa.int8(), metadata={**notes, "description": rank}))
    footer = {
        "schema": CORPUS_SCHEMA,
        "kind": facts[0].spec.kind,
        "kind_version": facts[0].kind_version,
        "rater_versions": rater_versions(facts),
    }
    return pa.schema(fields, {METADATA_KEY: msgspec.json.encode(footer, order="sorted")})


def kind_schema(kind: str, raters: Sequence[str] | None = None) -> pa.Schema:
    """The schema of corpora that this code makes of a kind, by these raters (None: all it has).

    Raises ParamsError for a kind or rater that there is not.
    """
    chosen = tuple(registry.get(kind).rater_versions) if raters is None else tuple(raters)
    spec = JobSpec(kind, "generate", chosen, seed=0, params={}, jobs=0, job_rows=1, rows=0)
    versions = current_versions(kind, chosen)._asdict()
    facts = RunFacts(kind, spec, **versions, dedupe="none", quotas={}, levels=None)
    timed = getattr(registry.get(kind), "time_levels", None) if raters is None else None
    return corpus_schema(run_schema(facts), [facts], load_levels(timed) if timed else None)


def rater_versions(facts: Iterable[RunFacts]) -> dict[str, int]:
    """Rater -> version over several runs; VersionRefused when two versions would mix."""
    known: dict[str, int] = {}
    for one in facts:
        for rater, version in one.rater_versions.items():
            if known.setdefault(rater, version) != version:
                what = f"rater {rater}: versions {known[rater]} and {version} do not mix"
                raise VersionRefused("corpora", f"{what}; grade one of them anew")
    return dict(sorted(known.items()))


def differences(found: pa.Schema, wanted: pa.Schema) -> list[str]:
    """Why rows with the columns `found` cannot go where `wanted` are; empty when they can.

    Columns may be absent when they are nullable; none may be more, moved or of another type.
    """
    types, names = {field.name: field.type for field in found}, wanted.names
    faults = [f"has an unknown column {name}" for name in types if name not in names]
    for field in wanted:
        if field.name not in types:
            if not field.nullable:
                faults.append(f"lacks the column {field.name}")
        elif types[field.name] != field.type:
            faults.append(f"column {field.name} is {types[field.name]}, not {field.type}")
    if not faults and list(types) != [name for name in names if name in types]:
        faults.append("has its columns in another order")
    return faults


def conform(table: pa.Table, wanted: pa.Schema) -> pa.Table:
    """The table with exactly the fields of `wanted`, absent columns null; no value is cast."""
    present = set(table.column_names)
    columns = [
        table.column(field.name) if field.name in present else pa.nulls(table.num_rows, field.type)
        for field in wanted
    ]
    return pa.Table.from_arrays(columns, schema=wanted)


def unify(schemas: Sequence[pa.Schema]) -> pa.Schema:
    """Columns of several corpora together, in order of appearance; IntegrityError on a clash.

    A column that one of them lacks becomes nullable: null means that it was not evaluated.
    """
    fields: dict[str, Any] = {}
    for schema in schemas:
        for field in schema:
            known = fields.setdefault(field.name, field)
            if known.type != field.type:
                what = f"is {known.type} in one and {field.type} in another"
                raise IntegrityError(f"column {field.name}", f"{what}; corpora cannot be merged")
            if field.nullable and not known.nullable:
                fields[field.name] = known.with_nullable(True)
    for name, field in fields.items():
        if any(name not in schema.names for schema in schemas):
            fields[name] = field.with_nullable(True)
    return pa.schema(list(fields.values()))


def value_faults(table: pa.Table) -> list[str]:
    """Values that no row may have: nulls where there are none, numbers out of range."""
    faults = []
    for field in table.schema:
        values = table.column(field.name)
        if values.null_count and not field.nullable:
            faults.append(f"column {field.name} has {values.null_count} nulls")
        least, most = RANGES.get(field.name, (0, None) if "_t_" in field.name else (None, None))
        if least is None or not _is_number(field.type):
            continue
        extremes = pc.min_max(values).as_py()
        if extremes["min"] is not None and extremes["min"] < least:
            faults.append(f"column {field.name} has {extremes['min']}, below {least}")
        if most is not None and extremes["max"] is not None and extremes["max"] > most:
            faults.append(f"column {field.name} has {extremes['max']}, above {most}")
    return faults


def schema_version(schema: pa.Schema) -> int | None:
    """Major version in the footer of a corpus file; None for a file of another origin."""
    footer = (schema.metadata or {}).get(METADATA_KEY)
    version = json.loads(footer).get("schema") if footer else None
    return version if isinstance(version, int) else None


def _is_number(value_type: Any) -> bool:
    return bool(pa.types.is_integer(value_type) or pa.types.is_floating(value_type))
