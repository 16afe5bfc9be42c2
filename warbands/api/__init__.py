"""`warbands/` and `fighters/` of the API."""

from rest_framework.routers import BaseRouter

from core.api.schema import KEY
from warbands.api.chronicles import ChronicleViewSet, LedgerViewSet
from warbands.api.drafts import DraftViewSet, TemplateViewSet
from warbands.api.fighters import FighterViewSet
from warbands.api.rosters import RosterViewSet
from warbands.api.spreadsheets import FromSpreadsheetViewSet, SpreadsheetViewSet
from warbands.api.warbands import WarbandViewSet

OF_A_WARBAND = f"warbands/(?P<warband_id>{KEY})"


def register(router: BaseRouter) -> None:
    """Add this app's endpoints."""
    router.register(
        "warbands/from-spreadsheet", FromSpreadsheetViewSet, basename="from-spreadsheet"
    )
    router.register("warbands", WarbandViewSet, basename="warband")
    router.register(f"{OF_A_WARBAND}/fighters", RosterViewSet, basename="warband-fighters")
    router.register(f"{OF_A_WARBAND}/draft", DraftViewSet, basename="warband-draft")
    router.register(
        f"{OF_A_WARBAND}/spreadsheet", SpreadsheetViewSet, basename="warband-spreadsheet"
    )
    router.register("roster-templates", TemplateViewSet, basename="roster-template")
    router.register(f"{OF_A_WARBAND}/chronicle", ChronicleViewSet, basename="warband-chronicle")
    router.register(f"{OF_A_WARBAND}/ledger", LedgerViewSet, basename="warband-ledger")
    router.register("fighters", FighterViewSet, basename="fighter")
