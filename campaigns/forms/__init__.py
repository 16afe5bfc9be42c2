"""Forms of campaigns."""
