"""`warbands/{id}/hand-over/` and `hand-overs/{id}/`: warbands that change hands."""

from typing import Any
from uuid import UUID

import django_filters
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns.api.base import Endpoint
from campaigns.api.examples import CAMPAIGN
from campaigns.models import HandOver, HandOverState
from campaigns.services.hand_overs import (
    ToPlayer,
    accept_hand_over,
    decline_hand_over,
    hand_over_warband,
    withdraw_hand_over,
)
from clubs.services.permissions import find
from core.api.inputs import serializer_class
from core.api.schema import no_content, path_key
from warbands.models import Warband

OFFER: dict[str, Any] = {
    "id": "2f4c9f0a-51b3-4e0c-9a75-8f6f2b9b7d13",
    "warband": "9d1c7a52-6f0e-4f0b-8d25-1c8f9f0c7d21",
    "warband_name": "The Cardinal's Men",
    "campaign": None,
    "giver_name": "Alice",
    "receiver_name": "Bob",
    "state": "offered",
    "made_at": "2030-01-31T20:00:00Z",
    "settled_at": None,
    "awaits_you": False,
}
DONE = OFFER | {"state": "done", "campaign": CAMPAIGN["id"], "settled_at": "2030-01-31T20:00:00Z"}


class HandOverSerializer(serializers.ModelSerializer[HandOver]):
    """A warband that is offered or has been transferred to another player."""

    warband_name = serializers.CharField(source="warband.name")
    giver_name = serializers.CharField(
        help_text="The player who had it before; empty for a guest player."
    )
    receiver_name = serializers.CharField()
    awaits_you = serializers.SerializerMethodField(
        help_text="True if it is offered to you. Accept or decline it."
    )

    class Meta:
        model = HandOver
        fields = [
            "id",
            "warband",
            "warband_name",
            "campaign",
            "giver_name",
            "receiver_name",
            "state",
            "made_at",
            "settled_at",
            "awaits_you",
        ]
        read_only_fields = fields

    def get_awaits_you(self, row: HandOver) -> bool:
        """Return whether the user must answer the offer."""
        is_receiver = (
            row.receiver_id is not None and row.receiver_id == self.context["request"].user.pk
        )
        return is_receiver and row.state == HandOverState.OFFERED


ToPlayerSerializer = serializer_class(ToPlayer)


class HandOverFilter(django_filters.FilterSet):
    """Filter of transfers."""

    state = django_filters.ChoiceFilter(
        choices=HandOverState.choices, label=("State of the transfer")
    )

    class Meta:
        model = HandOver
        fields = ["state"]


class HandOverEndpoint(Endpoint[HandOver]):
    """Base of the endpoints of transfers."""

    serializer_class = HandOverSerializer
    filterset_class = HandOverFilter

    def get_queryset(self) -> QuerySet[HandOver]:
        rows = (
            HandOver.objects.none()
            if self.drawing_schema
            else HandOver.objects.visible_to(self.asker)
        )
        return rows.select_related("warband", "giver", "receiver", "giver_seat", "receiver_seat")


@extend_schema_view(
    list=extend_schema(
        summary="List the transfers of a warband",
        parameters=[path_key("warband_id", "warband")],
        examples=[OpenApiExample("Hand-over", DONE, response_only=True)],
    )
)
class WarbandHandOverViewSet(mixins.ListModelMixin, HandOverEndpoint):
    """The transfers of a warband, newest first."""

    def get_queryset(self) -> QuerySet[HandOver]:
        rows = super().get_queryset()
        if self.drawing_schema or self.action != "list":
            return rows
        return rows.filter(
            warband=find(
                Warband.objects.visible_to(self.asker), self.kwargs["warband_id"], "warband"
            )
        )

    @extend_schema(
        summary="Transfer a warband to another player",
        request=ToPlayerSerializer,
        parameters=[path_key("warband_id", "warband")],
        responses={200: HandOverSerializer, 202: HandOverSerializer},
        examples=[
            OpenApiExample("To Bob", {"player": "bob"}, request_only=True),
            OpenApiExample("Done", DONE, response_only=True, status_codes=["200"]),
            OpenApiExample("Offered", OFFER, response_only=True, status_codes=["202"]),
        ],
    )
    def create(self, request: Request, warband_id: UUID) -> Response:
        """Transfer a warband.

        Its owner offers it to the new player, who must accept it (202); a new offer replaces an
        open one. Organisers of its campaign, and the keeper of a guest's warband, transfer it at
        once (200).
        """
        row = hand_over_warband(
            warband_id=warband_id, user=self.asker, **self.validated(ToPlayerSerializer, request)
        )
        return self.answer(row.pk, 202 if row.state == HandOverState.OFFERED else 200)


@extend_schema_view(
    list=extend_schema(summary="List transfers of your warbands, and to you"),
    retrieve=extend_schema(
        summary="Read a transfer",
        examples=[OpenApiExample("Hand-over", OFFER, response_only=True)],
    ),
)
class HandOverViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, HandOverEndpoint):
    """Offers of warbands to another player, and completed transfers, newest first."""

    @extend_schema(
        summary="Accept a warband",
        request=None,
        responses=HandOverSerializer,
        examples=[OpenApiExample("Accepted", DONE, response_only=True)],
    )
    @action(detail=True, methods=["post"], filter_backends=[])
    def accept(self, request: Request, pk: UUID) -> Response:
        """Accept the offer and own the warband from now on.

        For the player who received the offer.
        """
        return self.answer(accept_hand_over(hand_over_id=pk, user=self.asker).pk)

    @extend_schema(
        summary="Decline a warband",
        request=None,
        responses=HandOverSerializer,
        examples=[OpenApiExample("Declined", OFFER | {"state": "declined"}, response_only=True)],
    )
    @action(detail=True, methods=["post"], filter_backends=[])
    def decline(self, request: Request, pk: UUID) -> Response:
        """Decline the offer. For the player who received it. The warband stays with its owner."""
        return self.answer(decline_hand_over(hand_over_id=pk, user=self.asker).pk)

    @extend_schema(summary="Withdraw an offer", request=None, responses=no_content())
    def destroy(self, request: Request, pk: UUID) -> Response:
        """Withdraw the offer before it is answered. For the warband's owner."""
        withdraw_hand_over(hand_over_id=pk, user=self.asker)
        return Response(status=204)
