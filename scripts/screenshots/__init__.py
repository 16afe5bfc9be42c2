"""`make screenshots`: every page as a picture, on a phone and on a desk, light and dark, and what
is wrong with it."""
