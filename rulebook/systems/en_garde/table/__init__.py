"""The rules at the table: every rule that changes a number, a state or what is allowed.

Each module decides one part of a turn, as functions over frozen values that can be used alone. Dice
are handed in as they fell; nothing here rolls.
"""
