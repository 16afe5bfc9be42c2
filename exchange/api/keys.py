"""`keys/`, `clubs/{id}/keys/`: the key of this site, and the trusted keys of other sites."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from msgspec import Struct
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.models import Club
from clubs.services.permissions import find
from core.api.inputs import serializer_class
from core.api.schema import no_content, path_key
from core.api.views import Endpoint, struct_response
from exchange.models import TrustedKey
from exchange.selectors.keys import KeyRow, key_row
from exchange.services.trust import Trust, trust_key, withdraw_trust
from exchange.signing import public_key

PUBLIC = "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29"
OWN: dict[str, Any] = {
    "public": PUBLIC,
    "fingerprint": "1391 53b4 a07a 4f5b 0dd2 f2d3 0fa4 4fd0",
    "address": "https://muster.example",
}
TRUSTED: dict[str, Any] = {
    "id": "5d9b0b7e-6f3c-4a1e-9b7f-0a4f5c6d7e81",
    "name": "The Swords of York",
    "address": "https://york.example",
    "fingerprint": OWN["fingerprint"],
    "public": PUBLIC,
    "club": "3f0c2c7e-4c8e-4a39-9d53-0b1f6a1d2e11",
    "club_name": "The Old Guard",
    "trusted_by": "alice",
    "trusted_at": "2030-01-31T20:00:00Z",
    "withdrawn_at": None,
}


class OwnKey(Struct, frozen=True):
    """The public key of this site:

    64 hex digits, its fingerprint in groups, and the web address.
    """

    public: str
    fingerprint: str
    address: str


TrustSerializer = serializer_class(Trust)
TRUST = OpenApiExample(
    "Trust",
    {"public": PUBLIC, "name": TRUSTED["name"], "address": TRUSTED["address"]},
    request_only=True,
)


class KeyViewSet(Endpoint[TrustedKey]):
    """Keys that the whole site trusts, and its own."""

    queryset = TrustedKey.objects.none()

    def get_queryset(self) -> QuerySet[TrustedKey]:
        return _rows(TrustedKey.objects.visible_to(self.asker).filter(club__isnull=True))

    @extend_schema(
        summary="List the keys that all clubs here trust",
        responses=KeyRow,
        examples=[
            OpenApiExample("Trusted", TRUSTED | {"club": None, "club_name": ""}, response_only=True)
        ],
    )
    def list(self, request: Request) -> Response:
        """Includes keys that are no longer trusted, with the time of withdrawal."""
        return self.pages(self.get_queryset(), lambda rows: map(key_row, rows))

    @extend_schema(
        summary="Trust a key for all clubs here",
        request=TrustSerializer,
        responses={201: KeyRow},
        examples=[
            TRUST,
            OpenApiExample(
                "Trusted",
                TRUSTED | {"club": None, "club_name": ""},
                response_only=True,
                status_codes=["201"],
            ),
        ],
    )
    def create(self, request: Request) -> Response:
        """For the staff of this site."""
        return struct_response(
            key_row(trust_key(user=self.asker, **self.validated(TrustSerializer, request))), 201
        )

    @extend_schema(summary="Withdraw trust from a key", request=None, responses=no_content())
    def destroy(self, request: Request, pk: UUID) -> Response:
        """For organisers of the club that trusts it, or for staff. Imported data stays."""
        withdraw_trust(user=self.asker, key_id=pk)
        return Response(status=204)

    @extend_schema(
        summary="Read the key of this site",
        responses=OwnKey,
        examples=[OpenApiExample("Own", OWN, response_only=True)],
    )
    @action(detail=False, methods=["get"], pagination_class=None)
    def own(self, request: Request) -> Response:
        """Others need it to check passports and archives of this site."""
        key = public_key()
        return struct_response(OwnKey(key.public, key.groups, settings.SITE_URL))


class ClubKeyViewSet(Endpoint[TrustedKey]):
    """Keys that a club trusts."""

    queryset = TrustedKey.objects.none()

    @extend_schema(
        summary="List the keys that a club trusts",
        parameters=[path_key("club_id", "club")],
        responses=KeyRow,
        examples=[OpenApiExample("Trusted", TRUSTED, response_only=True)],
    )
    def list(self, request: Request, club_id: UUID) -> Response:
        """Includes keys that are no longer trusted, with the time of withdrawal."""
        club = find(Club.objects.visible_to(self.asker), club_id, "club")
        return self.pages(
            _rows(TrustedKey.objects.filter(club=club)), lambda rows: map(key_row, rows)
        )

    @extend_schema(
        summary="Trust a key for a club",
        parameters=[path_key("club_id", "club")],
        request=TrustSerializer,
        responses={201: KeyRow},
        examples=[
            TRUST,
            OpenApiExample("Trusted", TRUSTED, response_only=True, status_codes=["201"]),
        ],
    )
    def create(self, request: Request, club_id: UUID) -> Response:
        """For organisers of the club.

        Its members can then import warbands whose passports this key has signed.
        """
        data = self.validated(TrustSerializer, request)
        return struct_response(key_row(trust_key(user=self.asker, club=club_id, **data)), 201)


def _rows(rows: QuerySet[TrustedKey]) -> QuerySet[TrustedKey]:
    return rows.select_related("club", "trusted_by").order_by("name", "pk")
