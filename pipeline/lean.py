"""Keeps Numba and pandas out of a process that drives a run: half a CPU-second at every start.

A driver computes nothing itself; it needs the columns and parameters of a kind, and Arrow tables.
Executors of other processes compute, the serial one is no matter for this module.
"""

import importlib.abc
import sys
from collections.abc import Sequence
from typing import Any

from workers import settings

DRIVES = ("run", "resume", "retry-quarantined")


def spare_imports(words: Sequence[str]) -> None:
    """Prepare this process for the command line `words`, before anything else is imported."""
    if not words or words[0] not in DRIVES or any("serial" in word for word in words):
        return
    settings.kernels_wanted = False
    _do_without_pandas()


def _do_without_pandas() -> None:
    """Let pyarrow look for pandas, which it does once, at its first conversion, and find none."""
    if "pandas" in sys.modules:
        return
    absent = _Absent()
    sys.meta_path.insert(0, absent)
    try:
        import pyarrow as pa

        pa.array([0])
    finally:
        sys.meta_path.remove(absent)


class _Absent(importlib.abc.MetaPathFinder):
    """Refuses to find pandas."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> None:
        if name == "pandas":
            raise ImportError(name)
