"""Kernels are compiled once per machine; a command says so while it happens."""

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import click

from workers.compile import ensure_compiled, is_compiled, needs_kernels
from workers.kinds.protocol import PuzzleKind

PATIENCE_S = 1.5
COMPILING = "compiling kernels (first time on this machine) ..."
FIRST_USE = "working (the first use of a method on a machine compiles its kernels) ..."


def prepare(kind: PuzzleKind[Any], action: str, raters: Sequence[str]) -> None:
    """Return when the kernels for `action` with `raters` are there."""
    ensure_compiled(kind.name, action, raters, lambda what: click.echo(what, err=True))


@contextlib.contextmanager
def announced(kind: PuzzleKind[Any], by_method: bool = False) -> Iterator[None]:
    """Explain the wait when the block compiles the few kernels that it calls by itself.

    `by_method`: it calls those of a method, of which nobody knows whether they are there.
    """
    compiled = is_compiled(kind.name, "grade", kind.default_raters)
    timer = threading.Timer(PATIENCE_S, click.echo, [FIRST_USE if compiled else COMPILING],
                            {"err": True})  # fmt: skip
    timer.daemon = True
    if needs_kernels(kind.name) and (by_method or not compiled):
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
