"""The pictures of the API."""

from rest_framework.routers import BaseRouter

from pictures.api.views import PictureViewSet


def register(router: BaseRouter) -> None:
    """Add this app's endpoints to the API."""
    router.register("pictures", PictureViewSet, basename="picture")
