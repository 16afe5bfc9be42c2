"""Playthroughs: the answers of a rule system as text, so that changed behaviour shows as a diff.

Everything here uses a rule system only by its protocol (``rulebook.ruleset``).
"""
