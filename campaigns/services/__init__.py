"""Services of campaigns. Each function checks permissions, locks, validates and writes."""
