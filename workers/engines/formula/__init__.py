"""Formula problems: the conceptual model of a task, solved by auxiliary tasks.

expression.py   the language of formulas: its own parser, a tree, its text
code.py         a checked tree as a Python function
faults.py       everything that can be wrong with a task, in words
template.py     a subject domain: variables, formulas, constraints, read and checked
soundness.py    a domain's units and its formulas against each other
shipped.py      the domains that come with the house, by name
task.py         one task of a domain: data, rules, goals, environment; its text
document.py     the same as a small document: a text with sections, or TOML
network.py      which formula gives which variable from which others
minimal.py      the smallest sets of givens for each goal, with their derivations
search.py       the moves of a search, and the tree of moves that solving walks
seed.py         the document's search: depth first, the first missing name first
best.py         the shortest derivation, with all its branches
solve.py        a task solved: values, answers, counts, and its journal on demand
journal.py      what a search did, step by step, in words
generate.py     tasks made to order
wording.py      a task in words, in several languages
"""
