"""The human model: a simulated solver who knows singles, tries the rest, and gets stuck.

Source: R. Pelanek, "Difficulty rating of Sudoku puzzles: an overview and evaluation", 2014. The
solver sees all simple moves (naked and hidden singles) at once and makes a random one; where there
is none, it refutes: it tries wrong candidates until one cell is cheap enough to be proven. How
many cells it can choose from, and how long refutations are, predicts how long people take.

    pencil.py     the solver's grid: candidates, counts, and the simple moves they leave
    walk.py       one run from the puzzle to the solution, and its random refutations
    model.py      many runs on canonical forms, and the figures made of them
    statics.py    what can be counted without a simulated solver
    looks.py      a solver who makes the easiest kind of move first
    fixedness.py  how firmly cells are held by a random walk over almost-solutions
"""
