"""What can be done to a warband."""
