"""A campaign as it is played."""
