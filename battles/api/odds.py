"""`battles/{id}/odds/`: the odds between two combatants as the log leaves them."""

from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import BaseRouter

from battles.api.base import BATTLE_KEY, Endpoint
from battles.api.examples import ODDS
from battles.models import Battle
from battles.selectors.odds import odds_in_battle
from core.api.schema import KEY
from core.errors import InvalidInput
from reference.selectors.calculators import told_values
from rulebook.values.answers import Answer

ATTACKER = OpenApiParameter(
    "attacker", OpenApiTypes.STR, required=True, description="The attacking combatant's id."
)
TARGET = OpenApiParameter(
    "target", OpenApiTypes.STR, required=True, description="The id of a combatant or bystander."
)
KIND = OpenApiParameter(
    "kind",
    OpenApiTypes.STR,
    description='A calculator about a battle, such as "shot"; by default the first one.',
)
VALUES = OpenApiParameter(
    "values",
    {"type": "object", "additionalProperties": {"type": "string"}},
    description="The fields of that calculator, each as a parameter of its own. All are optional.",
)
OWN = ("attacker", "target", "kind")


class OddsViewSet(Endpoint[Battle]):
    """Two combatants against each other."""

    queryset = Battle.objects.none()
    filter_backends = ()
    pagination_class = None

    @extend_schema(
        operation_id="battles_odds",
        summary="Return the odds between two combatants",
        parameters=[BATTLE_KEY, ATTACKER, TARGET, KIND, VALUES],
        responses=Answer,
        examples=[OpenApiExample("A shot", ODDS, response_only=True)],
    )
    @action(detail=False, methods=["get"])
    def odds(self, request: Request, battle_id: UUID) -> Response:
        """Return the odds in the present state of the battle: wounds, weapons, weather, counters.

        The kinds and their fields are the calculators about a battle. `forbidden` lists what the
        rules do not allow now.
        """
        battle, query = self.battle(battle_id), request.query_params
        attacker, target = (
            _required_fighter(query.get("attacker"), "attacker"),
            _required_fighter(query.get("target"), "target"),
        )
        values = told_values(query.lists(), *OWN)
        return Response(odds_in_battle(battle, attacker, target, query.get("kind", ""), values))


def _required_fighter(fighter: str | None, field: str) -> str:
    if not fighter:
        raise InvalidInput(
            "required", f"Give {field!r} as the id of a combatant of this battle.", field=field
        )
    return fighter


def register(router: BaseRouter) -> None:
    """Add the odds of battles to the API."""
    router.register(f"battles/(?P<battle_id>{KEY})", OddsViewSet, basename="battle-odds")
