"""Dice from a generator that is handed in, committed dice, and exact distributions."""
