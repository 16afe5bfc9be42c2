"""`campaigns/{id}/classic/`, `orders/`, `final/`: the course of a classic campaign."""

from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import DefaultRouter

from battles.api.base import LOG, Endpoint
from battles.api.examples import BATTLE
from battles.models import Battle
from battles.selectors.battle_page import OpenBattle
from campaigns.models import Campaign
from clubs.services.permissions import find
from core.api.schema import KEY, path_key
from core.api.strict_input import ExactSerializer
from core.api.views import struct_response
from core.errors import InvalidInput
from leagues.api.examples import CLASSIC, ORDER, PLAN
from leagues.selectors.classic import ClassicPage, classic_page
from leagues.selectors.sealed_order import SealedOrderView, own_order
from leagues.services.classic import plan_again, plan_final, seal_order

CAMPAIGN = path_key("campaign_id", "campaign")
MAX_SCENARIOS = 12
MAX_FIGHTERS = 500


class OrderSerializer(ExactSerializer):
    """A plan to seal: for each scenario the fighters of its small warband."""

    warband = serializers.UUIDField(
        required=False,
        allow_null=True,
        source="warband_id",
        help_text="Only for organisers: a guest player's warband. Default: your own.",
    )
    plan = serializers.DictField(
        child=serializers.ListField(child=serializers.UUIDField(), max_length=MAX_FIGHTERS),
        help_text="The ids of fighters by the key of the scenario.",
    )

    def validate_plan(self, plan: dict[str, list[UUID]]) -> dict[str, tuple[str, ...]]:
        """Return the plan with ids as text."""
        if len(plan) > MAX_SCENARIOS:
            raise serializers.ValidationError(
                "This plan names too many scenarios.", code="too_many"
            )
        return {
            scenario[:40]: tuple(str(fighter) for fighter in fighters)
            for scenario, fighters in plan.items()
        }


class WhoseSerializer(ExactSerializer):
    """The warband of an order."""

    warband = serializers.UUIDField(required=False)


class GameSerializer(ExactSerializer):
    """A small game, by its scenario."""

    scenario = serializers.CharField(max_length=40)


class ClassicViewSet(Endpoint[Battle]):
    """A classic campaign: sealed orders, three games, the final."""

    queryset = Battle.objects.none()
    serializer_class = OrderSerializer
    pagination_class = None

    def _campaign(self, campaign_id: UUID) -> Campaign:
        return find(
            Campaign.objects.visible_to(self.asker).select_related("club"), campaign_id, "campaign"
        )

    def _page(self, campaign_id: UUID) -> Response:
        page = classic_page(self._campaign(campaign_id), self.asker)
        if page is None:
            raise InvalidInput(
                "not-classic",
                "Only a classic campaign has sealed orders and a final.",
                field="format",
            )
        return struct_response(page)

    @extend_schema(
        operation_id="campaigns_classic_retrieve",
        summary="Read a classic campaign",
        parameters=[CAMPAIGN],
        responses=ClassicPage,
        examples=[OpenApiExample("Classic campaign", CLASSIC, response_only=True)],
    )
    @action(detail=False, methods=["get"])
    def classic(self, request: Request, campaign_id: UUID) -> Response:
        """The state of each order, open plans, games, forces of the final, and the winner."""
        return self._page(campaign_id)

    @extend_schema(
        operation_id="campaigns_classic_games_create",
        summary="Plan a void small game again",
        parameters=[CAMPAIGN, LOG],
        request=GameSerializer,
        responses={201: OpenBattle},
        examples=[
            OpenApiExample("Game", {"scenario": "duel"}, request_only=True),
            OpenApiExample("Planned", BATTLE, response_only=True, status_codes=["201"]),
        ],
    )
    @action(detail=False, methods=["post"], url_path="classic/games")
    def games(self, request: Request, campaign_id: UUID) -> Response:
        """With the same forces and roles as the void game. For the club's players."""
        self._campaign(campaign_id)
        battle = plan_again(
            campaign_id=campaign_id, user=self.asker, **self.validated(GameSerializer, request)
        )
        return self.in_full(battle.pk, 201)

    @extend_schema(
        operation_id="campaigns_orders_retrieve",
        summary="Read your sealed order",
        parameters=[
            CAMPAIGN,
            OpenApiParameter(
                "warband",
                OpenApiTypes.UUID,
                description="A guest player's warband, if you sealed its order.",
            ),
        ],
        responses=SealedOrderView,
        examples=[OpenApiExample("Order", ORDER, response_only=True)],
    )
    @action(detail=False, methods=["get"])
    def orders(self, request: Request, campaign_id: UUID) -> Response:
        """The order that you sealed, and the limits of a small warband.

        You cannot read other orders.
        """
        query = WhoseSerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        return struct_response(
            own_order(self._campaign(campaign_id), self.asker, query.validated_data.get("warband"))
        )

    @extend_schema(
        operation_id="campaigns_orders_update",
        summary="Seal your order",
        parameters=[CAMPAIGN],
        request=OrderSerializer,
        responses=SealedOrderView,
        examples=[
            OpenApiExample("Plan", {"plan": PLAN}, request_only=True),
            OpenApiExample("Sealed", ORDER, response_only=True),
        ],
    )
    @orders.mapping.put
    def seal(self, request: Request, campaign_id: UUID) -> Response:
        """Replaces the order that you sealed before.

        When the last order is in, all are revealed together.
        """
        campaign = self._campaign(campaign_id)
        data = self.validated(OrderSerializer, request)
        order = seal_order(campaign_id=campaign_id, user=self.asker, **data)
        return struct_response(own_order(campaign, self.asker, order.enrolment.warband_id))

    @extend_schema(
        operation_id="campaigns_final_create",
        summary="Plan the final",
        parameters=[CAMPAIGN, LOG],
        request=None,
        responses={201: OpenBattle},
        examples=[OpenApiExample("Planned", BATTLE, response_only=True, status_codes=["201"])],
    )
    @action(detail=False, methods=["post"])
    def final(self, request: Request, campaign_id: UUID) -> Response:
        """Once all small games are confirmed. The line-ups are all available fighters."""
        self._campaign(campaign_id)
        battle = plan_final(campaign_id=campaign_id, user=self.asker)
        return self.in_full(battle.pk, 201)


def register(router: DefaultRouter) -> None:
    """Add the course of classic campaigns to the API."""
    router.register(rf"campaigns/(?P<campaign_id>{KEY})", ClassicViewSet, basename="classic")
