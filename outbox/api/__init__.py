"""Changes and webhooks in the API (`changes/` itself is in ``config.api_router``)."""

from rest_framework.routers import DefaultRouter

from core.api.schema import KEY
from outbox.api.webhooks import (
    ClubWebhookViewSet,
    DeliveryViewSet,
    WebhookDeliveryViewSet,
    WebhookViewSet,
)


def register(router: DefaultRouter) -> None:
    """Add this app's endpoints to the API."""
    router.register(
        rf"clubs/(?P<club_id>{KEY})/webhooks", ClubWebhookViewSet, basename="club-webhook"
    )
    router.register(
        rf"webhooks/(?P<webhook_id>{KEY})/deliveries",
        WebhookDeliveryViewSet,
        basename="webhook-delivery",
    )
    router.register("webhooks", WebhookViewSet, basename="webhook")
    router.register("deliveries", DeliveryViewSet, basename="delivery")
