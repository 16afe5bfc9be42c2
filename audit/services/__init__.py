"""The only services that write entries of the activity log."""
