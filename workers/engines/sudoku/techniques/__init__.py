"""What a person does to solve a Sudoku: one module a family of techniques.

technique.py   the record, the levels    catalogue.py   all records in HoDoKu's order
singles.py locked.py subsets.py fish.py  families       covers.py   masks with a small union
tier1.py       a kernel for a tier       rows.py        tables in, result columns out
explain.py     a step as a sentence      README.md      which of several steps is next
"""
