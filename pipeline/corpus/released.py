"""Shards that a complete run no longer needs: removed on purpose, which leaves a mark.

Without the mark a missing shard of a complete run is a loss, and `verify` says so.
"""

import shutil
from pathlib import Path

from pipeline.corpus.manifest import RELEASED, SUCCESS
from pipeline.corpus.reading import is_complete
from pipeline.corpus.verify import corpus_findings, integrity_error
from workers.disk import write_once
from workers.errors import UsageError
from workers.shards import committed_jobs


def release_shards(run_dir: Path) -> int:
    """Remove the shards of a complete run, whose corpus holds their rows; returns how many.

    Raises UsageError when the run is not complete, IntegrityError when its corpus is damaged.
    """
    corpus = run_dir / "corpus"
    if not is_complete(corpus):
        raise UsageError(run_dir, "is not complete: its shards are needed")
    if findings := list(corpus_findings(corpus)):
        raise integrity_error(findings)
    shards = len(committed_jobs(run_dir))
    write_once(run_dir, run_dir / RELEASED, (corpus / SUCCESS).read_bytes())
    shutil.rmtree(run_dir / "shards", ignore_errors=True)
    return shards


def are_released(run_dir: Path) -> bool:
    """True when missing shards are missing on purpose."""
    return (run_dir / RELEASED).exists()


def forget_release(run_dir: Path) -> None:
    """Shards are made again: from now on they are needed."""
    (run_dir / RELEASED).unlink(missing_ok=True)
