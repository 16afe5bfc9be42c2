"""What fighters earn in battle, and what they become for it."""
