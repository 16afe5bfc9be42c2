"""Pages of a campaign, its rounds and fixtures."""
