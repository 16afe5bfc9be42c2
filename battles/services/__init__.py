"""What can be done to a battle."""
