"""The inbox through the API: the cards of the first page."""

from typing import Any, cast

import msgspec
from django.contrib.auth.models import User
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.schema import no_content
from inbox.services.preferences import dismiss
from inbox.summaries.cards import DISMISSIBLE, Inbox, inbox_of

EXAMPLE: dict[str, Any] = {
    "number": 1,
    "cards": [
        {
            "kind": "confirm",
            "subject": "7d3c0a52-6d5f-4a34-9d0e-6a3f6f0a6f10",
            "occasion": "2026-03-07T21:40:00+00:00",
            "title": "The ford at dawn: Compagnie du Cardinal – Der schwarze Haufen",
            "sentence": "The result was entered by alice. Confirm it, or say what is wrong.",
            "button": "Check and confirm",
            "url": "/battles/7d3c0a52-6d5f-4a34-9d0e-6a3f6f0a6f10/",
            "others_wait": True,
            "dismissible": False,
            "deadline": None,
            "since": "2026-03-07T21:40:00Z",
        }
    ],
    "coming": "",
}


class DismissalSerializer(serializers.Serializer[Any]):
    """The card that shall go."""

    kind = serializers.ChoiceField(choices=sorted(DISMISSIBLE))
    subject = serializers.UUIDField()


class InboxView(APIView):
    """What waits for whoever asks."""

    @extend_schema(
        summary="What waits for you",
        responses=Inbox,
        examples=[OpenApiExample("A battle to confirm", EXAMPLE, response_only=True)],
    )
    def get(self, request: Request) -> Response:
        """A card for each thing that waits, the most pressing first, as the first page shows them. ``others_wait`` says
        whether somebody cannot go on before, ``deadline`` the last day for it."""
        return Response(msgspec.to_builtins(inbox_of(cast("User", request.user))))


class DismissalView(APIView):
    """Cards that can be sent away."""

    @extend_schema(
        summary="Send a card away",
        request=DismissalSerializer,
        responses=no_content(),
        examples=[
            OpenApiExample(
                "Not for me", {"kind": "enrol", "subject": "7d3c0a52-6d5f-4a34-9d0e-6a3f6f0a6f10"}, request_only=True
            )
        ],
    )
    def post(self, request: Request) -> Response:
        """Send a card away for good: only those that are ``dismissible``. Done twice it is done once."""
        wanted = DismissalSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        dismiss(user=cast("User", request.user), **wanted.validated_data)
        return Response(status=204)
