"""A battle at the table, for people: views, phases, actions, and what events came to."""
