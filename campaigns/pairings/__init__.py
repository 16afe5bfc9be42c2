"""Pairing methods: pure functions from entrants to fixtures, without Django, clock or dice.

Entrants are strings (the ids of enrolments), best first where the order matters.
"""
