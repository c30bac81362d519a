"""CPU seconds spent inside kernels: what a run reports as the work proper.

Batch functions of the engines are `metered`; what a process spends elsewhere (imports, Parquet,
messages) is the difference to its total CPU time.
"""

import functools
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_spent = [0.0]
_depth = [0]


def kernel_seconds() -> float:
    """CPU seconds of this process inside metered functions since it started."""
    return _spent[0]


def metered(function: Callable[P, R]) -> Callable[P, R]:
    """Count the CPU time of calls of `function`; nested metered calls count once."""

    @functools.wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        started = time.thread_time()
        _depth[0] += 1
        try:
            return function(*args, **kwargs)
        finally:
            _depth[0] -= 1
            if _depth[0] == 0:
                _spent[0] += time.thread_time() - started

    return wrapper
