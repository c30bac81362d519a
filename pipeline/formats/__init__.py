"""Text formats in and out, one module a format.

lines.py    one puzzle a line: bare lists, rating lists, CSV columns; or one 9x9 block
"""
