"""Keys of earlier corpora, whose puzzles a run must not give again.

They are taken when the run is made, and kept in its folder as two sorted files of 64-bit words,
the upper and the lower halves of the keys; their SHA-256 is part of the run's digest. Neither
gathering nor asking holds them in memory: the first sorts bucket by bucket, the second maps the
files.
"""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.corpus.identity import KEY_COLUMN, Identity, Mask, Words, key_words, look_up
from pipeline.corpus.manifest import Manifest
from pipeline.corpus.reading import open_corpus
from pipeline.corpus.sources import corpus_pieces
from workers.contracts import KeySet
from workers.errors import ConfigError, IntegrityError

FOLDER = "exclude"
HALVES = ("high.u64", "low.u64")
BUCKETS = 64
SHIFT = np.uint64(58)  # leaves the bits that number the buckets
LITTLE = np.dtype("<u8")


def gather_keys(corpora: Sequence[str | Path], kind: str, run_dir: Path) -> KeySet:
    """Write the keys of corpora (or of the runs that have them) into a run folder.

    Raises ConfigError for a corpus of another kind, UsageError for one that is not complete.
    """
    folder = run_dir / FOLDER
    folder.mkdir()
    for source in corpora:
        opened = open_corpus(source)
        if opened.manifest.kind != kind:
            raise ConfigError(source, f"is of kind {opened.manifest.kind}, not {kind}")
        for words in _keys_of(opened.folder, opened.manifest):
            _scatter(folder, words)
    return _sort(folder)


class KnownKeys:
    """The keys in a run folder, asked batch by batch."""

    def __init__(self, high: Words, low: Words) -> None:
        """Sorted by the upper half, then the lower, each pair once."""
        self._high, self._low = high, low

    @classmethod
    def of_run(cls, run_dir: Path, facts: KeySet) -> "KnownKeys":
        """Those of a run; IntegrityError when the files are not what the run's record says."""
        paths = [run_dir / FOLDER / name for name in HALVES]
        for path in paths:
            if not path.is_file() or path.stat().st_size != facts.keys * LITTLE.itemsize:
                raise IntegrityError(path, f"does not hold {facts.keys} keys")
        if _digest(paths) != facts.sha256:
            raise IntegrityError(paths[0].parent, "the keys differ from the run's record")
        return cls(*(_mapped(path, facts.keys) for path in paths))

    def has(self, wanted: Identity) -> Mask:
        """Which identities (n,) are among the keys."""
        return look_up(self._high, self._low, wanted) >= 0


def _keys_of(folder: Path, manifest: Manifest) -> Iterable[Identity]:
    for piece in corpus_pieces(folder, manifest):
        table = piece.read([KEY_COLUMN])
        if KEY_COLUMN not in table.column_names:
            raise ConfigError(folder, f"has no column {KEY_COLUMN}")
        yield key_words(table.column(KEY_COLUMN))


def _scatter(folder: Path, words: Identity) -> None:
    """Append keys to the files of their buckets."""
    numbers = (words.high >> SHIFT).astype(np.int64)
    pairs = np.stack([words.high, words.low], axis=1).astype(LITTLE)
    for number in np.unique(numbers).tolist():
        with _bucket(folder, number).open("ab") as stream:
            stream.write(np.ascontiguousarray(pairs[numbers == number]).data)


def _sort(folder: Path) -> KeySet:
    """Put the buckets, one after the other, into the two files, each key once."""
    paths, keys = [folder / name for name in HALVES], 0
    with paths[0].open("wb") as high, paths[1].open("wb") as low:
        for number in range(BUCKETS):
            path = _bucket(folder, number)
            if path.exists():
                halves = _distinct(np.fromfile(path, LITTLE).reshape(-1, 2))
                path.unlink()
                keys += len(halves.high)
                high.write(halves.high.data)
                low.write(halves.low.data)
    return KeySet(keys, _digest(paths))


def _distinct(pairs: Words) -> Identity:
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    pairs = pairs[order]
    first = np.ones(len(pairs), dtype=np.bool_)
    first[1:] = (pairs[1:] != pairs[:-1]).any(axis=1)
    high, low = (np.ascontiguousarray(half[first]) for half in pairs.T)
    return Identity(high, low)


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


def _bucket(folder: Path, number: int) -> Path:
    return folder / f"bucket-{number:02d}.tmp"


def _mapped(path: Path, keys: int) -> Any:
    return np.memmap(path, LITTLE, "r", shape=(keys,)) if keys else np.empty(0, np.uint64)
