"""Reads of documents' content for pages."""
