"""The log of a battle: its events read, checked, given dice, folded and told."""
