"""What En Garde! can be asked beside a battle: exact odds, tests with given dice, prices, set-ups.

A module for each subject holds the fields that its calculators take and the functions that answer; ``asking``
gathers them all.
"""
