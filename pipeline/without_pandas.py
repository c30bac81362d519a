"""Arrow without pandas: for a program that has no use for it.

Arrow imports pandas, the better part of a CPU-second, to ask whether a value it is given is one
of pandas'. It also does without, and finds pandas later where a frame is asked for.
"""

import contextlib
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _NoPandas(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname == "pandas":
            raise ModuleNotFoundError("pandas is not wanted here", name=fullname)
        return None


@contextlib.contextmanager
def without_pandas() -> Iterator[None]:
    """In this block pandas cannot be imported; nothing changes when it has been already."""
    finder = _NoPandas()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
