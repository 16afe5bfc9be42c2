"""`make screenshots`: every page as a picture, with its problems."""
