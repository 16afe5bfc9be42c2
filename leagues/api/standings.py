"""`campaigns/{id}/standings/`: a campaign's standings."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import DefaultRouter
from rest_framework.viewsets import ViewSet

from battles.selectors.standings import standings
from campaigns.models import Campaign
from clubs.services.permissions import find
from core.api.schema import KEY, path_key
from core.api.strict_input import ExactView
from core.page_cache import cached_read
from leagues.page_rows import CAMPAIGN_ROWS
from leagues.selectors.standings_columns import COLUMNS

STANDINGS: dict[str, Any] = {
    "rule": "Points: 3 for a win, 1 for a draw, 0 for a defeat.",
    "tie_rule": "Ties are broken by victory point difference. "
    "If still equal, they share a position.",
    "rows": [
        {
            "position": 1,
            "shared": False,
            "enrolment": "7e7a5b0c-0b8e-4d92-8d7f-3f1d2a6c4b55",
            "warband": "9d1c7a52-6f0e-4f0b-8d25-1c8f9f0c7d21",
            "name": "The Cardinal's Men",
            "colour": "#7a2e2e",
            "faction": "cardinals-guard",
            "player": "b8bf0f5c-8f4c-4f0e-8c3c-8d9d2d6b0a77",
            "player_name": "Bob",
            "withdrawn": False,
            **{column.key: column.example for column in COLUMNS},
        }
    ],
}


class StandingsEntrantSerializer(serializers.Serializer[Any]):
    """The warband of a row, and its position."""

    position = serializers.IntegerField()
    shared = serializers.BooleanField()
    enrolment = serializers.UUIDField()
    warband = serializers.UUIDField()
    name = serializers.CharField()
    colour = serializers.CharField()
    faction = serializers.CharField()
    player = serializers.UUIDField()
    player_name = serializers.CharField()
    withdrawn = serializers.BooleanField(
        help_text="Left before the campaign's end; its battles still count."
    )


FIGURES: dict[str, Any] = {
    column.key: serializers.IntegerField(help_text=column.api or None) for column in COLUMNS
}
StandingsRowSerializer = type(
    "StandingsRowSerializer",
    (StandingsEntrantSerializer,),
    FIGURES
    | {
        "__doc__": "A warband's row. `shared` is true if others have the same position. `points` "
        "count for the standings."
    },
)


class StandingsSerializer(serializers.Serializer[Any]):
    """The standings, best first, with sentences about the scoring and the tie-breakers."""

    rule = serializers.CharField()
    tie_rule = serializers.CharField()
    rows = StandingsRowSerializer(many=True)


class StandingsViewSet(ExactView, ViewSet):
    """The standings of a campaign."""

    public_reads = frozenset({"standings"})

    @extend_schema(
        operation_id="campaigns_standings_retrieve",
        summary="Read a campaign's standings",
        parameters=[path_key("campaign_id", "campaign")],
        responses=StandingsSerializer,
        examples=[OpenApiExample("Standings", STANDINGS, response_only=True)],
    )
    @action(detail=False, methods=["get"])
    @cached_read(CAMPAIGN_ROWS, "campaign_id")
    def standings(self, request: Request, campaign_id: str) -> Response:
        """From all confirmed battles that are not friendly. Not paginated."""
        campaign = find(Campaign.objects.visible_to(request.user), UUID(campaign_id), "campaign")
        return Response(StandingsSerializer(standings(campaign)).data)


def register(router: DefaultRouter) -> None:
    """Add the standings to the API."""
    router.register(rf"campaigns/(?P<campaign_id>{KEY})", StandingsViewSet, basename="table")
