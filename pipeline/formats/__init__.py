"""Formats in and out, one module a format; any command reads any of them.

entry.py         what is read: a puzzle's text, its place, and what else its file says
files.py         files and stdin as text
catalogue.py     the formats by name, and which one a text is in
reading.py       puzzles from any file, checked by a kind's parser
writing.py       puzzles into a file of any format
lines.py         one puzzle a line: bare lists, rating lists, .sdm
blocks.py        grids of nine lines: bare, .sdk, .ss, .sdx
pencilmarks.py   framed grids of candidates
hodoku.py        HoDoKu library lines
opensudoku.py    OpenSudoku XML
links.py         links of f-puzzles, SudokuPad and sudokuwiki; lz.py unfolds them
sudokuwiki.py    packed boards
board_json.py    JSON boards: f-puzzles, SudokuPad, ipuz
json_puzzles.py  JSON documents and JSON lines
tables.py        CSV: own, Kaggle 1M and 3M, sudoku-extreme
bank.py          the sudoku-exchange puzzle bank
parquet.py       Parquet, such as a file of a corpus
"""
