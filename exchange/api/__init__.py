"""The API of exports, imports, passports and keys."""

from rest_framework.routers import BaseRouter

from core.api.schema import KEY
from exchange.api.exports import ExportViewSet
from exchange.api.imports import ImportViewSet
from exchange.api.keys import ClubKeyViewSet, KeyViewSet
from exchange.api.passports import FighterPassportViewSet, PassportViewSet, WarbandPassportViewSet


def register(router: BaseRouter) -> None:
    """Register this app's viewsets with the router."""
    router.register("exports", ExportViewSet, basename="export")
    router.register("keys", KeyViewSet, basename="key")
    router.register(f"clubs/(?P<club_id>{KEY})/keys", ClubKeyViewSet, basename="club-keys")
    router.register("passports", PassportViewSet, basename="passport")
    router.register(
        f"warbands/(?P<warband_id>{KEY})/passport",
        WarbandPassportViewSet,
        basename="warband-passport",
    )
    router.register(
        f"fighters/(?P<fighter_id>{KEY})/passport",
        FighterPassportViewSet,
        basename="fighter-passport",
    )
    router.register("imports", ImportViewSet, basename="import")
