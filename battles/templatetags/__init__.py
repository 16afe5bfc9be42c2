"""Template tags of battles."""
