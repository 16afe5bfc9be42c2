"""Writing: pictures added, captioned, removed, swept."""
