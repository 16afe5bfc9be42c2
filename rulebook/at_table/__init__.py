"""What people see while they play: actions, what is due, outcomes, sentences."""
