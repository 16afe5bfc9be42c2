"""`campaigns/{id}/enrolments/` and `enrolments/{id}/`: warbands in a campaign."""

from typing import Any
from uuid import UUID

import django_filters
from django.db.models import QuerySet
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    extend_schema_view,
)
from rest_framework import mixins, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns.api.base import Endpoint
from campaigns.api.examples import CAMPAIGN
from campaigns.api.serializers import RosterProblemSerializer
from campaigns.models import Enrolment, HandOverState
from campaigns.services.enrolments import (
    Enrol,
    NamePlayer,
    check_enrolment,
    enrol_warband,
    withdraw_warband,
)
from campaigns.services.hand_overs import name_player
from core.api.inputs import serializer_class
from core.api.schema import no_content, path_key
from core.api.strict_input import ExactSerializer

ENROLMENT: dict[str, Any] = {
    "id": "7e7a5b0c-0b8e-4d92-8d7f-3f1d2a6c4b55",
    "campaign": CAMPAIGN["id"],
    "warband": "9d1c7a52-6f0e-4f0b-8d25-1c8f9f0c7d21",
    "warband_name": "The Cardinal's Men",
    "faction": "cardinals-guard",
    "points": 298,
    "experience": 12,
    "player": "b8bf0f5c-8f4c-4f0e-8c3c-8d9d2d6b0a77",
    "player_name": "Bob",
    "colour": "#7a2e2e",
    "enrolled_at": "2030-01-31T20:00:00Z",
    "left_at": None,
    "overruled": "",
}
PROBLEMS: dict[str, Any] = {
    "problems": [
        {
            "code": "over-points",
            "sentence": "312 points, of 300 agreed.",
            "severity": "forbids",
            "fighters": [],
            "field": "",
            "value": "312",
            "source": "",
        }
    ]
}


class EnrolmentSerializer(serializers.ModelSerializer[Enrolment]):
    """A warband in a campaign.

    `overruled` is an organiser's reason for allowing a roster that the rules forbid.
    """

    warband_name = serializers.CharField(source="warband.name")
    faction = serializers.CharField(source="warband.faction")
    points = serializers.IntegerField(
        source="warband.points", help_text="Points of the roster now."
    )
    experience = serializers.IntegerField(
        source="warband.experience", help_text="Earned by all its fighters."
    )
    player_name = serializers.CharField(source="player.name")

    class Meta:
        model = Enrolment
        fields = [
            "id",
            "campaign",
            "warband",
            "warband_name",
            "faction",
            "points",
            "experience",
            "player",
            "player_name",
            "colour",
            "enrolled_at",
            "left_at",
            "overruled",
        ]
        read_only_fields = fields


class TryEnrollingSerializer(ExactSerializer):
    """The choice of a dry run."""

    dry_run = serializers.BooleanField(
        default=False, help_text="Return the problems of the roster, and change nothing."
    )


EnrolSerializer = serializer_class(Enrol, TryEnrollingSerializer)
NamePlayerSerializer = serializer_class(NamePlayer)


class RosterCheckSerializer(serializers.Serializer[Any]):
    """The problems of a roster for a campaign; an empty list means that it is legal."""

    problems = RosterProblemSerializer(many=True)


class EnrolmentFilter(django_filters.FilterSet):
    """Filter of warbands in campaigns."""

    current = django_filters.BooleanFilter(
        field_name="left_at", lookup_expr="isnull", label="Still in the campaign"
    )
    player = django_filters.UUIDFilter(field_name="player", label="The member who plays it")
    ordering = django_filters.OrderingFilter(
        fields={
            "enrolled_at": "enrolled_at",
            "warband__name": "name",
            "warband__points": "points",
            "warband__experience": "experience",
        }
    )

    class Meta:
        model = Enrolment
        fields = ["player"]


@extend_schema_view(
    list=extend_schema(
        summary="List a campaign's warbands", parameters=[path_key("campaign_id", "campaign")]
    ),
    create=extend_schema(parameters=[path_key("campaign_id", "campaign")]),
)
class CampaignEnrolmentViewSet(mixins.ListModelMixin, Endpoint[Enrolment]):
    """The warbands of a campaign, including those that have left."""

    serializer_class = EnrolmentSerializer
    filterset_class = EnrolmentFilter

    def get_queryset(self) -> QuerySet[Enrolment]:
        if self.drawing_schema:
            return Enrolment.objects.none()
        return self.campaign().enrolments.select_related("warband", "player")

    @extend_schema(
        summary="Enter a warband, or check its roster",
        request=EnrolSerializer,
        responses={201: EnrolmentSerializer, 200: RosterCheckSerializer},
        examples=[
            OpenApiExample("Enrol", {"warband": ENROLMENT["warband"]}, request_only=True),
            OpenApiExample(
                "Dry run", {"warband": ENROLMENT["warband"], "dry_run": True}, request_only=True
            ),
            OpenApiExample("Enrolled", ENROLMENT, response_only=True, status_codes=["201"]),
            OpenApiExample("Checked", PROBLEMS, response_only=True, status_codes=["200"]),
        ],
    )
    def create(self, request: Request, campaign_id: UUID) -> Response:
        """Enter a warband into the campaign.

        For its owner and organisers. From now on only battles, rank-ups and new recruits change its
        roster.
        """
        data = self.validated(EnrolSerializer, request)
        if data.pop("dry_run"):
            problems = check_enrolment(
                campaign_id=campaign_id, warband_id=data["warband_id"], user=self.asker
            )
            return Response(RosterCheckSerializer({"problems": problems}).data)
        enrolment = enrol_warband(campaign_id=campaign_id, user=self.asker, **data)
        return self.answer(enrolment.pk, 201)


@extend_schema_view(
    retrieve=extend_schema(
        summary="Read a warband's place in a campaign",
        examples=[OpenApiExample("Enrolment", ENROLMENT, response_only=True)],
    )
)
class EnrolmentViewSet(mixins.RetrieveModelMixin, Endpoint[Enrolment]):
    """A warband in a campaign."""

    serializer_class = EnrolmentSerializer

    def get_queryset(self) -> QuerySet[Enrolment]:
        return Enrolment.objects.visible_to(self.asker).select_related("warband", "player")

    @extend_schema(
        summary="Choose another player for a warband",
        request=NamePlayerSerializer,
        responses={200: EnrolmentSerializer, 202: EnrolmentSerializer},
        examples=[
            OpenApiExample("Name Bob", {"player": ENROLMENT["player"]}, request_only=True),
            OpenApiExample("Done", ENROLMENT, response_only=True, status_codes=["200"]),
        ],
    )
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """Choose another player.

        For organisers it takes effect at once (200). An owner offers the warband to the player, who
        must accept it (202). The player then owns the warband, unless it was lent.
        """
        row = name_player(
            enrolment_id=pk, user=self.asker, **self.validated(NamePlayerSerializer, request)
        )
        return self.answer(pk, 202 if row.state == HandOverState.OFFERED else 200)

    @extend_schema(
        summary="Withdraw a warband",
        request=None,
        parameters=[
            OpenApiParameter("reason", str, description="Appears in the warband's history.")
        ],
        responses=no_content(),
    )
    def destroy(self, request: Request, pk: UUID) -> Response:
        """Withdraw a warband from the campaign.

        For its owner and organisers. Its battles still count, and it can enter another campaign.
        """
        withdraw_warband(
            enrolment_id=pk, user=self.asker, reason=request.query_params.get("reason", "")
        )
        return Response(status=204)
