"""The documents of the API."""

from rest_framework.routers import DefaultRouter

from documents.api.views import DocumentViewSet


def register(router: DefaultRouter) -> None:
    """Add this app's endpoints to the API."""
    router.register("documents", DocumentViewSet, basename="document")
