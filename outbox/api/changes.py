"""`changes/`: what happened since a client last asked."""

from typing import Any, cast
from uuid import UUID

import msgspec
from django.contrib.auth.models import User
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from core.api.strict_input import ExactView
from core.cleaning import clean_number
from core.errors import InvalidInput
from outbox.selectors.changes import Changes, changes_after

MOST = 200
LARGEST = 2**53
CHANGES: dict[str, Any] = {
    "changes": [
        {
            "cursor": 4711,
            "id": "2f3d1c0a-6d0e-4a57-9a8e-0a5c0f6f7b11",
            "type": "battle.confirmed",
            "at": "2030-01-31T21:30:00Z",
            "club": "6a1e0d0c-5b7e-4f0a-8f43-6a2b7d9c1e55",
            "campaign": "0d3b2a8e-98f0-4b0f-a5a3-0f3c55d0a1b2",
            "subject": {
                "kind": "battle",
                "id": "c2b7f3d4-7f1b-4d8f-9b0a-2f4f6d8e1a33",
                "name": "The Old Mill",
            },
            "page": "https://muster.example/battles/c2b7f3d4-7f1b-4d8f-9b0a-2f4f6d8e1a33/",
            "url": "https://muster.example/api/v1/battles/c2b7f3d4-7f1b-4d8f-9b0a-2f4f6d8e1a33/",
        }
    ],
    "next": 4711,
    "more": False,
}
PARAMETERS = [
    OpenApiParameter("after", int, description="The `next` of your last request. By default 0."),
    OpenApiParameter("club", UUID, description="Only changes in this club."),
    OpenApiParameter("limit", int, description="At most so many, 1 to 200. By default 100."),
]


class ChangesView(ExactView, APIView):
    """The changes of everything you can see."""

    @extend_schema(
        summary="Read changes since a cursor",
        parameters=PARAMETERS,
        responses={200: Changes},
        examples=[OpenApiExample("A result", CHANGES, response_only=True)],
    )
    def get(self, request: Request) -> Response:
        """Returns results, plans, pairings, club nights and promotions in the order of `cursor`.

        Store `next` and send it as `after` next time: no change is skipped or comes twice. A page
        can be empty although `more` is true; go on then. A change appears within 30 seconds. It
        shows what happened to what. Read the subject for its present state.
        """
        # ``ExactView`` has checked that these are numbers.
        after = _number(request, "after", 0, least=0, most=LARGEST)
        limit = _number(request, "limit", 100, least=1, most=MOST)
        site = request.build_absolute_uri("/").rstrip("/")
        user = cast("User", request.user)
        changes = changes_after(after, user, site=site, club=_club(request), limit=limit)
        return Response(msgspec.to_builtins(changes))


def _number(request: Request, name: str, default: int, *, least: int, most: int) -> int:
    number = int(request.query_params.get(name) or default)
    return clean_number(name, number, least=least, most=most)


def _club(request: Request) -> UUID | None:
    text = request.query_params.get("club", "")
    try:
        return UUID(text) if text else None
    except ValueError as error:
        sentence = f"'club' is the id of a club, not {text[:40]!r}."
        raise InvalidInput("invalid", sentence, field="club") from error
