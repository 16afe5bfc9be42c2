"""The search through the API."""

from typing import cast

import msgspec
from django.contrib.auth.models import User
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from core.api.strict_input import ExactView
from core.errors import InvalidInput
from search import selectors
from search.examples import FOUND

PARAMETERS = [
    OpenApiParameter("q", str, required=True, description="Text to search for."),
    OpenApiParameter(
        "kind", str, enum=list(selectors.KINDS), description="Only this kind, in pages."
    ),
    OpenApiParameter("page", int, description="The page, with `kind`: 25 results each."),
]


class SearchView(ExactView, APIView):
    """Search by name in everything you can see."""

    @extend_schema(
        summary="Search by name",
        parameters=PARAMETERS,
        responses=selectors.SearchResults,
        examples=[OpenApiExample("A fighter", FOUND, response_only=True)],
    )
    def get(self, request: Request) -> Response:
        """Finds warbands, fighters, battles, campaigns, clubs and entries of the rule systems.

        Each word of the query must be the start of a word in the name; case and accents do not
        count. Returns the first five of each kind with their number, or with `kind` all of one
        kind, 25 a page. A query of one letter finds nothing.
        """
        user = cast("User", request.user)
        query = selectors.clean_query(request.query_params.get("q", ""))
        kind = request.query_params.get("kind", "")
        if kind:
            return Response(
                msgspec.to_builtins(
                    _one_kind(user, kind, query, request.query_params.get("page", "1"))
                )
            )
        return Response(msgspec.to_builtins(selectors.search(user, query)))


def _one_kind(user: User, kind: str, query: str, page: str) -> selectors.SearchResults:
    if kind not in selectors.KINDS:
        kinds = ", ".join(selectors.KINDS)
        raise InvalidInput(
            "unknown-kind", f"There is no kind {kind[:40]!r}; these are: {kinds}.", field="kind"
        )
    return selectors.page_of(user, kind, query, page)[0]
