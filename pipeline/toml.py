"""The project's TOML files: found by path or by shipped name, read, overridden by `key=value`.

Levels files may be JSON: those that a calibration writes.
"""

import difflib
import json
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from workers.errors import ConfigError

HERE = Path(__file__).resolve().parent
SUFFIXES = (".toml", ".json")
CONFIG_FOLDERS = (HERE.parent / "configs", HERE / "configs")  # a checkout, a wheel


def find_config(name: str, what: str) -> Path:
    """The file `name`, or the shipped one called `name`; ConfigError lists the shipped ones."""
    path = Path(name)
    if path.is_file():
        return path.absolute()
    if re.fullmatch(r"[A-Za-z0-9_-]+", name):
        for shipped in (folder / f"{name}{end}" for folder in CONFIG_FOLDERS for end in SUFFIXES):
            if shipped.is_file():
                return shipped
    if path.is_dir():
        raise ConfigError(name, f"is a folder, not a {what} file")
    files = [file for folder in CONFIG_FOLDERS for file in folder.glob("*") if file.is_file()]
    names = sorted({file.stem for file in files if file.suffix in SUFFIXES})
    hint = near(Path(name).stem, names) or f"shipped files: {', '.join(names)}"
    raise ConfigError(name, f"no such {what} file ({hint})")


def read_toml(path: Path) -> dict[str, Any]:
    """The table in a TOML file; ConfigError names file, line and column."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise ConfigError(path, "not a text file in UTF-8") from None
    except tomllib.TOMLDecodeError as wrong:
        raise ConfigError(path, f"not TOML: {wrong}") from None
    except OSError as wrong:
        raise ConfigError(path, wrong.strerror or "cannot be read") from None


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file; ConfigError names file, line and column."""
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as wrong:
        raise ConfigError(path, f"not JSON: {wrong}") from None
    except OSError as wrong:
        raise ConfigError(path, wrong.strerror or "cannot be read") from None
    if not isinstance(table, dict):
        raise ConfigError(path, "not a JSON object")
    return table


def with_files(table: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The table with the lines of a text file for every value `{ file = "name" }`.

    Names are relative to `folder`. The lines stand in the table, so that what is made of it
    depends on nothing else; ConfigError says which file cannot be read.
    """
    return {key: _lines_of(value, folder) for key, value in table.items()}


def _lines_of(value: Any, folder: Path) -> Any:
    if not isinstance(value, dict) or list(value) != ["file"] or not isinstance(value["file"], str):
        return value
    path = folder / Path(value["file"]).expanduser()
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ConfigError(path, "not a text file in UTF-8") from None
    except (OSError, ValueError) as wrong:
        what = wrong.strerror if isinstance(wrong, OSError) else "is no file name"
        raise ConfigError(path, what or "cannot be read") from None


def apply_override(table: dict[str, Any], override: str) -> None:
    """Put one `key=value` (value in TOML, or a bare word) into a table of a plan."""
    key, equals, text = override.partition("=")
    steps = key.strip().split(".")
    if not equals or not all(re.fullmatch(r"[A-Za-z0-9_-]+", step) for step in steps):
        raise ConfigError("--set", f"{override!r} is not key=value")
    for step in steps[:-1]:
        inner = table.setdefault(step, {})
        if not isinstance(inner, dict):
            raise ConfigError("--set", f"{key}: {step} is not a table")
        table = inner
    table[steps[-1]] = _toml_value(key, text.strip())


def _toml_value(key: str, text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        if re.fullmatch(r"[A-Za-z0-9_./~-]+", text):  # a bare word is meant as a string
            return text
        raise ConfigError("--set", f"{key}: {text!r} is not a TOML value") from None


def near(word: str, known: Iterable[str]) -> str:
    """The question "did you mean ...?" for the known word closest to `word`, or nothing."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"did you mean {close[0]!r}?" if close else ""
