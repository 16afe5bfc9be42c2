"""The chronicle of a warband: its facts, and the replay that makes a warband of them."""
