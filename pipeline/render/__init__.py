"""Single puzzles as pictures, and the fonts that pictures and books are set in.

svg.py      a puzzle as SVG: clues, candidates or solution
png.py      the same as PNG, set by Typst
drawing.py  one puzzle to be drawn, which a notebook shows by itself
fonts.py    the fonts that ship with the program: where they are, widths, missing characters
"""
