"""Battles that nobody has played: by the rules, turn by turn, or invented as a result sheet."""
