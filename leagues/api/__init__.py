"""Standings, rounds, fixtures, history and honours of campaigns in the API."""

from rest_framework.routers import DefaultRouter

from leagues.api import campaigns, classic, club_night, fixtures, history, standings


def register(router: DefaultRouter) -> None:
    """Add this app's endpoints."""
    campaigns.register(router)
    standings.register(router)
    history.register(router)
    classic.register(router)
    fixtures.register(router)
    club_night.register(router)
