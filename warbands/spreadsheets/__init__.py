"""Rosters as spreadsheets, read and written."""
