"""Clubs with their club nights, calendars and activity logs in the API, and members' tasks."""

from rest_framework.routers import DefaultRouter

from core.api.schema import KEY
from home.api.audit_log import ClubAuditViewSet
from home.api.clubs import ClubViewSet
from home.api.evenings import ClubEveningViewSet, EveningViewSet


def register(router: DefaultRouter) -> None:
    """Add this app's endpoints to the API."""
    router.register("clubs", ClubViewSet, basename="club")
    router.register(
        rf"clubs/(?P<club_id>{KEY})/evenings", ClubEveningViewSet, basename="club-evening"
    )
    router.register(rf"clubs/(?P<club_id>{KEY})/audit", ClubAuditViewSet, basename="club-audit")
    router.register("evenings", EveningViewSet, basename="evening")
