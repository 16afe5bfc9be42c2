"""The one way to write an entry."""
