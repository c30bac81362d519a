"""The libraries of the extra `calibrate`, imported when they are needed."""

from importlib import import_module
from typing import Any

from workers.errors import UsageError


def need(module: str) -> Any:
    """The module, or a UsageError with the pip line that brings it."""
    try:
        return import_module(module)
    except ImportError:
        what = f"calibration needs {module.partition('.')[0]}"
        raise UsageError(what, "pip install 'puzzlemill[calibrate]'") from None
