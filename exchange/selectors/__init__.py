"""Selectors of keys, passports and archives: frozen structures, with a fixed number of queries."""
