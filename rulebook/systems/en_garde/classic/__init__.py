"""The classic campaign: three small games and a final."""
