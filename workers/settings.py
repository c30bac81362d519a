"""Settings from the environment: the only module that reads it.

    PUZZLEMILL_BROKER   URL of an outside Redis or Valkey server
    PUZZLEMILL_STORE    folder (or URL) that holds the runs
    PUZZLEMILL_CACHE    folder for compiled kernels
"""

import os
import sys
from pathlib import Path


def broker_url() -> str | None:
    """URL of the outside broker, or None for the embedded one."""
    return os.environ.get("PUZZLEMILL_BROKER") or None


def store_path() -> str:
    """The store: a folder that holds one folder per run (default `./runs`)."""
    return os.environ.get("PUZZLEMILL_STORE") or "runs"


def cache_folder() -> Path:
    """Where compiled kernels are kept; safe to delete at any time."""
    given = os.environ.get("PUZZLEMILL_CACHE")
    if given:
        return Path(given).absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "puzzlemill"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "puzzlemill"
