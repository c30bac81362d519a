"""Sudoku engines: kernels over arrays of digits (n, 81), 0 = empty, row-major.

geometry.py    cells, units, peers           text.py        81-character texts
search.py      the band engine: count, solve generate.py    puzzles to order, minimal ones
layout.py      its words and minirows        grids.py       uniform random full grids
closure.py     its four rules, as lane steps removal.py     can a clue go? minimality
branching.py   where it guesses              symmetry.py    classes of clue patterns
properties.py  minimal, symmetry, conflicts  canon.py       minlex canonical form
human/         the simulated solver whose figures predict people's times
techniques/    one module a family           grade.py       technique usage, score and level
ahead.py       the upper tiers, compiled by a second process
se/            the Sudoku Explainer scale, with producers of its own
"""
