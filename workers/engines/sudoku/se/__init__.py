"""The Sudoku Explainer scale: ER, EP and ED as the program of that name gives them.

Its own order, its own rules: README.md says which, and what is known of their defects.

names.py      the techniques and their producers, in order
geometry.py   units and combinations in this scale's order
grid.py       the grid, and the hint that a producer fills in
singles.py, subsets.py, wings.py, loops.py, grave.py, aligned.py
              producers without chains; basic.py is their order
links.py      weak and strong links between candidates
picks.py      how chain hints are rated and compared
forcing.py    chains from one start to one end
trees.py      all that follows from one assumption
branches.py   what several assumptions have in common
patterns.py, nested.py
              patterns and chains inside trees
chaining.py, nesting.py
              the order of the producers with chains
tally.py      ER, EP and ED as they grow
rating.py     ratings of many puzzles, the path of one
"""
