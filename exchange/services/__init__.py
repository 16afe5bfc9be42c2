"""What is written when data leave and come back."""
