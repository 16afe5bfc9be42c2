"""The pages of clubs and campaigns."""
