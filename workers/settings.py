"""Settings from the environment: the only module that reads it.

PUZZLEMILL_BROKER   URL of an outside Redis or Valkey server
PUZZLEMILL_INSECURE_BROKER=1   that server may be on another machine without TLS and password
PUZZLEMILL_STORE    folder (or URL) that holds the runs
PUZZLEMILL_CACHE    folder for compiled kernels
PUZZLEMILL_WARM     kernels a worker loads at start: kind:action:rater,rater (default: all)
PUZZLEMILL_PARENT_PIPE=1   the worker ends, after its jobs, when its standard input ends
"""

import os
import sys
from pathlib import Path

kernels_wanted = True
"""False in a process that calls no kernel: then Numba, which takes a third of a second to import,
stays away, and kernels are plain Python. To be set before anything of the engines is imported."""


def broker_url() -> str | None:
    """URL of the outside broker, or None for the embedded one."""
    return os.environ.get("PUZZLEMILL_BROKER") or None


def insecure_broker() -> bool:
    """True when the broker may be one that `workers.broker_url` would refuse."""
    return os.environ.get("PUZZLEMILL_INSECURE_BROKER") == "1"


def store_path() -> str:
    """The store: a folder that holds one folder per run (default `./runs`)."""
    return os.environ.get("PUZZLEMILL_STORE") or "runs"


def warm_kernels() -> tuple[str, str, tuple[str, ...]] | None:
    """Kind, action and raters whose kernels a worker loads before its first job, or None: all."""
    given = os.environ.get("PUZZLEMILL_WARM")
    if not given:
        return None
    kind, action, raters = given.split(":")
    return kind, action, tuple(raters.split(","))


def ends_with_parent() -> bool:
    """True for a worker that must not outlive who started it."""
    return os.environ.get("PUZZLEMILL_PARENT_PIPE") == "1"


def cache_folder() -> Path:
    """Where compiled kernels are kept; safe to delete at any time."""
    given = os.environ.get("PUZZLEMILL_CACHE")
    if given:
        return Path(given).absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "puzzlemill"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "puzzlemill"
