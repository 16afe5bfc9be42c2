"""`rulesets/`: what can be played, and everything that it knows."""

from typing import Any

import msgspec
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from rulebook.ruleset import RulesError
from warbands.api.examples import CATALOGUE, RULESET
from warbands.errors import NotFound
from warbands.models import Warband
from warbands.summaries.rulesets import RulesetCatalogue, RulesetRow, ruleset_catalogue, ruleset_rows

RULESET_KEY = OpenApiParameter("key", OpenApiTypes.STR, OpenApiParameter.PATH, description="The rule system's key.")


class RulesetViewSet(GenericViewSet[Warband]):
    """Rule systems, each in its newest edition."""

    lookup_field = "key"
    lookup_value_regex = "[a-z0-9-]+"
    filter_backends = []
    queryset = Warband.objects.none()

    @extend_schema(
        summary="List rule systems",
        responses=RulesetRow,
        examples=[OpenApiExample(RULESET["name"], RULESET, response_only=True)],
    )
    def list(self, request: Request) -> Response:
        """Key, name, edition, words for people, and the keys of the factions."""
        page: Any = self.paginate_queryset(ruleset_rows())
        return self.get_paginated_response(msgspec.to_builtins(page))

    @extend_schema(
        summary="Read a rule system's catalogue",
        parameters=[RULESET_KEY],
        responses=RulesetCatalogue,
        examples=[OpenApiExample(f"{RULESET['name']}, cut short", CATALOGUE, response_only=True)],
    )
    def retrieve(self, request: Request, key: str) -> Response:
        """Factions with profiles, prices and options; arms, Attributes, scenarios, house rules, kinds of event."""
        try:
            return Response(ruleset_catalogue(key))
        except RulesError as error:
            raise NotFound("unknown-ruleset", str(error)) from error
