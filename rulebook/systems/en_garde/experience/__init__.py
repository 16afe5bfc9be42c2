"""Experience that fighters earn in battle, and the rank-ups that they buy with it."""
