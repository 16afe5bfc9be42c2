"""`me/calendar/`: the secret address of the user's own calendar."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from clubs.models import CalendarLink
from clubs.services.evenings import make_calendar_link, revoke_calendar_link
from core.api.schema import no_content
from core.api.strict_input import ExactView
from core.secret_links import calendar_path

ADDRESS = OpenApiExample(
    "Address",
    {"link": "https://muster.example.org/calendar.ics?key=p4Zt…", "key": "p4Zt…"},
    response_only=True,
)


class CalendarLinkSerializer(serializers.Serializer[Any]):
    """The address and its key, which also opens the feeds of the user's clubs and campaigns.

    Both are empty before an address is created.
    """

    link = serializers.CharField()
    key = serializers.CharField()


class CalendarLinkView(ExactView, APIView):
    """The user's own calendar as a feed (iCalendar)."""

    @extend_schema(
        summary="Read your calendar's address", responses=CalendarLinkSerializer, examples=[ADDRESS]
    )
    def get(self, request: Request) -> Response:
        """Return the address. Its `?key=` also opens `clubs/{id}/calendar.ics` and
        `campaigns/{id}/calendar.ics`."""
        link = CalendarLink.objects.filter(user=request.user.pk).first()
        return self._shown(request, link.secret if link else "")

    @extend_schema(
        summary="Create your calendar's address",
        request=None,
        responses={201: CalendarLinkSerializer},
        examples=[ADDRESS],
    )
    def post(self, request: Request) -> Response:
        """Create a new address. The old one stops working."""
        return self._shown(request, make_calendar_link(user=request.user), 201)  # type: ignore[arg-type]

    @extend_schema(summary="Revoke your calendar's address", request=None, responses=no_content())
    def delete(self, request: Request) -> Response:
        """Revoke the address. It stops working."""
        revoke_calendar_link(user=request.user)  # type: ignore[arg-type]
        return Response(status=204)

    def _shown(self, request: Request, key: str, status: int = 200) -> Response:
        link = (
            request.build_absolute_uri(calendar_path(reverse("home:own-feed"), key)) if key else ""
        )
        return Response({"link": link, "key": key}, status=status)
