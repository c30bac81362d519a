"""Puzzle books: from an order file and corpora to a print-ready PDF, and the check of a PDF.

order.py        what is ordered: a TOML file, checked
profiles.py     what a print service takes: profiles.toml, dated, and the sheet it leads to
selection.py    puzzles for the order from corpora; what is missing, and filling it up
exclusions.py   puzzles that earlier volumes had: ledger, Parquet, lists, read-back PDFs
ledger.py       which volume and page a puzzle is in; reserving, registering, voiding
strings.py      what the book says, by language: strings/*.toml
items.py        what stands on a page: texts, grids, dots and lines, at places in points
measure.py      lines of text that fit a width
entries.py      a chosen puzzle with what the book prints of it; hints from the grader's path
front.py        title, imprint, contents, how to play, levels
leaves.py       openers, puzzle pages, solutions, blank grids
hints.py        pages of hints and walkthroughs
compose.py      all pages of a book, numbered, with their references
typeset.py      pages -> PDF by Typst (book.typ); the print file stripped
cover.py        the sizes of the cover, and a guide to draw it on
build.py        an order, whole: files, manifest, report
check/          a finished PDF read back and proved right
"""
