"""Cryptarithm engines: letters stand for digits, equal letters for equal ones.

rules.py      what a puzzle may mean: base, zeros, signs   model.py      a parsed puzzle
tokens.py     words and signs of a text                    text.py       texts to puzzles and back
weights.py    signed sums as letter weights                search.py     the kernel for these
program.py    any equations, digit by digit                columns.py    the kernel for those
solve.py      whichever of the two fits                    reference.py  three slow methods
canon.py      one key for all puzzles that are the same    generate.py   sums from word lists
products.py   products from word lists                     sums.py       columns for the grader
techniques.py the grader's techniques, by cost             grade.py      how a person gets on
deduce.py     techniques as kernels                        cases.py      the last two of them
"""
