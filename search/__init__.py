"""Search by name. This app reads from all others and stores nothing.

The permission of each row is checked at the time of the search.
"""
