"""Exact chances, by counting every way that the dice can fall; nothing here is simulated."""
