"""The log of a battle: its events are read, checked, given dice, replayed and put into
sentences."""
