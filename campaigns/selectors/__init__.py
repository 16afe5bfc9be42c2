"""Selectors of campaigns: frozen structures, fixed numbers of queries."""
