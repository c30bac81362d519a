"""Calibration: what the columns of a corpus say about people, measured on people's times.

    observations.py  solving times or labels as people keep them
    shipped.py       the data that ship with the program
    features.py      the columns of the observed puzzles
    joining.py       observations and columns of one canonical form become one row; rejects
    players.py       typical times of puzzles from the times of many players (crossed effects)
    agreement.py     rank correlations with bootstrap intervals, paired differences
    models.py        models of time, cross-validated; ordinal.py models of levels
    cutpoints.py     from predicted minutes to levels
    frozen.py        a fitted calibration as a levels file, which a plan can name
    invariance.py    isomorphs have equal ratings
    drift.py         ratings of a frozen panel, then and now
    floors.py        what a study asserts of its figures
    study.py         the whole of it: a folder of tables, models, predictions and a report
    tables.py        tables as files that are equal when their values are
    figures.py       the plots; page.py the report, one file without links

It needs the extra `calibrate` (scipy, scikit-learn, statsmodels) and, for plots, `plots`. Equal
input gives equal tables, byte by byte, with any number of workers.
"""
