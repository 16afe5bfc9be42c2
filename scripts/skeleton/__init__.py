"""Skeleton Game, a small rule system of one's own."""
