"""Rosters as spreadsheets: what a file of cells says, and what cells a roster makes."""
