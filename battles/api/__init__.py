"""The battles of the API."""

from rest_framework.routers import DefaultRouter

from battles.api import standings


def register(router: DefaultRouter) -> None:
    """Add this app's endpoints to the API."""
    standings.register(router)
