"""A finished PDF, read back and proved right: nothing is taken from the program that made it.

reading.py      what is on the pages: texts, lines, boxes, by pdfium
grids.py        grids from ruled lines, digits in their cells
recover.py      puzzles and solutions with their numbers, levels and references
file.py         the file: fonts, colours, what a print service refuses
sheets.py       page sizes, margins, blank pages, sizes of texts and lines, a look at the raster
puzzles.py      solved, graded, compared: puzzles and solutions
references.py   numbers, page references, contents, hints
report.py       all tests, and what they found
"""
