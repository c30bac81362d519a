"""The commands, one module a group, imported when called.

puzzles.py   solve, grade, canonical, explain: what one text or a list of them is
generate.py  new puzzles
runs.py      run, resume, status, verify, retry-quarantined, gc, worker
corpus.py    corpus stats, query, export, merge, audit
calibrate.py calibrate fit, evaluate, compare-versions, invariance, cutpoints, report, template
bench.py     the benchmark table
source.py    TEXT, FILE or - as puzzles of a kind; malformed lines reported and counted
output.py    rows as a table, JSON, CSV or a file
"""
