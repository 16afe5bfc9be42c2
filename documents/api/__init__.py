"""The documents of the API."""

from rest_framework.routers import DefaultRouter

from core.api.schema import KEY
from documents.api.narratives import NarrativeViewSet
from documents.api.views import DocumentViewSet


def register(router: DefaultRouter) -> None:
    """Add this app's endpoints to the API."""
    router.register("documents", DocumentViewSet, basename="document")
    router.register(f"battles/(?P<battle_id>{KEY})", NarrativeViewSet, basename="battle-narrative")
