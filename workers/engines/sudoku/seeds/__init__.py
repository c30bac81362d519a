"""The solvers and generators of the documents this project grew from, each as it was described.

    outcome.py         how an attempt ended; a step of a path
    brute.py           depth-first search with the documents' counts; it is also `backtrack`
    brute_all.py       the same search beyond the first solution
    trace.py           filled cells against recursion step, in bounded memory
    pencil.py          a grid with pencilmarks, and the log of what was done to it
    reasoning.py       singles and box/line interaction: the deductions of levels 0 and 1
    analytic.py        the four analytic levels; suppositions.py holds the trial and error
    models.py          auxiliary models: units with one missing digit are filled
    human_path.py      eleven methods and a guess, with an effort score; human_loop.py calls the
                       methods in human_methods.py (by eye), human_notes.py (by notes) and
                       human_trials.py (by trial)
    opening.py         generation by opening cells of a full grid until the solution is unique
    cut.py             generation by removing cells, with the difficulty after each removal
    difficulty.py      what both measure, and the bounds they keep to

README.md says how the documents were read where they leave a choice.
"""
