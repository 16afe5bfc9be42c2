"""Reads of rule systems."""
