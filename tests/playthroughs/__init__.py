"""Playthroughs: what a rule system answers, written down as text, so that a change of behaviour is
a diff.

Everything here knows a rule system by its protocol alone (``rulebook.ruleset``).
"""
