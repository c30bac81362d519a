"""The puzzle kinds by name, one line per kind; a kind is imported when it is first asked for."""

import functools
import importlib
from typing import Any

from workers.errors import ParamsError
from workers.kinds.protocol import PuzzleKind

KINDS = {
    "cryptarithm": "workers.kinds.cryptarithm",
    "formula": "workers.kinds.formula",
    "null": "workers.kinds.null",
    "sudoku": "workers.kinds.sudoku",
}


def names() -> tuple[str, ...]:
    """All registered kinds, in alphabetical order."""
    return tuple(sorted(KINDS))


@functools.cache
def get(name: str) -> PuzzleKind[Any]:
    """The kind called `name`; ParamsError names the known ones."""
    if name not in KINDS:
        raise ParamsError("kind", f"{name!r} is not one of {', '.join(names())}")
    kind: PuzzleKind[Any] = importlib.import_module(KINDS[name]).KIND
    return kind
