"""`rulesets/`: the rule systems and their catalogues."""

from typing import Any

import msgspec
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from core.api.strict_input import ExactView
from core.errors import NotFound
from reference.selectors.rulesets import (
    RulesetCatalogue,
    RulesetRow,
    ruleset_catalogue,
    ruleset_rows,
)
from rulebook.registry import RULESETS
from rulebook.ruleset import RulesError
from warbands.api.examples import CATALOGUE, RULESET
from warbands.downloads import csv_answer
from warbands.models import Warband
from warbands.spreadsheets.writing import template

RULESET_KEY = OpenApiParameter(
    "key", OpenApiTypes.STR, OpenApiParameter.PATH, description="The rule system's key."
)


class RulesetViewSet(ExactView, GenericViewSet[Warband]):
    """Rule systems, each in its newest edition."""

    lookup_field = "key"
    public_reads = frozenset({"list", "retrieve", "spreadsheet"})
    lookup_value_regex = "[a-z0-9-]+"
    filter_backends = []
    queryset = Warband.objects.none()

    @extend_schema(
        summary="List rule systems",
        responses=RulesetRow,
        examples=[OpenApiExample(RULESET["name"], RULESET, response_only=True)],
    )
    def list(self, request: Request) -> Response:
        """Key, name, edition, terms, and the keys of the factions."""
        page: Any = self.paginate_queryset(ruleset_rows())
        return self.get_paginated_response(msgspec.to_builtins(page))

    @extend_schema(
        summary="Read a rule system's catalogue",
        parameters=[RULESET_KEY],
        responses=RulesetCatalogue,
        examples=[OpenApiExample(f"{RULESET['name']}, cut short", CATALOGUE, response_only=True)],
    )
    def retrieve(self, request: Request, key: str) -> Response:
        """Factions with profiles, prices and options;

        weapons, Attributes, scenarios, house rules, kinds of event.
        """
        try:
            return Response(ruleset_catalogue(key))
        except RulesError as error:
            raise NotFound("unknown-ruleset", str(error)) from error

    @extend_schema(
        summary="Download the template of a roster as a spreadsheet",
        parameters=[
            RULESET_KEY,
            OpenApiParameter(
                "faction", OpenApiTypes.STR, required=True, description="The faction's key."
            ),
        ],
        responses={(200, "text/csv"): OpenApiTypes.STR},
    )
    @action(detail=True, url_path="spreadsheet")
    def spreadsheet(self, request: Request, key: str) -> HttpResponse:
        """CSV:

        a row of headings, and a row with the valid values of each column, which the import skips.
        """
        faction = request.query_params.get("faction", "")
        try:
            return csv_answer(template(key, faction), f"{key} {faction}")
        except RulesError as error:
            if key in RULESETS:
                raise
            raise NotFound("unknown-ruleset", str(error)) from error
