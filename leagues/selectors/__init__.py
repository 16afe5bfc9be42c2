"""Selectors of leagues, with a fixed number of queries."""
