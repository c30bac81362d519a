"""The domains that come with the house, by name, and domains in files of their own."""

import functools
import tomllib
from pathlib import Path

from workers.engines.formula.soundness import check_formulas
from workers.engines.formula.template import Template
from workers.engines.formula.template_file import template_from_table
from workers.errors import ConfigError

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = (ROOT / "configs" / "formulas", ROOT / "pipeline" / "configs" / "formulas")
"""In a checkout, in a wheel."""
_opened: dict[str, Template] = {}


@functools.cache
def shipped_names() -> tuple[str, ...]:
    """Names of the domains that come with the house, in alphabetical order."""
    return tuple(sorted({path.stem for folder in FOLDERS for path in folder.glob("*.toml")}))


def template_named(name: str) -> Template | None:
    """The domain of that name, shipped or opened before; None when there is none."""
    if name in _opened:
        return _opened[name]
    return _shipped(name) if name in shipped_names() else None


def open_template(name_or_path: str) -> Template:
    """A domain by name, or from a file, whose units are then checked too.

    A domain from a file is known by its name from then on in this process. Raises ConfigError
    that names file, key and reason.
    """
    path = Path(name_or_path)
    if path.suffix != ".toml":
        found = template_named(name_or_path)
        if found is None:
            listed = ", ".join(known_names())
            raise ConfigError(name_or_path, f"no such domain, nor a .toml file (domains: {listed})")
        return found
    from workers.engines.formula.units import check_units

    template = read_template(path)
    if template.id in shipped_names():
        raise ConfigError(path, f"id: {template.id!r} is the name of a shipped domain")
    check_units(template)
    _opened[template.id] = template
    return template


def known_names() -> tuple[str, ...]:
    """Names of all domains that can be used in this process."""
    return tuple(sorted({*shipped_names(), *_opened}))


def read_template(path: Path) -> Template:
    """The domain in a TOML file, its formulas checked against each other; ConfigError."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise ConfigError(path, "not a text file in UTF-8") from None
    except tomllib.TOMLDecodeError as wrong:
        raise ConfigError(path, f"not TOML: {wrong}") from None
    except OSError as wrong:
        raise ConfigError(path, wrong.strerror or "cannot be read") from None
    template = template_from_table(table, path)
    check_formulas(template)
    return template


@functools.cache
def _shipped(name: str) -> Template:
    path = next(
        folder / f"{name}.toml" for folder in FOLDERS if (folder / f"{name}.toml").is_file()
    )
    template = read_template(path)
    if template.id != name:
        raise ConfigError(path, f"id: {template.id!r}, but the file is called {name!r}")
    return template
