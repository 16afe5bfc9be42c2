"""The chronicle of a warband: its facts, and the fold that makes a warband of them."""
