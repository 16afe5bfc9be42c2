"""Forms about battles."""
