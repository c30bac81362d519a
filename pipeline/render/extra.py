"""The packages of the extra `books`, imported when needed; their absence is told in one line."""

from importlib import import_module
from typing import Any

from workers.errors import UsageError


def require(module: str) -> Any:
    """The module; UsageError says which pip line brings it."""
    try:
        return import_module(module)
    except ImportError:
        what = "is not installed: pip install 'puzzlemill[books]' brings it"
        raise UsageError(module.partition(".")[0], what) from None
