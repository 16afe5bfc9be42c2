"""The chronicle of a warband: its facts, and the replay that computes its state from them."""
