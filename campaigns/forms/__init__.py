"""What people fill in about clubs and campaigns."""
