"""Puzzle kinds: what connects the engines' arrays with column names.

protocol.py   what a kind must offer
registry.py   the kinds by name
null.py       the smallest kind, and the template for the next one
"""
