"""Content hash of a corpus: its identity, over the values of all columns.

It is the SHA-256 over the content hashes of its blocks of BLOCK_ROWS rows, in order. Files, row
groups, compression and library versions do not matter to it; a cell, a name or the order does.
"""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from pipeline.corpus.manifest import Manifest
from pipeline.corpus.sources import corpus_pieces
from workers.tables import content_hash

BLOCK_ROWS = 131_072


class ContentHash:
    """Takes tables in order; all but the last have a whole number of blocks."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()

    def update(self, table: pa.Table) -> None:
        for start in range(0, table.num_rows, BLOCK_ROWS):
            block = table.slice(start, BLOCK_ROWS)
            self._digest.update(bytes.fromhex(content_hash(block)))

    def hexdigest(self) -> str:
        return self._digest.hexdigest()


def corpus_content(folder: Path, manifest: Manifest) -> str:
    """The content hash of a corpus, computed anew from its files."""
    digest = ContentHash()
    for block in _blocks(piece.read() for piece in corpus_pieces(folder, manifest)):
        digest.update(block)
    return digest.hexdigest()


def _blocks(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """The same rows in tables of BLOCK_ROWS rows."""
    waiting: list[pa.Table] = []
    rows = 0
    for table in tables:
        waiting.append(table)
        rows += table.num_rows
        while rows >= BLOCK_ROWS:
            whole = pa.concat_tables(waiting)
            yield whole.slice(0, BLOCK_ROWS)
            waiting = [whole.slice(BLOCK_ROWS)]
            rows -= BLOCK_ROWS
    if rows:
        yield pa.concat_tables(waiting)
