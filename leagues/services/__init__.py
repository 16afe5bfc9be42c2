"""Verbs of leagues: rounds, fixtures, classic campaigns."""
