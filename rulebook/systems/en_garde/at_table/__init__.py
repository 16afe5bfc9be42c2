"""A battle at the table, for people: looks, phases, doings, and what events came to."""
