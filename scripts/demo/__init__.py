"""`make demo`: a whole campaign, played over HTTP as clients would, and printed.

Nothing here touches the database. The rule book is used for one thing only: to invent what happened
at the table.
"""
