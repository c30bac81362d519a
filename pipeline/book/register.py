"""Volumes for the ledger: from a manifest, or from a printed book that is read back."""

import hashlib
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from pipeline.book.exclusions import identities
from pipeline.book.ledger import Printed, Volume, open_ledger
from pipeline.book.manifest import BookManifest
from workers.errors import UsageError


class Found(NamedTuple):
    """A volume as it was read: (number, page, puzzle, level) of every puzzle."""

    series: str
    volume: int
    title: str
    interior: str
    puzzles: list[tuple[int, int, str, str | None]]


def read_manifest(path: Path) -> BookManifest:
    """The manifest of a book; UsageError when it is none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=BookManifest)
    except OSError as error:
        raise UsageError(path, error.strerror or "cannot be read") from None
    except msgspec.MsgspecError as error:
        raise UsageError(path, f"is no manifest of a book ({error})") from None


def read_volume(path: Path, series: str | None, volume: int | None) -> Found:
    """A volume from manifest.json, or from a PDF whose series and volume are told."""
    if path.suffix.lower() != ".pdf":
        return volume_of(read_manifest(path), series, volume)
    from pipeline.book.check.recover import read_puzzles

    if series is None or volume is None:
        raise UsageError(path, "a PDF does not tell its series: --series and --volume")
    found = [(one.number, one.page, one.clues, None) for one in read_puzzles(path)]
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Found(series, volume, path.stem, digest, list(found))


def volume_of(
    manifest: BookManifest, series: str | None = None, volume: int | None = None
) -> Found:
    """The volume of a manifest; UsageError when nothing says its series and number."""
    series, volume = series or manifest.series, volume or manifest.volume
    if series is None or volume is None:
        raise UsageError(manifest.title, "has no series and volume: --series and --volume")
    rows = [(one.n, one.page, one.puzzle, one.level) for one in manifest.grids]
    return Found(series, volume, manifest.title, manifest.interior, list(rows))


def record_volume(ledger: str, found: Found, state: Any) -> None:
    """Put a volume and its puzzles on record."""
    own = identities([row[2] for row in found.puzzles])
    printed = [
        Printed(number, page, puzzle, identity.key, identity.solution_key, level)
        for (number, page, puzzle, level), identity in zip(found.puzzles, own, strict=True)
    ]
    volume = Volume(found.series, found.volume, found.title, state, found.interior)
    with open_ledger(ledger, create=True) as opened:
        opened.record(volume, printed)
