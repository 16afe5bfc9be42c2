"""What people fill in about battles."""
