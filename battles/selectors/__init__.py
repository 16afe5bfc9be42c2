"""Selectors that read battles: they return frozen structures with a fixed number of queries."""
