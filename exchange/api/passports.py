"""`passports/`, and the passports of `warbands/{id}/` and `fighters/{id}/`."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from msgspec import Struct
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.schema import path_key
from core.api.strict_input import ExactSerializer
from core.api.views import Endpoint, struct_response
from exchange.downloads import json_answer
from exchange.models import ReceivedPassport
from exchange.passports.file_format import MAX_BYTES
from exchange.selectors.passports import PassportReading, read_passport
from exchange.services.passports import issue_fighter, issue_warband, receive_passport, take_on
from warbands.models import Fighter, Warband

ENDING = ".passport.json"
FILE = {
    "passport": "eyJmb3JtYXQiOiJtdXN0ZXItcGFzc3BvcnQiLC…",
    "key": "3b6a27bc…",
    "signature": "92a009a9…",
}
READING: dict[str, Any] = {
    "id": "9f4c6a52-0f0e-4a55-8f50-3c2b1a0d9e88",
    "subject": "warband",
    "name": "The Reds",
    "warband": "The Reds",
    "ruleset": "our-rules",
    "ruleset_name": "Our Rules",
    "edition": "1",
    "faction": "reds",
    "origin": "https://york.example",
    "issued_at": "2030-01-31T20:00:00+00:00",
    "issued_by": "bob",
    "received_at": "2030-02-01T20:00:00Z",
    "signer": {
        "fingerprint": "1391 53b4 a07a 4f5b 0dd2 f2d3 0fa4 4fd0",
        "standing": "trusted",
        "name": "The Swords of York",
        "address": "https://york.example",
        "club": "The Old Guard",
    },
    "checks": [
        {
            "key": "chain",
            "holds": True,
            "sentence": "All 41 entries have valid seals…",
        }
    ],
    "fighters": [],
    "battles": [],
    "ledger": [],
    "stations": [],
    "entries": 41,
    "history": [],
    "may_take_on": True,
    "warband_here": None,
    "already_here": False,
    "known_here": None,
    "taken_on_at": None,
}
BROUGHT = {
    **{name: READING[name] for name in ("id", "name", "origin", "received_at")},
    "warband_here": None,
}


class PassportSerializer(ExactSerializer):
    """The text of a passport file."""

    passport = serializers.CharField(max_length=MAX_BYTES, help_text="The signed bytes in base64.")
    key = serializers.CharField(max_length=64, help_text="The public key: 64 hex digits.")
    signature = serializers.CharField(max_length=128, help_text="Ed25519, 128 hex digits.")


class ReceivedSummary(Struct, frozen=True):
    """A passport that you uploaded."""

    id: UUID
    name: str
    origin: str
    received_at: datetime
    warband_here: UUID | None


class AdoptedWarband(Struct, frozen=True):
    """The imported warband."""

    warband: UUID
    name: str


class PassportViewSet(Endpoint[ReceivedPassport]):
    """Uploaded passports."""

    queryset = ReceivedPassport.objects.none()

    def get_queryset(self) -> QuerySet[ReceivedPassport]:
        return ReceivedPassport.objects.visible_to(self.asker).select_related("warband")

    @extend_schema(
        summary="List your uploaded passports",
        responses=ReceivedSummary,
        examples=[OpenApiExample("Brought", BROUGHT, response_only=True)],
    )
    def list(self, request: Request) -> Response:
        """Those of the last week, and those of imported warbands."""
        mine = ReceivedPassport.objects.filter(user=self.asker).order_by("-received_at", "pk")
        shown = ("pk", "name", "origin", "received_at", "warband_id")
        return self.pages(
            mine.values_list(*shown), lambda rows: (ReceivedSummary(*row) for row in rows)
        )

    @extend_schema(
        summary="Upload a passport",
        request=PassportSerializer,
        responses={201: PassportReading},
        examples=[
            OpenApiExample("File", FILE, request_only=True),
            OpenApiExample("Read", READING, response_only=True, status_codes=["201"]),
        ],
    )
    def create(self, request: Request) -> Response:
        """Check a passport file and show its contents.

        It is kept for a week. A forged one is refused, with its first entry that is not valid.
        """
        content = msgspec.json.encode(self.validated(PassportSerializer, request))
        return struct_response(
            read_passport(receive_passport(content=content, user=self.asker), self.asker), 201
        )

    @extend_schema(
        summary="Read a passport",
        responses=PassportReading,
        examples=[OpenApiExample("Read", READING, response_only=True)],
    )
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """Your own, or the passport of an imported warband that you can see."""
        return struct_response(read_passport(self.get_object(), self.asker))

    @extend_schema(
        summary="Import a warband",
        request=None,
        responses={201: AdoptedWarband},
        examples=[
            OpenApiExample(
                "Imported",
                {"warband": "0a0f3a6b-64a7-4a0f-a8a5-a6a3b8b7a1c5", "name": "The Reds"},
                response_only=True,
                status_codes=["201"],
            )
        ],
    )
    @action(detail=True, methods=["post"], url_path="take-on")
    def take_on(self, request: Request, pk: UUID) -> Response:
        """You become the owner of the warband in the passport, with its whole history.

        It keeps its id.
        """
        self.get_object()
        warband = take_on(passport_id=pk, user=self.asker)
        return struct_response(AdoptedWarband(warband.pk, warband.name), 201)


class WarbandPassportViewSet(Endpoint[Warband]):
    """The passport of a warband."""

    queryset = Warband.objects.none()
    pagination_class = None
    filter_backends = []

    @extend_schema(
        summary="Download the passport of a warband",
        parameters=[path_key("warband_id", "warband")],
        responses={(200, "application/json"): OpenApiTypes.OBJECT},
        examples=[OpenApiExample("File", FILE, response_only=True)],
    )
    def list(self, request: Request, warband_id: UUID) -> HttpResponse:
        """The signed file of its whole history.

        For its owner, the player who runs it, and organisers of its campaign.
        """
        content = issue_warband(warband_id=warband_id, user=self.asker)
        return json_answer(
            content, Warband.objects.values_list("name", flat=True).get(pk=warband_id), ENDING
        )


class FighterPassportViewSet(Endpoint[Fighter]):
    """The passport of a fighter."""

    queryset = Fighter.objects.none()
    pagination_class = None
    filter_backends = []

    @extend_schema(
        summary="Download the passport of a fighter",
        parameters=[path_key("fighter_id", "fighter")],
        responses={(200, "application/json"): OpenApiTypes.OBJECT},
        examples=[OpenApiExample("File", FILE, response_only=True)],
    )
    def list(self, request: Request, fighter_id: UUID) -> HttpResponse:
        """The signed file of its own history, with only the seals of entries about others.

        For everyone who can get the passport of its warband.
        """
        content = issue_fighter(fighter_id=fighter_id, user=self.asker)
        return json_answer(
            content, Fighter.objects.values_list("name", flat=True).get(pk=fighter_id), ENDING
        )
