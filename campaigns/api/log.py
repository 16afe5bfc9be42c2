"""`campaigns/{id}/log/`, `campaigns/{id}/journal/` and `journal/{id}/`: what happened, and what
members write."""

from typing import Any
from uuid import UUID

import django_filters
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework import mixins, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns.api.base import Endpoint
from campaigns.api.examples import CAMPAIGN
from campaigns.models import JournalEntry
from campaigns.selectors.log import log_entries, log_lines
from campaigns.services.journal import EntryEdit, NewEntry, edit_entry, remove_entry, write_entry
from core.api.inputs import serializer_class
from core.api.schema import no_content, path_key
from core.api.views import period_filters
from warbands.fact_sentences import KINDS
from warbands.models import ChronicleEntry

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
    """A line of the log: `phrase` continues the warband's name, `who` recorded it."""

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
    """Filter of lines."""

    kind = django_filters.MultipleChoiceFilter(choices=list(KINDS.items()), label="Kinds of fact")
    since, until = period_filters("recorded_at")
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
        return (
            ChronicleEntry.objects.none() if self.drawing_schema else log_entries(self.campaign())
        )

    @extend_schema(
        summary="Read a campaign's log",
        parameters=[path_key("campaign_id", "campaign")],
        responses=LogLineSerializer(many=True),
        examples=[OpenApiExample("Line", LINE, response_only=True)],
    )
    def list(self, request: Request, campaign_id: UUID) -> Response:
        """Return what the warbands did in the campaign, and who recorded it."""
        campaign = self.campaign()
        page = self.paginate_queryset(self.filter_queryset(log_entries(campaign)))
        return self.get_paginated_response(
            LogLineSerializer(log_lines(campaign, page or []), many=True).data
        )


ENTRY: dict[str, Any] = {
    "id": "0d6f2b1e-7a44-4c7d-9d0e-5b3f1c8e2a66",
    "campaign": CAMPAIGN["id"],
    "author": "b8bf0f5c-8f4c-4f0e-8c3c-8d9d2d6b0a77",
    "author_name": "Bob",
    "text": "Nobody talks about the mill.",
    "on": "2030-01-31",
    "written_at": "2030-01-31T22:10:00Z",
    "edited_at": None,
    "removed_at": None,
    "version": 1,
}


class EntrySerializer(serializers.ModelSerializer[JournalEntry]):
    """An entry: text of any number of lines; empty once it is removed."""

    author_name = serializers.CharField(source="author.name")

    class Meta:
        model = JournalEntry
        fields = [
            "id",
            "campaign",
            "author",
            "author_name",
            "text",
            "on",
            "written_at",
            "edited_at",
            "removed_at",
            "version",
        ]
        read_only_fields = fields


WriteSerializer = serializer_class(NewEntry, name="WriteSerializer")
ChangeEntrySerializer = serializer_class(EntryEdit, name="ChangeEntrySerializer")


@extend_schema_view(
    list=extend_schema(
        summary="List a campaign's journal", parameters=[path_key("campaign_id", "campaign")]
    ),
    create=extend_schema(parameters=[path_key("campaign_id", "campaign")]),
)
class CampaignJournalViewSet(mixins.ListModelMixin, Endpoint[JournalEntry]):
    """The journal of a campaign, newest first."""

    serializer_class = EntrySerializer

    def get_queryset(self) -> QuerySet[JournalEntry]:
        if self.drawing_schema:
            return JournalEntry.objects.none()
        return self.campaign().journal.select_related("author")

    @extend_schema(
        summary="Write in the journal",
        request=WriteSerializer,
        responses={201: EntrySerializer},
        examples=[
            OpenApiExample("Write", {"text": ENTRY["text"], "on": ENTRY["on"]}, request_only=True),
            OpenApiExample("Written", ENTRY, response_only=True, status_codes=["201"]),
        ],
    )
    def create(self, request: Request, campaign_id: UUID) -> Response:
        """Write an entry. For players and organisers of the club."""
        entry = write_entry(
            campaign_id=campaign_id, user=self.asker, **self.validated(WriteSerializer, request)
        )
        return self.answer(entry.pk, 201)


@extend_schema_view(
    retrieve=extend_schema(
        summary="Read an entry", examples=[OpenApiExample("Entry", ENTRY, response_only=True)]
    )
)
class JournalViewSet(mixins.RetrieveModelMixin, Endpoint[JournalEntry]):
    """An entry of a journal."""

    serializer_class = EntrySerializer

    def get_queryset(self) -> QuerySet[JournalEntry]:
        return JournalEntry.objects.visible_to(self.asker).select_related("author")

    @extend_schema(
        summary="Edit journal entry",
        request=ChangeEntrySerializer,
        responses=EntrySerializer,
        examples=[
            OpenApiExample(
                "Change",
                {"version": 1, "text": "Everybody talks about the mill."},
                request_only=True,
            ),
            OpenApiExample("Changed", ENTRY | {"version": 2}, response_only=True),
        ],
    )
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """Change an entry. For its author and organisers."""
        edit_entry(entry_id=pk, user=self.asker, **self.validated(ChangeEntrySerializer, request))
        return self.answer(pk)

    @extend_schema(summary="Remove an entry", request=None, responses=no_content())
    def destroy(self, request: Request, pk: UUID) -> Response:
        """Remove an entry.

        For its author and organisers. The journal shows that there was an entry, without its text.
        """
        remove_entry(entry_id=pk, user=self.asker)
        return Response(status=204)
