"""`make demo`: a whole campaign, played over HTTP as by clients, and printed.

Nothing here uses the database. The rules are used only to invent what happens in battles.
"""
