"""`clubs/{id}/audit/`: the activity log of a club, for its organisers."""

from typing import Any
from uuid import UUID

import django_filters
from django import forms
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audit.models import AuditEntry
from audit.verbs import KINDS, Verb
from clubs.api.base import Endpoint
from clubs.services.permissions import expect_organiser
from core.api.schema import path_key
from core.api.views import period_filters
from home.selectors.audit_log import AuditLine, about, audit_history, of_kind

LINE: dict[str, Any] = {
    "id": 4711,
    "at": "2030-01-31T21:30:00Z",
    "verb": "battle.voided",
    "kind": "battle",
    "sentence": "Alice voided the battle The Old Mill",
    "pieces": [
        {"text": "Alice", "part": "who", "url": ""},
        {"text": " voided the battle ", "part": "", "url": ""},
        {
            "text": "The Old Mill",
            "part": "what",
            "url": "/battles/c2b7f3d4-7f1b-4d8f-9b0a-2f4f6d8e1a33/",
        },
    ],
    "facts": ["Reason: Both had forgotten the rain."],
    "actor": 7,
    "who": "Alice",
    "subject": {
        "kind": "battle",
        "id": "c2b7f3d4-7f1b-4d8f-9b0a-2f4f6d8e1a33",
        "name": "The Old Mill",
    },
    "url": "/battles/c2b7f3d4-7f1b-4d8f-9b0a-2f4f6d8e1a33/",
    "campaign": "6a1e0d0c-5b7e-4f0a-8f43-6a2b7d9c1e55",
    "campaign_name": "The Long Summer",
    "details": {"reason": "Both had forgotten the rain."},
    "face": "page",
    "face_name": "a page",
    "request": "3b1f6e0d4b7f4a3b9d0a6c5e8f7a1b2c",
    "battle": "The Black Band v. The Guards, 31 January 2030",
    "archive": None,
}


class AccountFilter(django_filters.NumberFilter):
    """The id of an account."""

    field_class = forms.IntegerField


class AuditFilter(django_filters.FilterSet):
    """A filter of acts."""

    actor = AccountFilter(
        min_value=1, max_value=2**31 - 1, label="The id of the account that acted"
    )
    kind = django_filters.ChoiceFilter(
        choices=[(each, each) for each in KINDS], label="The kind of act", method="of"
    )
    verb = django_filters.ChoiceFilter(
        choices=[(each, each) for each in Verb.values], label="The act"
    )
    campaign = django_filters.UUIDFilter(label="The campaign of the act")
    since, until = period_filters("at")
    name = django_filters.CharFilter(
        label="Part of the name of the subject", max_length=100, method="called"
    )

    class Meta:
        model = AuditEntry
        fields: list[str] = []

    def of(self, entries: QuerySet[AuditEntry], name: str, kind: str) -> QuerySet[AuditEntry]:
        """Return acts of a kind."""
        return of_kind(entries, kind)

    def called(self, entries: QuerySet[AuditEntry], name: str, text: str) -> QuerySet[AuditEntry]:
        """Return acts whose subject has this text in its name."""
        return about(entries, text)


class NoBody(serializers.Serializer[Any]):
    """An empty body."""


class ClubAuditViewSet(Endpoint[AuditEntry]):
    """The activity log of a club."""

    queryset = AuditEntry.objects.none()
    filterset_class = AuditFilter
    serializer_class = NoBody

    @extend_schema(
        summary="Read a club's activity log",
        parameters=[path_key("club_id", "club")],
        responses=AuditLine,
        examples=[OpenApiExample("Acts", LINE, response_only=True)],
    )
    def list(self, request: Request, club_id: UUID) -> Response:
        """Return what members did, newest first. Entries are never deleted. Only for organisers."""
        club = self.club()
        expect_organiser(club.pk, self.asker)
        history = audit_history(club, self.asker)
        return self.pages(self.filter_queryset(history.entries), history.read)
