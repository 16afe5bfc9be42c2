"""Reads of pictures for pages."""
