"""What is set right in a run folder before the run goes on: leftovers and damage."""

from pathlib import Path

from pipeline.broker import stop_orphan
from pipeline.corpus.staging import sweep_folders
from workers.disk import collect_garbage


def tidy(run_dir: Path) -> list[str]:
    """Stop orphans and remove leftovers; the caller holds the run. Returns what was removed."""
    found = []
    if stop_orphan(run_dir / "broker"):
        found.append("an orphaned broker")
    if drafts := collect_garbage(run_dir):
        found.append(f"{drafts} unfinished files")
    if folders := sweep_folders(run_dir):
        found.append(f"{folders} unfinished corpus folders")
    return found


def damaged(run_dir: Path) -> bool:
    """True when a complete run is damaged; then all that is broken is ready to be made anew."""
    from pipeline.corpus.verify import corpus_findings, lost_jobs

    broken = discard_damaged(run_dir) or lost_jobs(run_dir)
    return bool(broken) or any(corpus_findings(run_dir / "corpus"))


def discard_damaged(run_dir: Path) -> list[int]:
    """Forget the jobs whose shards are not what their records say, and return them."""
    from pipeline.corpus.verify import bad_shards, discard

    jobs = bad_shards(run_dir)
    for job in jobs:
        discard(run_dir, job)
    return jobs
