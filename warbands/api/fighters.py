"""`fighters/`: one fighter, its rank-ups and its changes."""

from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.inputs import serializer_class
from core.api.views import struct_response
from core.page_cache import cached_read
from rulebook.ruleset import Fate
from warbands.api.base import Endpoint
from warbands.api.examples import EXPLAINED, FIGHTER_PAGE, HALBERD, RANK_UPS, TAKEN
from warbands.models import Fighter
from warbands.page_rows import FIGHTER_ROWS
from warbands.selectors.explanations import ExplainedFighter, explained_page
from warbands.selectors.fighter_page import FighterPage, RankUpList, fighter_page, rank_up_list
from warbands.services.rank_ups import RankUpChoice, take_rank_up, undo_rank_up
from warbands.services.roster import (
    Adjustment,
    FighterEdit,
    Leaving,
    NewBuild,
    adjust_fighter,
    edit_fighter,
    equip_fighter,
    release_fighter,
)

EXPLAIN = OpenApiParameter(
    "explain",
    OpenApiTypes.BOOL,
    description="1: include the facts and rules behind every number.",
)
PAGE = OpenApiExample("Fighter", FIGHTER_PAGE, response_only=True)


FighterEditSerializer = serializer_class(FighterEdit)
BuildSerializer = serializer_class(NewBuild, name="BuildSerializer")
LeaveSerializer = serializer_class(Leaving, name="LeaveSerializer")
AdjustSerializer = serializer_class(Adjustment, name="AdjustSerializer")
RankUpSerializer = serializer_class(RankUpChoice, name="RankUpSerializer")


class FighterViewSet(Endpoint[Fighter]):
    """Fighters, by their ids: a warband lists its own."""

    queryset = Fighter.objects.none()
    filter_backends = []

    @extend_schema(
        summary="Read a fighter",
        parameters=[EXPLAIN],
        responses=ExplainedFighter,
        examples=[
            OpenApiExample("Fighter", FIGHTER_PAGE | {"explanation": None}, response_only=True),
            OpenApiExample(
                "With reasons", FIGHTER_PAGE | {"explanation": [EXPLAINED]}, response_only=True
            ),
        ],
    )
    @cached_read(FIGHTER_ROWS)
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """Card, service record, ledger and steps; with `?explain=1` the reason behind every
        number."""
        explain = request.query_params.get("explain", "") in ("1", "true", "yes")
        return struct_response(explained_page(self.fighter(pk), self.asker, explain=explain))

    @extend_schema(
        summary="Change a fighter's name or story",
        request=FighterEditSerializer,
        responses=FighterPage,
        examples=[
            OpenApiExample("A nickname", {"name": "Götz of the Iron Hand"}, request_only=True),
            PAGE,
        ],
    )
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """Absent fields stay unchanged. A new name appears in the history."""
        edit_fighter(
            fighter_id=pk, user=self.asker, **self.validated(FighterEditSerializer, request)
        )
        return self._page(pk)

    @extend_schema(
        summary="Change a fighter's build",
        request=BuildSerializer,
        responses=FighterPage,
        examples=[
            OpenApiExample("Another weapon", HALBERD, request_only=True),
            PAGE,
        ],
    )
    @action(detail=True, methods=["put"])
    def build(self, request: Request, pk: UUID) -> Response:
        """Always possible before a campaign. In a campaign, organisers can do it with a reason."""
        equip_fighter(fighter_id=pk, user=self.asker, **self.validated(BuildSerializer, request))
        return self._page(pk)

    @extend_schema(
        summary="Remove a fighter",
        request=LeaveSerializer,
        responses={204: None},
        examples=[OpenApiExample("Retire", {"reason": "retired"}, request_only=True)],
    )
    @action(detail=True, methods=["post"])
    def leave(self, request: Request, pk: UUID) -> Response:
        """Retired, dismissed and deserted fighters stay in the history."""
        release_fighter(fighter_id=pk, user=self.asker, **self.validated(LeaveSerializer, request))
        return Response(status=204)

    @extend_schema(
        summary="Adjust a fighter outside the rules",
        request=AdjustSerializer,
        responses=FighterPage,
        examples=[
            OpenApiExample(
                "A gift", {"experience": 2, "reason": "Held the bridge alone."}, request_only=True
            ),
            OpenApiExample(
                "Ransomed", {"fate": "fit", "reason": "Ransomed for ten crowns."}, request_only=True
            ),
            PAGE,
        ],
    )
    @action(detail=True, methods=["post"])
    def adjust(self, request: Request, pk: UUID) -> Response:
        """For organisers, or outside a campaign the owner. The reason appears in the history."""
        data = self.validated(AdjustSerializer, request)
        fate = Fate(data.pop("fate")) if data.get("fate") else None
        adjust_fighter(fighter_id=pk, user=self.asker, fate=fate, **data)
        return self._page(pk)

    @extend_schema(
        methods=["GET"],
        summary="List a fighter's rank-ups",
        responses=RankUpList,
        examples=[OpenApiExample("Steps", RANK_UPS, response_only=True)],
    )
    @extend_schema(
        methods=["POST"],
        summary="Take a rank-up",
        request=RankUpSerializer,
        responses={201: FighterPage},
        examples=[
            OpenApiExample("Rank up", TAKEN, request_only=True),
            OpenApiExample("Ranked up", FIGHTER_PAGE, response_only=True, status_codes=["201"]),
        ],
    )
    @action(detail=True, methods=["get", "post"], url_path="rank-ups")
    def rank_ups(self, request: Request, pk: UUID) -> Response:
        """Every legal rank-up with its cost and gains. Taking one spends the experience."""
        if request.method != "POST":
            return struct_response(rank_up_list(self.fighter(pk)))
        take_rank_up(fighter_id=pk, user=self.asker, **self.validated(RankUpSerializer, request))
        return self._page(pk, 201)

    @extend_schema(
        summary="Undo a rank-up",
        request=None,
        responses=FighterPage,
        examples=[PAGE],
    )
    @action(detail=True, methods=["post"], url_path="rank-ups/undo")
    def undo(self, request: Request, pk: UUID) -> Response:
        """Undo the last rank-up, before the next battle starts."""
        undo_rank_up(fighter_id=pk, user=self.asker)
        return self._page(pk)

    def _page(self, pk: UUID, status: int = 200) -> Response:
        return struct_response(fighter_page(self.fighter(pk), self.asker), status)
