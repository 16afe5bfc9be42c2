"""`clubs/`: the user's own clubs and the public ones."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import django_filters
from django.db.models import OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    extend_schema_view,
)
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns.api.examples import CALENDAR
from campaigns.models import Campaign
from clubs.api.base import Endpoint, counted
from clubs.models import Club, Membership, Role
from clubs.services.clubs import ClubEdit, ClubFound, edit_club, found_club
from clubs.services.permissions import find
from core.api.inputs import serializer_class
from core.api.strict_input import ExactSerializer
from core.api.views import struct_response
from core.compiled_queries import CompiledQuery
from core.inputs import fields_of
from home.selectors.calendar import CalendarDays, club_calendar
from home.selectors.club import ClubHome, club_home

SETTINGS = tuple(fields_of(ClubEdit))
CLUB: dict[str, Any] = {
    "id": "3f0c2c7e-4c8e-4a39-9d53-0b1f6a1d2e11",
    **{name: getattr(Club(), name) for name in SETTINGS},
    "name": "The Old Guard",
    "story": "We meet on Tuesdays.",
    "time_zone": "Europe/London",
    "role": "organiser",
    "member_count": 6,
    "campaign_count": 2,
    "created_at": "2030-01-31T20:00:00Z",
}


class PlainDateField(serializers.DateField):
    """A day from 2000 to 2200."""

    def to_internal_value(self, value: Any) -> Any:
        day = super().to_internal_value(value)
        if not 2000 <= day.year <= 2200:
            self.fail("invalid", format="YYYY-MM-DD, from 2000 to 2200")
        return day


class ClubSerializer(serializers.ModelSerializer[Club]):
    """A club. `role` is the user's role in it, or empty for others."""

    role = serializers.ChoiceField(Role.choices, read_only=True, allow_blank=True)
    member_count = serializers.IntegerField(read_only=True)
    campaign_count = serializers.IntegerField(
        read_only=True, help_text="Campaigns that you can see in lists."
    )

    class Meta:
        model = Club
        fields = [
            "id",
            *SETTINGS,
            "role",
            "member_count",
            "campaign_count",
            "created_at",
        ]
        read_only_fields = fields


ClubEditSerializer = serializer_class(ClubEdit)
ClubFoundSerializer = serializer_class(ClubFound)


class DaysSerializer(ExactSerializer):
    """A range of days."""

    since = PlainDateField(required=False)
    until = PlainDateField(required=False)


class ClubFilter(django_filters.FilterSet):
    """A filter of clubs."""

    name = django_filters.CharFilter(lookup_expr="icontains", label="Part of the name")
    role = django_filters.ChoiceFilter(choices=Role.choices, label="Your role")
    ordering = django_filters.OrderingFilter(fields=["name", "created_at"])

    class Meta:
        model = Club
        fields = ["name", "role", "visibility"]


def _annotated(clubs: QuerySet[Club], user: Any) -> QuerySet[Club]:
    """Annotate clubs with what the serializer shows besides their columns."""
    mine = Membership.objects.filter(club=OuterRef("pk"), user=user.pk, user__isnull=False)
    return clubs.annotate(
        role=Coalesce(Subquery(mine.values("role")), Value("")),
        member_count=counted(Membership.objects.present(), "club"),
        campaign_count=counted(Campaign.objects.listed_for(user), "club"),
    )


IN_FULL: CompiledQuery[Club] = CompiledQuery(
    lambda key, user: _annotated(Club.objects.visible_to(user).filter(pk=key).order_by(), user)
)


@extend_schema_view(
    list=extend_schema(summary="List clubs"),
    retrieve=extend_schema(
        summary="Read a club", examples=[OpenApiExample("Club", CLUB, response_only=True)]
    ),
)
class ClubViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, Endpoint[Club]):
    """Clubs: your own, and the public ones."""

    in_full = IN_FULL
    serializer_class = ClubSerializer
    filterset_class = ClubFilter

    def get_queryset(self) -> QuerySet[Club]:
        clubs = (
            Club.objects.listed_for(self.asker)
            if self.action == "list"
            else Club.objects.visible_to(self.asker)
        )
        return _annotated(clubs, self.asker)

    @extend_schema(
        summary="Create a club",
        request=ClubFoundSerializer,
        responses={201: ClubSerializer},
        examples=[
            OpenApiExample(
                "Create", {"name": "The Old Guard", "member_name": "Alice"}, request_only=True
            ),
            OpenApiExample("Created", CLUB, response_only=True, status_codes=["201"]),
        ],
    )
    def create(self, request: Request) -> Response:
        """Create a club. You are its organiser."""
        club = found_club(user=self.asker, **self.validated(ClubFoundSerializer, request))
        return self.answer(club.pk, 201)

    @extend_schema(
        summary="Edit a club",
        request=ClubEditSerializer,
        responses=ClubSerializer,
        examples=[
            OpenApiExample("Make public", {"visibility": "public"}, request_only=True),
            OpenApiExample(
                "Every player runs battles", {"battles_run_by": "every-player"}, request_only=True
            ),
            OpenApiExample("Changed", CLUB | {"visibility": "public"}, response_only=True),
        ],
    )
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """Change the fields that are sent. Only for organisers."""
        edit_club(
            club_id=pk, user=self.asker, **self.validated(ClubEditSerializer, request, partial=True)
        )
        return self.answer(pk)

    @extend_schema(summary="Read a club's home", responses=ClubHome)
    @action(detail=True, methods=["get"])
    def home(self, request: Request, pk: UUID) -> Response:
        """Return the next club nights, latest results and all-time records; for organisers also
        the open tasks by member."""
        return struct_response(
            club_home(find(Club.objects.visible_to(self.asker), pk, "club"), self.asker)
        )

    @extend_schema(
        summary="Read a club's calendar",
        parameters=[
            OpenApiParameter(
                "since", OpenApiTypes.DATE, description="The first day (default: today)"
            ),
            OpenApiParameter(
                "until",
                OpenApiTypes.DATE,
                description="The last day (default: 30 days after the first)",
            ),
        ],
        responses=CalendarDays,
        examples=[OpenApiExample("Calendar", CALENDAR, response_only=True)],
    )
    @action(detail=True, methods=["get"])
    def calendar(self, request: Request, pk: UUID) -> Response:
        """Return club nights and battles of these days by date, up to 500 of each kind."""
        club = find(Club.objects.visible_to(self.asker), pk, "club")
        serializer = DaysSerializer(data=request.query_params)
        serializer.is_valid(raise_exception=True)
        since = (
            serializer.validated_data.get("since") or timezone.now().astimezone(club.zone).date()
        )
        until = serializer.validated_data.get("until") or since + timedelta(days=30)
        return struct_response(
            CalendarDays(since, until, club_calendar(club, self.asker, since, until))
        )
