"""`fighters/{id}/odds/`: the odds between two fighters of rosters."""

from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import BaseRouter

from core.api.schema import KEY
from core.errors import InvalidInput
from reference.selectors.calculators import odds_between, told_values
from rulebook.values.answers import Answer
from warbands.api.base import Endpoint
from warbands.api.examples import EXAMPLE_ANSWER
from warbands.models import Fighter

FIGHTER_KEY = OpenApiParameter(
    "fighter_id", OpenApiTypes.UUID, OpenApiParameter.PATH, description="The attacker's id."
)
AGAINST = OpenApiParameter(
    "against", OpenApiTypes.UUID, required=True, description="The target's id."
)
KIND = OpenApiParameter(
    "kind",
    OpenApiTypes.STR,
    description='A calculator about fighters, such as "shot"; by default the first one.',
)
VALUES = OpenApiParameter(
    "values",
    {"type": "object", "additionalProperties": {"type": "string"}},
    description="The fields of that calculator, each as a parameter of its own. All are optional.",
)


class FighterOddsViewSet(Endpoint[Fighter]):
    """Two fighters against each other."""

    queryset = Fighter.objects.none()
    filter_backends = []
    pagination_class = None

    @extend_schema(
        operation_id="fighters_odds",
        summary="Return the odds between two fighters",
        parameters=[FIGHTER_KEY, AGAINST, KIND, VALUES],
        responses=Answer,
        examples=[OpenApiExample("Answer", EXAMPLE_ANSWER, response_only=True)],
    )
    @action(detail=False, methods=["get"])
    def odds(self, request: Request, fighter_id: UUID) -> Response:
        """As they are on their rosters, with weapons, Attributes and armour; wounds if you ask for
        them.

        The asker must be allowed to see both. The kinds and their fields are the calculators about
        fighters.
        """
        fighter, other = self.fighter(fighter_id), self.fighter(_against(request))
        kind = request.query_params.get("kind", "")
        values = told_values(request.query_params.lists(), "against", "kind")
        return Response(odds_between(fighter, other, kind, values))


def _against(request: Request) -> UUID:
    fighter_id: Any = request.query_params.get("against", "")
    try:
        return UUID(fighter_id)
    except ValueError as error:
        sentence = "Give 'against' as the id of the fighter to compare with."
        raise InvalidInput(
            "wrong-fighter" if fighter_id else "required", sentence, field="against"
        ) from error


def register(router: BaseRouter) -> None:
    """Add the odds between fighters to the API."""
    router.register(f"fighters/(?P<fighter_id>{KEY})", FighterOddsViewSet, basename="fighter-odds")
