"""`campaigns/{id}/log/`: what happened, newest first."""

from typing import Any
from uuid import UUID

import django_filters
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns.api.base import Endpoint
from campaigns.summaries.log import log_entries, log_lines
from core.api.schema import path_key
from warbands.models import ChronicleEntry
from warbands.phrases import KINDS

LINE: dict[str, Any] = {
    "id": 4711,
    "at": "2030-01-31T21:30:00Z",
    "kind": "fought",
    "warband": "9d1c7a52-6f0e-4f0b-8d25-1c8f9f0c7d21",
    "warband_name": "The Cardinal's Men",
    "colour": "#7a2e2e",
    "who": "Bob",
    "phrase": "won The Old Mill, 5 to 2",
    "battle": "c2b7f3d4-7f1b-4d8f-9b0a-2f4f6d8e1a33",
    "fighter": None,
}


class LogLineSerializer(serializers.Serializer[Any]):
    """A line of the log: `phrase` has the warband as its subject, `who` recorded it."""

    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    kind = serializers.CharField()
    warband = serializers.UUIDField()
    warband_name = serializers.CharField()
    colour = serializers.CharField()
    who = serializers.CharField()
    phrase = serializers.CharField()
    battle = serializers.UUIDField(allow_null=True)
    fighter = serializers.UUIDField(allow_null=True)


class LogFilter(django_filters.FilterSet):
    """Which lines."""

    kind = django_filters.MultipleChoiceFilter(choices=list(KINDS.items()), label="Kinds of fact")
    since = django_filters.IsoDateTimeFilter(field_name="recorded_at", lookup_expr="gte")
    until = django_filters.IsoDateTimeFilter(field_name="recorded_at", lookup_expr="lte")
    battle = django_filters.UUIDFilter(field_name="subject")
    warband = django_filters.UUIDFilter(field_name="warband")

    class Meta:
        model = ChronicleEntry
        fields = ["warband", "kind"]


class LogViewSet(Endpoint[ChronicleEntry]):
    """The log of a campaign."""

    serializer_class = LogLineSerializer
    filterset_class = LogFilter

    def get_queryset(self) -> QuerySet[ChronicleEntry]:
        return ChronicleEntry.objects.none() if self.drawing_schema else log_entries(self.campaign())

    @extend_schema(
        summary="Read a campaign's log",
        parameters=[path_key("campaign_id", "campaign")],
        responses=LogLineSerializer(many=True),
        examples=[OpenApiExample("Line", LINE, response_only=True)],
    )
    def list(self, request: Request, campaign_id: UUID) -> Response:
        """What the warbands did in the campaign, and who wrote it down."""
        campaign = self.campaign()
        page = self.paginate_queryset(self.filter_queryset(log_entries(campaign)))
        return self.get_paginated_response(LogLineSerializer(log_lines(campaign, page or []), many=True).data)
