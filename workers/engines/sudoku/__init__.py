"""Sudoku engines: kernels over arrays of digits (n, 81), 0 = empty, row-major.

geometry.py    cells, units, peers           text.py        81-character texts
search.py      the band engine: count, solve generate.py    grids and minimal puzzles
properties.py  minimal, symmetry, conflicts  canon.py       minlex canonical form
techniques/    one module a family           grade.py       technique usage, score and level
"""
