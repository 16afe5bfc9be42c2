"""Writes of documents: requesting them, and the work of the workers that make them."""
