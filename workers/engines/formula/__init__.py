"""Formula problems: the conceptual model of a task, solved by auxiliary tasks.

expression.py   the language of formulas: a tree and its text
parser.py       from a text to a tree, or to an error
code.py         a checked tree as a Python function
faults.py       everything that can be wrong with a task, in words
template.py     a subject domain: variables, formulas, constraints
template_file.py  the same read from a TOML table and checked
soundness.py    a domain's formulas against each other
units.py        a domain's units
draws.py        random numbers and hidden worlds
shipped.py      the domains that come with the house, by name
task.py         one task of a domain: data, rules, goals, environment; its text
document.py     the same as a small document: a text with sections, or TOML
network.py      which formula gives which variable from which others
derivation.py   the shortest derivation of a goal
freedom.py      which variables can be given together
minimal.py      the smallest sets of givens for each goal, with their derivations
search.py       the moves of a search and their outcomes
pattern.py      the tree of moves that solving walks
seed.py         the document's search: depth first, the first missing name first
best.py         the shortest derivation, with all its branches
solve.py        a task solved: values, answers, counts, and its journal on demand
journal.py      what a search did, step by step, in words
generate.py     tasks made to order
grade.py        how much work a task is
curve.py        a found formula over the range of a given
wording.py      a task in words, in several languages
"""
