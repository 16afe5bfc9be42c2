"""Leagues: the play of a campaign."""
