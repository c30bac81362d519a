"""From a plan file to the facts of a run: what is asked for, checked, and made exact.

    load_plan(name or file, overrides) -> Plan       what the user wrote
    run_facts(plan, input) -> RunFacts               everything that changes the corpus
    run_name(facts) -> "quickstart-1f2e3d4c"         the run's id

Jobs are never listed: job i covers rows [i * job_rows, (i + 1) * job_rows) of the run, and its
seed follows from i, so a plan of ten million jobs costs nothing until they are sent.
"""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from pipeline.toml import apply_override, find_config, near, read_toml, with_files
from workers.contracts import Action, InputFacts, JobSpec, KeySet, RunFacts, Seed
from workers.errors import ConfigError
from workers.kinds.protocol import PuzzleKind

PlanName = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
JobRows = Annotated[int, Meta(ge=1, le=100_000)]
Rows = Annotated[int, Meta(ge=1, le=10_000_000_000)]
Jobs = Annotated[int, Meta(ge=1, le=10_000_000)]
MAX_JOBS = 10_000_000
JOB_ROWS, LIGHT_JOB_ROWS = 250, 5_000
WALKS = "vicinity"
"""The method of generation that makes for goals."""


class Plan(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A plan file as the user wrote it; paths in it are absolute after `load_plan`."""

    name: PlanName
    kind: str
    action: Action = "generate"
    raters: tuple[str, ...] | None = None  # None: the kind's default
    seed: Seed | None = None  # required to generate
    rows: Rows | None = None  # to generate; a list brings its own
    job_rows: JobRows | None = None  # None: about a second of work, see `default_job_rows`
    dedupe: Literal["canonical", "string", "none"] | None = None
    levels: str | None = None  # name or path of a levels file, "none"; None: the kind's default
    params: dict[str, Any] = {}  # a list of texts may be { file = "its lines.txt" }
    quotas: dict[str, Rows] = {}
    max_jobs: Jobs | None = None  # with quotas or a target: where to give up
    target: str | None = None  # a filter on columns; `rows` (or quotas) count rows that pass it
    exclude: tuple[str, ...] = ()  # corpora, or runs that have one, whose puzzles are left out
    input: str | None = None  # to grade: the list


def load_plan(plan: str | Path, overrides: Iterable[str] = (), source: str | None = None) -> Plan:
    """The plan in a file, or the shipped one of that name, with `key=value` overrides applied.

    `source` is the list to grade, relative to the working folder (`-`: stdin); a path inside the
    plan is relative to the plan's file. Raises ConfigError that names the file and the key.
    """
    path = find_config(str(plan), "plan")
    table = read_toml(path)
    for override in overrides:
        apply_override(table, override)
    if source is not None:
        table["input"] = source if source == "-" else str(Path(source).absolute())
    _check_keys(path, table)
    for key in ("input", "levels"):
        _make_absolute(table, key, path.parent)
    if isinstance(table.get("exclude"), list):
        table["exclude"] = [_absolute(one, path.parent) for one in table["exclude"]]
    if isinstance(table.get("params"), dict):
        table["params"] = with_files(table["params"], path.parent)
    try:
        checked = msgspec.convert(table, Plan)
    except msgspec.ValidationError as wrong:
        raise ConfigError(path, _readable(str(wrong))) from None
    _check_consistency(path, checked)
    return checked


def run_facts(
    plan: Plan, lines: InputFacts | None = None, exclude: KeySet | None = None
) -> RunFacts:
    """Everything that changes the corpus, from a plan, the parsed lines it grades and the keys
    that it excludes.

    Raises ConfigError when kind, rater, parameter, level or quota does not exist, or a column of
    the target does not.
    """
    from workers.kinds import registry
    from workers.runs import current_versions

    _known(plan, "kind", plan.kind, registry.names())
    kind = registry.get(plan.kind)
    raters = plan.raters if plan.raters is not None else tuple(kind.default_raters)
    for rater in raters:
        _known(plan, "raters", rater, tuple(kind.rater_versions))
    levels = _levels(plan, kind)
    if plan.target is not None:
        plan = _steered(plan, kind.schema(raters), levels)
    if plan.job_rows is None:
        plan = msgspec.structs.replace(plan, job_rows=default_job_rows(kind, raters))
    spec = _job_spec(plan, raters, _normal_params(plan, kind), lines)
    return RunFacts(
        name=plan.name,
        spec=spec,
        **current_versions(plan.kind, raters)._asdict(),
        dedupe=plan.dedupe or ("canonical" if plan.action == "generate" else "none"),
        quotas=dict(sorted(plan.quotas.items())),
        levels=levels,
        target=plan.target,
        target_rows=plan.rows if plan.target is not None else None,
        exclude=exclude,
    )


def default_job_rows(kind: PuzzleKind[Any], raters: Iterable[str]) -> int:
    """Rows of a job where a plan does not say: more where all raters are light."""
    light: Iterable[str] = getattr(kind, "light_raters", ())
    return LIGHT_JOB_ROWS if set(raters) <= set(light) else JOB_ROWS


def run_name(facts: RunFacts) -> str:
    """The run's id: the plan's name and the head of the digest of the facts."""
    return f"{facts.name}-{facts.digest()[:8]}"


def differences(old: RunFacts, new: RunFacts) -> list[str]:
    """One `key: old -> new` line for every fact that differs, in the plan's words."""
    before, after = (_flat(msgspec.to_builtins(facts)) for facts in (old, new))
    keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    return [f"{key}: {_shown(before.get(key))} -> {_shown(after.get(key))}" for key in keys]


def _job_spec(
    plan: Plan, raters: tuple[str, ...], params: dict[str, Any], lines: InputFacts | None
) -> JobSpec:
    job_rows = plan.job_rows or JOB_ROWS
    most = plan.max_jobs * job_rows if plan.max_jobs is not None else plan.rows or 0
    rows = lines.rows if lines is not None else most
    jobs = -(-rows // job_rows)
    if jobs > MAX_JOBS:
        raise ConfigError(plan.name, f"rows: {jobs} jobs, at most {MAX_JOBS}; raise job_rows")
    return JobSpec(
        kind=plan.kind,
        action=plan.action,
        raters=raters,
        seed=plan.seed or 0,
        params=params,
        jobs=jobs,
        job_rows=job_rows,
        rows=rows,
        input=lines,
    )


def _steered(plan: Plan, schema: Any, levels: dict[str, Any] | None) -> Plan:
    """The plan, checked, with the goals of its walks where it makes walks and gives none."""
    from pipeline.levels import Levels
    from pipeline.target import Target, goals
    from workers.tables import shard_schema

    known = Levels.from_table(levels) if levels is not None else None
    try:
        target = Target(plan.target or "", shard_schema(schema), known)
        if plan.params.get("method") != WALKS or "goals" in plan.params:
            return plan
        params = {**plan.params, "goals": goals(target, schema, known)}
    except ConfigError as wrong:
        raise ConfigError(plan.name, f"{wrong.args[0]}: {wrong.args[1]}") from None
    return msgspec.structs.replace(plan, params=params)


def _normal_params(plan: Plan, kind: PuzzleKind[Any]) -> dict[str, Any]:
    """The kind's parameters with every default written out, so that the digest covers them."""
    known = tuple(field.name for field in msgspec.structs.fields(kind.params_type))
    for key in plan.params:
        _known(plan, "params", key, known)
    try:
        params = msgspec.convert(plan.params, kind.params_type)
    except msgspec.ValidationError as wrong:
        raise ConfigError(plan.name, f"params.{_readable(str(wrong))}") from None
    normal: dict[str, Any] = msgspec.to_builtins(params)
    return normal


def _levels(plan: Plan, kind: PuzzleKind[Any]) -> dict[str, Any] | None:
    name = plan.levels if plan.levels is not None else kind.default_levels
    if name is None or name == "none":
        if plan.quotas:
            raise ConfigError(plan.name, "quotas: need a levels file (levels = ...)")
        return None
    from pipeline.levels import load_levels

    levels = load_levels(name)
    for level in plan.quotas:
        _known(plan, "quotas", level, levels.names)
    table: dict[str, Any] = levels.table
    return table


def _check_consistency(path: Path, plan: Plan) -> None:
    """Keys that need or exclude each other."""
    grading = plan.action == "grade"
    choosing = bool(plan.quotas) or plan.target is not None
    rules = (
        (grading and plan.rows is not None, "rows: a list brings its own; leave it out"),
        (grading and bool(plan.quotas), "quotas: only with action = 'generate'"),
        (not grading and plan.input is not None, "input: only with action = 'grade'"),
        (not grading and plan.seed is None, "seed: required with action = 'generate'"),
        (grading and plan.target is not None, "target: only with action = 'generate'"),
        (grading and bool(plan.exclude), "exclude: only with action = 'generate'"),
        (choosing and plan.max_jobs is None, "max_jobs: required with quotas or a target"),
        (bool(plan.quotas) and plan.rows is not None, "rows: not with quotas; leave it out"),
        (not choosing and plan.max_jobs is not None, "max_jobs: only with quotas or a target"),
        (not grading and not plan.quotas and plan.rows is None, "rows: required (or quotas)"),
        (plan.raters is not None and len(set(plan.raters)) < len(plan.raters), "raters: doubled"),
    )
    for broken, what in rules:
        if broken:
            raise ConfigError(path, what)


def _check_keys(path: Path, table: Mapping[str, Any]) -> None:
    known = [field.name for field in msgspec.structs.fields(Plan)]
    for key in table:
        if key not in known:
            hint = near(key, known) or f"keys: {', '.join(known)}"
            raise ConfigError(path, f"{key}: unknown key ({hint})")


def _make_absolute(table: dict[str, Any], key: str, folder: Path) -> None:
    """A value that names a file is relative to the plan's folder; other names stay."""
    value = table.get(key)
    if value == "-":  # stdin
        return
    if isinstance(value, str) and (key == "input" or value.endswith((".toml", ".json"))):
        table[key] = _absolute(value, folder)


def _absolute(value: Any, folder: Path) -> Any:
    if not isinstance(value, str):
        return value  # refused later, with its key
    return str((folder / Path(value).expanduser()).absolute())


def _known(plan: Plan, key: str, value: str, known: Iterable[str]) -> None:
    names = list(known)
    if value not in names:
        hint = near(value, names) or f"known: {', '.join(names)}"
        raise ConfigError(plan.name, f"{key}: unknown {value!r} ({hint})")


def _readable(message: str) -> str:
    """`Expected X - at `$.a.b`` of msgspec as `a.b: expected X`."""
    what, _, where = message.partition(" - at `$")
    key = where.rstrip("`").lstrip(".") or "plan"
    missing = re.fullmatch(r"Object missing required field `(\w+)`", what)
    if missing:
        return f"{missing[1]}: required"
    return f"{key}: {what[0].lower()}{what[1:]}".replace("`", "").replace(" | null", "")


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in table.items():
        name = prefix + key if key != "spec" else ""
        if isinstance(value, Mapping):
            found.update(_flat(value, f"{name}." if name else ""))
        else:
            found[name] = value
    return found


def _shown(value: Any) -> str:
    return "(none)" if value is None else json.dumps(value, ensure_ascii=False)
