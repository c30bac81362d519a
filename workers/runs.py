"""An opened run: its record, kind and columns, after this code has proved fit for it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa
from msgspec import Struct

from workers.contracts import RECORD_SCHEMA, JobSpec, RunRecord
from workers.errors import ConfigError, IntegrityError, ParamsError, RunDiffers, VersionRefused
from workers.kinds import registry
from workers.kinds.protocol import PuzzleKind
from workers.tables import shard_schema


class Versions(NamedTuple):
    """The versions that change rows, as this code has them."""

    kind_version: int
    rater_versions: dict[str, int]
    pyarrow: str


class Run(NamedTuple):
    """An opened run folder whose versions are those of this code."""

    folder: Path
    record: RunRecord
    kind: PuzzleKind[Any]
    params: Struct
    schema: pa.Schema  # of a shard

    @property
    def spec(self) -> JobSpec:
        return self.record.facts.spec

    @property
    def cfg8(self) -> str:
        return self.record.cfg8


def current_versions(kind: str, raters: Sequence[str]) -> Versions:
    """This code's versions of a kind and its raters; ParamsError when it has no such thing."""
    known = registry.get(kind).rater_versions
    for rater in raters:
        if rater not in known:
            raise ParamsError("raters", f"{rater!r} is not one of {', '.join(known)}")
    versions = {rater: known[rater] for rater in raters}
    return Versions(registry.get(kind).version, versions, pa.__version__)


def open_run(store: Path | str, run_id: str, cfg8: str | None = None) -> Run:
    """Open STORE/run_id.

    Raises ConfigError when there is no such run, RunDiffers when `cfg8` is not its digest's
    head, IntegrityError when run.json does not match its own digest, and VersionRefused, which
    names what differs, when this code would give other rows.
    """
    return open_folder(Path(store) / run_id, cfg8)


def open_folder(folder: Path, cfg8: str | None = None) -> Run:
    """Open the run in `folder`; see `open_run`."""
    record = read_record(folder / "run.json")
    if cfg8 is not None and cfg8 != record.cfg8:
        raise RunDiffers(str(folder), f"the plan is {record.cfg8}, asked for was {cfg8}")
    _check_versions(record)
    spec = record.facts.spec
    kind = registry.get(spec.kind)
    params = msgspec.convert(spec.params, kind.params_type)
    return Run(folder, record, kind, params, shard_schema(kind.schema(spec.raters)))


def read_record(path: Path) -> RunRecord:
    """The record in a run.json; see `open_run`."""
    try:
        record = msgspec.json.decode(path.read_bytes(), type=RunRecord)
    except FileNotFoundError as error:
        raise ConfigError(str(path), "there is no such run in this store") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise IntegrityError(str(path), f"malformed: {error}") from error
    if record.schema != RECORD_SCHEMA:
        raise VersionRefused(str(path), f"schema {record.schema}, this code has {RECORD_SCHEMA}")
    if record.facts.digest() != record.digest:
        raise IntegrityError(str(path), "its facts do not have the digest it states")
    return record


def _check_versions(record: RunRecord) -> None:
    facts = record.facts
    try:
        ours = current_versions(facts.spec.kind, facts.spec.raters)
    except ParamsError as error:
        raise VersionRefused(record.run_id, str(error)) from error
    found: dict[str, tuple[object, object]] = {
        facts.spec.kind: (facts.kind_version, ours.kind_version),
        "pyarrow": (facts.pyarrow, ours.pyarrow),
    }
    for rater in sorted({*facts.rater_versions, *ours.rater_versions}):
        pair = (facts.rater_versions.get(rater), ours.rater_versions.get(rater))
        found[f"rater {rater}"] = pair
    other = [f"{what} {run} here {here}" for what, (run, here) in found.items() if run != here]
    if other:
        raise VersionRefused(record.run_id, f"made with {', '.join(other)}")
