"""Puzzle kinds: what connects the engines' arrays with column names.

protocol.py   what a kind must offer
registry.py   the kinds by name
columns.py    a column with its unit, description and role
options.py    the options of a method, checked
null.py       the smallest kind, and the template for the next one
formula.py    tasks of a domain, solved by formulas; its docstring names the rooms
sudoku.py     Sudoku; its docstring names the rooms, one module a rater
"""
