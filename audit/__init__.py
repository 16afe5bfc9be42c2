"""The activity log of a club: every app's services write it, and organisers read it.

Entries are kept permanently.
"""
