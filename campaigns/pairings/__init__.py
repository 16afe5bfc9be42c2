"""Who plays whom: pure functions from entrants to fixtures, without Django, clock or dice.

Entrants are texts (the ids of enrolments), handed in best first where the order matters.
"""
