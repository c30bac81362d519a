"""What makes two rows doubles, and which of them came first.

A row's identity is 128 bits, held as two uint64: the key of its canonical form, or a hash of its
text. Keys of a whole run are kept as sorted blocks that are merged like those of a log-structured
store: 24 bytes a row, and adding a batch costs a binary search in each of the few blocks.
"""

from hashlib import blake2b
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from workers.errors import ConfigError

Dedupe: TypeAlias = Literal["canonical", "string", "none"]
Words: TypeAlias = NDArray[np.uint64]
Ordinals: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]
KEY_BYTES = 16
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
pc: Any = pyarrow.compute  # the stubs refuse plain values
TEXT_COLUMN = "puzzle"
KEY_COLUMN = "key"


class Identity(NamedTuple):
    """128-bit identities of n rows: big-endian halves, each uint64 of shape (n,)."""

    high: Words
    low: Words


def identity_columns(dedupe: Dedupe) -> list[str]:
    """The columns that `identities` reads."""
    return {"canonical": [KEY_COLUMN, TEXT_COLUMN], "string": [TEXT_COLUMN], "none": []}[dedupe]


def identities(table: pa.Table, dedupe: Dedupe) -> Identity:
    """Identity of every row; ConfigError when the table lacks the column it needs.

    `canonical`: the column key; a row whose canonical form ran out of budget has none and is
    compared by its text. `string`: the text. Not for `none`, where no two rows are doubles.
    """
    names = identity_columns(dedupe)
    for name in names:
        if name not in table.column_names:
            raise ConfigError("dedupe", f"{dedupe} needs the column {name}, which the rows lack")
    texts: Any = table.column(TEXT_COLUMN)
    if dedupe == "string":
        return _halves(_text_digests(texts.to_pylist()))
    keys: Any = table.column(KEY_COLUMN).combine_chunks()
    words = key_words(keys)
    missing = np.flatnonzero(keys.is_null().to_numpy(zero_copy_only=False))
    if len(missing):
        others = _halves(_text_digests(texts.take(pa.array(missing)).to_pylist()))
        words.high[missing], words.low[missing] = others
    return words


def key_words(keys: Any) -> Identity:
    """A fixed-size binary(16) array as two big-endian words; zeros where it is null."""
    filled = keys.fill_null(bytes(KEY_BYTES)) if keys.null_count else keys
    if isinstance(filled, pa.ChunkedArray):
        filled = filled.combine_chunks()
    width = KEY_BYTES
    raw = np.frombuffer(filled.buffers()[1], dtype=np.uint8) if len(filled) else np.empty(0)
    raw = raw[filled.offset * width : (filled.offset + len(filled)) * width]
    return _halves(raw.astype(np.uint8, copy=False).tobytes())


def fingerprints(texts: Any) -> Words:
    """64-bit checksum of every text (0 for null), to notice equal keys of unequal forms.

    Each eight bytes are mixed into the sum by one multiplication; that is no guard against an
    adversary, only against errors.
    """
    sums = np.zeros(len(texts), dtype=np.uint64)
    filled, lengths = texts.is_valid().to_numpy(), pc.binary_length(texts).fill_null(0).to_numpy()
    for length in np.unique(lengths[filled]).tolist():
        rows = np.flatnonzero(filled & (lengths == length))
        chosen = texts if len(rows) == len(texts) else texts.take(pa.array(rows))
        words = np.zeros((len(rows), length // 8 + 1), dtype="<u8")
        words.view(np.uint8)[:, :length] = _text_bytes(chosen, length)
        total = np.full(len(rows), length + 1, dtype=np.uint64)
        for word in words.T:
            total = (total ^ word ^ total >> np.uint64(29)) * MULTIPLIER
        sums[rows] = total
    return sums


def _text_bytes(texts: Any, length: int) -> NDArray[np.uint8]:
    """The bytes of texts that are not null and all of one length, (n, length)."""
    array = texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts
    buffers: list[Any] = array.buffers()
    _, offsets, content = buffers
    start = np.frombuffer(offsets, "<i4")[array.offset] if len(array) else 0
    size = len(array) * length
    octets = np.frombuffer(content, np.uint8, size, offset=start) if size else np.zeros(0, np.uint8)
    return octets.reshape(len(array), length)


def _text_digests(texts: list[str | None]) -> bytes:
    digests = [blake2b((text or "").encode(), digest_size=KEY_BYTES).digest() for text in texts]
    return b"".join(digests)


def _halves(keys: bytes) -> Identity:
    pairs = np.frombuffer(keys, dtype=">u8").reshape(-1, 2).astype(np.uint64)
    return Identity(np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1]))


class _Block(NamedTuple):
    high: Words
    low: Words
    ordinal: Ordinals


class FirstSeen:
    """Finds for every row the first row with its identity, batch after batch."""

    def __init__(self) -> None:
        self.rows = 0
        self._blocks: list[_Block] = []

    def add(self, batch: Identity) -> Ordinals:
        """Ordinal of the first row that has each identity: shape (n,).

        Ordinals count all rows ever added, from 0; row i of this batch is a double exactly when
        its entry is not `rows + i`, with `rows` as it was before the call.
        """
        own = np.arange(self.rows, self.rows + len(batch.high), dtype=np.int64)
        self.rows += len(own)
        order = np.lexsort((own, batch.low, batch.high))
        high, low, ordinal = batch.high[order], batch.low[order], own[order]
        leads = np.ones(len(own), dtype=np.bool_)
        leads[1:] = (high[1:] != high[:-1]) | (low[1:] != low[:-1])
        heads = _Block(high[leads], low[leads], ordinal[leads])
        first = heads.ordinal.copy()
        for block in self._blocks:
            at = look_up(block.high, block.low, Identity(heads.high, heads.low))
            first[at >= 0] = block.ordinal[at[at >= 0]]
        self._append(_Block(*(part[first == heads.ordinal] for part in heads)))
        result = np.empty(len(own), dtype=np.int64)
        result[order] = first[np.cumsum(leads) - 1]
        return result

    def _append(self, block: _Block) -> None:
        """Add a block and merge blocks of similar size, so that there are few."""
        while self._blocks and len(self._blocks[-1].high) < 2 * len(block.high):
            parts = zip(self._blocks.pop(), block, strict=True)
            high, low, ordinal = (np.concatenate(pair) for pair in parts)
            order = np.lexsort((low, high))
            block = _Block(high[order], low[order], ordinal[order])
        if len(block.high):
            self._blocks.append(block)


def look_up(high: Words, low: Words, wanted: Identity) -> Ordinals:
    """Where each identity stands in sorted words, or -1: shape (n,)."""
    start = np.searchsorted(high, wanted.high, side="left")
    stop = np.searchsorted(high, wanted.high, side="right")
    found = np.full(len(start), -1, dtype=np.int64)
    some = np.flatnonzero(stop > start)
    hits = some[low[start[some]] == wanted.low[some]]
    found[hits] = start[hits]
    for row in np.flatnonzero(stop - start > 1):  # two keys that share 64 bits: hardly ever
        span = slice(int(start[row]), int(stop[row]))
        at = span.start + int(np.searchsorted(low[span], wanted.low[row]))
        if at < span.stop and low[at] == wanted.low[row]:
            found[row] = at
    return found
