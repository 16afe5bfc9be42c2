"""What En Garde! can be asked beside a battle: exact odds, tests with given dice, prices, set-ups."""
