"""`make screenshots`: every page as a picture, on phone and desktop, light and dark, with its
problems.
"""
