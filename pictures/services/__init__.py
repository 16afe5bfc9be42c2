"""Writes of pictures: add, caption, remove, sweep."""
