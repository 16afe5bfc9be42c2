"""Avant-garde: Napoleonic battles of brigades."""
