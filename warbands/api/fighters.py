"""`fighters/`: one fighter, what it may become, and what may be done to it."""

from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.inputs import serializer_class
from core.api.views import struct_response
from rulebook.ruleset import Fate
from warbands.api.base import Endpoint
from warbands.api.examples import EXPLAINED, FIGHTER_PAGE, HALBERD, RANK_UPS, TAKEN
from warbands.models import Fighter
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
    description="1: give the facts and rules behind every number as well.",
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
        """What is absent stays. A new name goes into the chronicle."""
        edit_fighter(
            fighter_id=pk, user=self.asker, **self.validated(FighterEditSerializer, request)
        )
        return self._page(pk)

    @extend_schema(
        summary="Give a fighter another build",
        request=BuildSerializer,
        responses=FighterPage,
        examples=[
            OpenApiExample("Another weapon", HALBERD, request_only=True),
            PAGE,
        ],
    )
    @action(detail=True, methods=["put"])
    def build(self, request: Request, pk: UUID) -> Response:
        """Free while the roster is built; in play for organisers, with a reason."""
        equip_fighter(fighter_id=pk, user=self.asker, **self.validated(BuildSerializer, request))
        return self._page(pk)

    @extend_schema(
        summary="Let a fighter leave",
        request=LeaveSerializer,
        responses={204: None},
        examples=[OpenApiExample("Retire", {"reason": "retired"}, request_only=True)],
    )
    @action(detail=True, methods=["post"])
    def leave(self, request: Request, pk: UUID) -> Response:
        """Who retires, is dismissed or deserts stays on the roll."""
        release_fighter(fighter_id=pk, user=self.asker, **self.validated(LeaveSerializer, request))
        return Response(status=204)

    @extend_schema(
        summary="Overrule the book for a fighter",
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
        """For organisers; outside any campaign for whoever keeps the warband. The chronicle keeps
        the reason."""
        data = self.validated(AdjustSerializer, request)
        fate = Fate(data.pop("fate")) if data.get("fate") else None
        adjust_fighter(fighter_id=pk, user=self.asker, fate=fate, **data)
        return self._page(pk)

    @extend_schema(
        methods=["GET"],
        summary="What a fighter may become",
        responses=RankUpList,
        examples=[OpenApiExample("Steps", RANK_UPS, response_only=True)],
    )
    @extend_schema(
        methods=["POST"],
        summary="Take a rank-up",
        request=RankUpSerializer,
        responses={201: FighterPage},
        examples=[
            OpenApiExample("Take it", TAKEN, request_only=True),
            OpenApiExample("Risen", FIGHTER_PAGE, response_only=True, status_codes=["201"]),
        ],
    )
    @action(detail=True, methods=["get", "post"], url_path="rank-ups")
    def rank_ups(self, request: Request, pk: UUID) -> Response:
        """Every legal step with its price and what it gives. Taking one pays for it at once."""
        if request.method != "POST":
            return struct_response(rank_up_list(self.fighter(pk)))
        take_rank_up(fighter_id=pk, user=self.asker, **self.validated(RankUpSerializer, request))
        return self._page(pk, 201)

    @extend_schema(
        summary="Take a rank-up back",
        request=None,
        responses=FighterPage,
        examples=[PAGE],
    )
    @action(detail=True, methods=["post"], url_path="rank-ups/undo")
    def undo(self, request: Request, pk: UUID) -> Response:
        """The last one, until the next battle starts."""
        undo_rank_up(fighter_id=pk, user=self.asker)
        return self._page(pk)

    def _page(self, pk: UUID, status: int = 200) -> Response:
        return struct_response(fighter_page(self.fighter(pk), self.asker), status)
