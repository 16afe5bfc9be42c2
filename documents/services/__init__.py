"""What changes documents: asking for them, and everything that workers do to make them."""
