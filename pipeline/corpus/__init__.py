"""The corpus: verified shards of a run become one deduplicated, sorted Parquet data set.

    merge.py      a run, or several corpora, into a corpus folder
    passes.py     the two passes of a merge
    sources.py    where rows come from: the shards of a run, the parts of other corpora
    identity.py   what makes two rows doubles, and who came first
    quotas.py     QuotaCounter: which rows of the jobs read so far belong to the corpus
    order.py      the total order of the rows
    slices.py     rows on their way from reading order to that order, in bounded memory
    parts.py      Parquet files of the corpus, byte-identical for equal rows
    content.py    content hash over column values: the identity of a corpus
    manifest.py   manifest.json and _SUCCESS
    staging.py    folders that appear whole or not at all, and leftovers of those that did not
    verify.py     every file against its record; what to compute again
    released.py   shards that a complete run no longer needs
    reading.py    a corpus opened for Python

Memory stays bounded: the first pass reads keys and sort columns only and decides for every row
whether it is kept and where it goes (about 80 bytes a row); the second reads whole rows, keeps
each in the slice of its place (on disk when there are many), and writes slice after slice.
"""
