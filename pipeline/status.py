"""How far a run is, from its folder alone: no broker is asked, no driver needed, no lock held."""

import contextlib
import time
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from pipeline import runs
from pipeline.corpus.manifest import RELEASED, SUCCESS, read_manifest
from pipeline.progress import LISTED, InFlight, Progress, Status, rows_of
from workers import attempts, shards
from workers.contracts import RunRecord


def status(run_dir: Path) -> Status:
    """Facts about a run from its folder alone: no broker, no lock held.

    Committed and quarantined jobs are counted on disk; rates and jobs in flight are those of
    the driver's last words, with their age as of now.
    """
    record = runs.read_record(run_dir)
    found = _last_words(run_dir, record)
    committed = _committed(run_dir)
    found.committed, found.path = len(committed), str(run_dir)
    found.quarantined = attempts.quarantined_jobs(run_dir)[:LISTED]
    found.rows_committed = rows_of(record.facts.spec, committed)
    found.driver = runs.driver_at_work(run_dir)
    since = max(0.0, time.time() - found.updated)
    found.oldest = [
        InFlight(flight.job, round(flight.age_s + since, 1))
        for flight in found.oldest
        if not shards.sidecar_path(run_dir, flight.job).exists()
    ]
    if found.driver is None:
        found.in_flight, found.oldest, found.eta_s = 0, [], None
        found.state = _resting_state(run_dir, found)
    return found


def _committed(run_dir: Path) -> NDArray[np.int64]:
    """Jobs with a shard, or, when the shards of a complete run were released, all in its corpus."""
    complete = (run_dir / "corpus" / SUCCESS).exists()
    if not (complete and (run_dir / RELEASED).exists()):
        return shards.committed_jobs(run_dir)
    manifest = read_manifest(run_dir / "corpus")
    return np.setdiff1d(np.arange(manifest.jobs), manifest.quarantined)


def _last_words(run_dir: Path, record: RunRecord) -> Status:
    with contextlib.suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode((run_dir / "progress.json").read_bytes(), type=Status)
    return Progress(run_dir, record).status()


def _resting_state(run_dir: Path, found: Status) -> str:
    if (run_dir / "corpus" / "_SUCCESS").exists():
        return "complete"
    if found.state in ("running", "starting", "merging", "complete"):
        return "interrupted"  # the driver was killed before it could say so, or the corpus is gone
    return found.state
