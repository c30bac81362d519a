"""Pages for a browser: each is one file that needs no network and can be printed.

explain.py    a solution step by step, on the grid with its pencilmarks
explain.css   explain.js   what the page looks like, and how it is stepped through
"""
