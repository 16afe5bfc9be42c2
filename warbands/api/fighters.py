"""`fighters/`: one fighter, what it may become, and what may be done to it."""

from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.strict_input import ExactSerializer
from core.api.views import struct_response
from rulebook.ruleset import Fate
from warbands.api.base import Endpoint, ReasonSerializer
from warbands.api.examples import EXPLAINED, FIGHTER_PAGE, HALBERD, RANK_UPS, TAKEN
from warbands.models import Fighter
from warbands.selectors.explanations import ExplainedFighter, explained_page
from warbands.selectors.fighter_page import FighterPage, RankUpList, fighter_page, rank_up_list
from warbands.services.rank_ups import take_rank_up, undo_rank_up
from warbands.services.roster import REASONS_TO_LEAVE, adjust_fighter, edit_fighter, equip_fighter, release_fighter

EXPLAIN = OpenApiParameter(
    "explain", OpenApiTypes.BOOL, description="1: give the facts and rules behind every number as well."
)
PAGE = OpenApiExample("Fighter", FIGHTER_PAGE, response_only=True)


class FighterEditSerializer(ExactSerializer):
    """What can be changed of a fighter beside its build; what is absent stays."""

    name = serializers.CharField(max_length=100, required=False)
    story = serializers.CharField(max_length=20_000, required=False, allow_blank=True)


class BuildSerializer(ReasonSerializer):
    """Another build in place of the present one."""

    build = serializers.DictField(help_text="As the rule system's catalogue tells: profile and options.")


class LeaveSerializer(ExactSerializer):
    """Why a fighter leaves. "struck" makes it never have been, while the roster is not in play."""

    reason = serializers.ChoiceField(REASONS_TO_LEAVE)
    sequence = serializers.IntegerField(min_value=0, required=False)


class AdjustSerializer(ExactSerializer):
    """An organiser's decision."""

    experience = serializers.IntegerField(min_value=-100, max_value=100, required=False)
    fate = serializers.ChoiceField([fate.value for fate in Fate], required=False)
    reason = serializers.CharField(max_length=300)
    sequence = serializers.IntegerField(min_value=0, required=False)


class RankUpSerializer(ExactSerializer):
    """The step to take, by its key, and what the owner picks within it."""

    step = serializers.CharField(max_length=200)
    picks = serializers.DictField(required=False)
    sequence = serializers.IntegerField(
        min_value=0, required=False, help_text="The length of the chronicle as it was read: 409 if it has gone on."
    )


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
            OpenApiExample("With reasons", FIGHTER_PAGE | {"explanation": [EXPLAINED]}, response_only=True),
        ],
    )
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """Card, service record, ledger and steps; with `?explain=1` the reason behind every number."""
        explain = request.query_params.get("explain", "") in ("1", "true", "yes")
        return struct_response(explained_page(self.fighter(pk), self.asker, explain=explain))

    @extend_schema(
        summary="Change a fighter's name or story",
        request=FighterEditSerializer,
        responses=FighterPage,
        examples=[OpenApiExample("A nickname", {"name": "Götz of the Iron Hand"}, request_only=True), PAGE],
    )
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """What is absent stays. A new name goes into the chronicle."""
        edit_fighter(fighter_id=pk, user=self.asker, **self.validated(FighterEditSerializer, request))
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
            OpenApiExample("A gift", {"experience": 2, "reason": "Held the bridge alone."}, request_only=True),
            OpenApiExample("Ransomed", {"fate": "fit", "reason": "Ransomed for ten crowns."}, request_only=True),
            PAGE,
        ],
    )
    @action(detail=True, methods=["post"])
    def adjust(self, request: Request, pk: UUID) -> Response:
        """For organisers; outside any campaign for whoever keeps the warband. The chronicle keeps the reason."""
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
