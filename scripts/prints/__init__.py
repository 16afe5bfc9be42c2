"""`make prints`: every kind of document, of the demonstration's campaigns and of cases that are
hard to print.
"""
