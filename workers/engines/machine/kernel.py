"""How a function becomes machine code, and where that code is kept.

Numba's cache notices a change in the file of the kernel itself, not in a table or callee that
lives in another file. So each module's kernels are cached in a folder named by a digest of the
sources the module can reach, the CPU, and the versions of Numba and Python: an edit recompiles
what depends on it and nothing else.
"""

import functools
import hashlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from workers import settings

if settings.kernels_wanted:
    import llvmlite
    import llvmlite.binding
    import numba
    import numba.core.config

F = TypeVar("F", bound=Callable[..., Any])

JIT_DISABLED = not settings.kernels_wanted or bool(numba.core.config.DISABLE_JIT)
ENGINES = Path(__file__).resolve().parents[1]
_IMPORT = re.compile(r"^\s*(?:from\s+(workers\.engines[\w.]*)\s+import\s+(\([^)]*\)|[^\n#]+)"
                     r"|import\s+(workers\.engines[\w.]*))", re.MULTILINE)  # fmt: skip


def kernel(function: F, inline: str = "never") -> F:
    """Compile `function` on first call, without the GIL, from the cache when it is there.

    Division by zero follows NumPy (no exception), floating point is strict (no fastmath), so
    results do not depend on the CPU.
    """
    if JIT_DISABLED:
        return function
    numba.core.config.CACHE_DIR = str(module_cache(function.__module__))
    options = {"cache": True, "nogil": True, "error_model": "numpy", "inline": inline}
    compiled = numba.njit(**options)(function)
    compiled.get_call_template = _without_literals(compiled.get_call_template)
    return cast(F, compiled)


def inlined_kernel(function: F) -> F:
    """A kernel whose lines are compiled into its callers.

    For dispatchers over many kernels: a function of its own would have all of them linked and
    optimised once more.
    """
    return kernel(function, "always")


def _without_literals(template: Callable[..., Any]) -> Callable[..., Any]:
    """Type a call by the types of its arguments alone.

    Numba would compile a callee anew for every constant that some caller passes; LLVM inlines
    constants all the same, and compiling takes half the time.
    """

    def plain(args: Any, keywords: Any) -> Any:
        types = tuple(numba.types.unliteral(arg) for arg in args)
        return template(types, {key: numba.types.unliteral(arg) for key, arg in keywords.items()})

    return plain


@functools.cache
def module_cache(module: str) -> Path:
    """The cache folder of the kernels of `module` (a dotted name)."""
    digest = hashlib.sha256(_machine_facts().encode())
    for path in sorted(_reachable(module)):
        digest.update(_content(path))
    name = module.removeprefix("workers.engines.")
    return settings.cache_folder() / "kernels" / f"{name}-{digest.hexdigest()[:16]}"


@functools.cache
def _machine_facts() -> str:
    features = llvmlite.binding.get_host_cpu_features().flatten()
    cpu = llvmlite.binding.get_host_cpu_name()
    versions = (numba.__version__, llvmlite.__version__, sys.version)
    return "|".join((*versions, sys.platform, cpu, features))


def _reachable(module: str) -> set[Path]:
    """Source files of `module` and of all engine modules it imports, directly or not."""
    found: set[Path] = set()
    open_names = [module]
    while open_names:
        path = _source(open_names.pop())
        if path is not None and path not in found:
            found.add(path)
            open_names.extend(_imports(path))
    return found


# Modules reach the same files again and again: each is looked at once.
@functools.cache
def _content(path: Path) -> bytes:
    return path.read_bytes()


@functools.cache
def _imports(path: Path) -> tuple[str, ...]:
    names: list[str] = []
    for base, imported, plain in _IMPORT.findall(_content(path).decode("utf-8")):
        names.append(base or plain)
        names.extend(f"{base}.{name}" for name in re.findall(r"\w+", imported) if base)
    return tuple(names)


@functools.cache
def _source(module: str) -> Path | None:
    stem = ENGINES.joinpath(*module.split(".")[2:])
    for path in (stem.with_suffix(".py"), stem / "__init__.py"):
        if path.is_file():
            return path
    return None
