"""Calculators of En Garde!: exact odds, tests with given dice, prices, set-ups."""
