"""Services that change battles."""
