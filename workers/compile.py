"""Kernels are compiled before they are needed, by one process at a time, outside any job.

`ensure_compiled` looks for a marker in the cache folder, named by the sources of all engines,
the machine, the kind, the action and the raters. Without one it runs `python -m workers.compile
KIND ACTION RATERS`, which waits for its turn, compiles into the cache and leaves the marker. On a
machine with two cores `... ahead` runs beside it and compiles what the first reaches last.
"""

import contextlib
import fcntl
import functools
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from workers import settings
from workers.errors import PuzzleError, RunError
from workers.kinds import registry

ENGINES = Path(__file__).parent / "engines"
KINDS = Path(__file__).parent / "kinds"
AHEAD = "ahead"
NAMES_ENGINE = re.compile(r"workers\.engines\.(?!machine)(\w+)")
NAMES_KERNEL = re.compile(r"workers\.engines\.machine\.(?!meter)")


def ensure_compiled(
    kind: str,
    action: str,
    raters: Sequence[str],
    announce: Callable[[str], None] | None = None,
) -> bool:
    """Return when the kernels of `kind` for `action` with `raters` are in the cache.

    Costs a file look-up when they are. Otherwise `announce` gets one line for a person and a
    separate process compiles; True is returned then. RunError tells when that process failed.
    """
    if not needs_kernels(kind) or is_compiled(kind, action, raters):
        return False
    if announce is not None:
        announce(f"compiling kernels for {kind} {action} (first time on this machine) ...")
    command = [sys.executable, "-m", "workers.compile", kind, action, ",".join(raters)]
    with _ahead(command):
        ended = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=_environment(),
            check=False,
        )
    if ended.returncode != 0:
        last = (ended.stderr.strip().splitlines() or [f"exit code {ended.returncode}"])[-1]
        raise RunError(f"compiling kernels for {kind} failed", last)
    return True


@contextlib.contextmanager
def _ahead(command: Sequence[str]) -> Iterator[None]:
    """A second process that compiles from the other end, while the block runs.

    It may fail or be late without harm: the first compiles whatever it does not find.
    """
    if (os.cpu_count() or 1) < 2:
        yield
        return
    silent = subprocess.DEVNULL
    second = subprocess.Popen(
        [*command, AHEAD], stdin=silent, stdout=silent, stderr=silent, env=_environment()
    )
    try:
        yield
    finally:
        second.kill()
        second.wait()


def is_compiled(kind: str, action: str, raters: Sequence[str]) -> bool:
    """True when the marker is there (or the JIT is switched off)."""
    from workers.engines.machine.kernel import JIT_DISABLED

    return JIT_DISABLED or _marker(kind, action, tuple(raters)).exists()


def needs_kernels(kind: str) -> bool:
    """True when a source file of the kind names an engine that has kernels."""
    found: set[str] = set()
    for path in KINDS.glob(f"{kind}*.py"):
        found.update(NAMES_ENGINE.findall(path.read_text(encoding="utf-8")))
    sources = (path for engine in sorted(found) for path in (ENGINES / engine).rglob("*.py"))
    return any(NAMES_KERNEL.search(path.read_text(encoding="utf-8")) for path in sources)


def compile_kernels(kind: str, action: str, raters: Sequence[str]) -> None:
    """Compile in this process, one process of this machine at a time, and leave the marker."""
    marker = _marker(kind, action, tuple(raters))
    marker.parent.mkdir(parents=True, exist_ok=True)
    with _turn(marker.parent / "compiling.lock"):
        if not marker.exists():
            registry.get(kind).warm(action, raters)
            marker.touch()


@contextlib.contextmanager
def _turn(path: Path) -> Iterator[None]:
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _marker(kind: str, action: str, raters: tuple[str, ...]) -> Path:
    name = "-".join((kind, action, *raters, _digest(kind)))
    return settings.cache_folder() / "kernels" / "compiled" / name


@functools.cache
def _digest(kind: str) -> str:
    """Of the machine, all engine sources and the kind's: 16 hex digits."""
    from workers.engines.machine.kernel import module_cache

    digest = hashlib.sha256(module_cache("workers.engines.machine.kernel").name.encode())
    for path in sorted([*ENGINES.rglob("*.py"), *KINDS.glob(f"{kind}*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _environment() -> dict[str, str]:
    """This process's environment, in which `workers` is found where it was found here."""
    root = str(Path(__file__).parents[1])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def main(arguments: list[str]) -> int:
    """Compile the kernels of KIND for ACTION with RATERS (names joined by commas)."""
    if len(arguments) != 3 and arguments[3:] != [AHEAD]:
        sys.stderr.write(f"usage: python -m workers.compile KIND ACTION RATERS [{AHEAD}]\n")
        return 2
    kind, action, raters = arguments[0], arguments[1], tuple(arguments[2].split(","))
    try:
        if arguments[3:]:
            registry.get(kind).warm(action, raters, ahead=True)
        else:
            compile_kernels(kind, action, raters)
    except PuzzleError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
