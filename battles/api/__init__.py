"""`battles/` of the API."""

from rest_framework.routers import DefaultRouter

from battles.api import fighter_odds, odds
from battles.api.battles import BattleViewSet
from battles.api.logs import CombatantsViewSet, CorrectionViewSet, EventViewSet, SubstituteViewSet
from battles.api.table import TableViewSet
from core.api.schema import KEY

OF_A_BATTLE = f"battles/(?P<battle_id>{KEY})"


def register(router: DefaultRouter) -> None:
    """Add this app's endpoints."""
    router.register("battles", BattleViewSet, basename="battle")
    router.register(
        f"{OF_A_BATTLE}/sides/(?P<side>[a-z])", CombatantsViewSet, basename="battle-side"
    )
    router.register(
        f"{OF_A_BATTLE}/sides/(?P<side>[a-z])", SubstituteViewSet, basename="battle-substitute"
    )
    router.register(f"{OF_A_BATTLE}/events", EventViewSet, basename="battle-events")
    router.register(OF_A_BATTLE, TableViewSet, basename="battle-table")
    odds.register(router)
    fighter_odds.register(router)
    router.register(f"{OF_A_BATTLE}/corrections", CorrectionViewSet, basename="battle-corrections")
