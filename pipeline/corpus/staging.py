"""A folder that appears whole or not at all, and what is left of those that never did."""

import contextlib
import os
import shutil
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import psutil

from workers.disk import collect_garbage, sync_folder

DAY = 86_400.0


@contextlib.contextmanager
def staged(target: Path) -> Iterator[Path]:
    """A folder to fill; it takes the place of `target` when the block ends without an error.

    The folder in the making is `.<name>.<pid>.<ns>.<host>` beside `target`. An older `target` is
    moved aside first and removed last, so a crash leaves either one whole or none, never a mix.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    mark = f"{os.getpid()}.{time.time_ns()}.{socket.gethostname()}"
    folder = target.with_name(f".{target.name}.{mark}")
    aside = target.with_name(f".{target.name}-old.{mark}")
    folder.mkdir()
    try:
        yield folder
        _sync(folder)
        if target.exists():
            target.rename(aside)
        folder.rename(target)
        sync_folder(target.parent)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(aside, ignore_errors=True)


class Swept(NamedTuple):
    """What `gc` removed."""

    drafts: int  # files in tmp/ of processes that are gone
    folders: int  # corpus folders that were never finished
    orphans: int  # shards without a sidecar, older than a day


def gc(run_dir: Path) -> Swept:
    """Remove what dead processes left in a run folder; nothing that is committed or in work."""
    return Swept(collect_garbage(run_dir), sweep_folders(run_dir), sweep_orphans(run_dir))


def sweep_folders(run_dir: Path) -> int:
    """Remove corpus folders in the making whose process is gone; returns how many."""
    folders = [path for path in run_dir.glob(".corpus*.*") if path.is_dir() and _abandoned(path)]
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    return len(folders)


def sweep_orphans(run_dir: Path) -> int:
    """Remove shards that have had no sidecar for a day; looks at every shard."""
    orphans = 0
    for shard in (run_dir / "shards").glob("*/*.parquet"):
        if not shard.with_suffix(".json").exists() and _age(shard) > DAY:
            shard.unlink(missing_ok=True)
            orphans += 1
    return orphans


def _sync(folder: Path) -> None:
    """Put all files of a folder, and their names, on disk."""
    for path in folder.iterdir():
        with path.open("rb") as file:
            os.fsync(file.fileno())
    sync_folder(folder)


def _abandoned(path: Path) -> bool:
    """True when the process that made a folder in the making is gone (elsewhere: for a day)."""
    _, _, pid, _, host = [*path.name.split(".", 4), "", "", ""][:5]
    if not pid.isdecimal():
        return False  # somebody else's
    if host != socket.gethostname():
        return _age(path) > DAY
    return not psutil.pid_exists(int(pid))


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
