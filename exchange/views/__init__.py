"""The pages of what leaves this installation and what comes to it."""
