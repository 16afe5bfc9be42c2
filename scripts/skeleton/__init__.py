"""Skeleton Game, a small rule system."""
