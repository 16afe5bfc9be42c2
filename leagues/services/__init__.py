"""Services of leagues: rounds, fixtures, classic campaigns."""
