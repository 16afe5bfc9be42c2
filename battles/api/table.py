"""`battles/{id}/set-up/`, `.../state/`, `.../secrets/`, `.../dice/`: a battle at the table."""

from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from battles.api.base import BATTLE_KEY, LOG, Endpoint
from battles.api.examples import BATTLE, DICE, SECRETS, STATE
from battles.api.serializers import BattleVersionSerializer
from battles.models import Battle
from battles.selectors.battle_page import OpenBattle
from battles.selectors.dice import DiceRecord, OwnSecrets, dice_record, own_secrets, state_of_play
from battles.services.secret_choices import roll_private_dice
from battles.services.setting_up import set_up_battle
from core.api.strict_input import ExactSerializer
from core.api.views import struct_response
from core.errors import InvalidInput
from core.models import Scope

AT = OpenApiParameter(
    "at", OpenApiTypes.INT, description="After this event; without it, after the whole log."
)


class SetUpSerializer(BattleVersionSerializer):
    """Values that the players rolled or agreed themselves; Muster rolls the rest."""

    typed = serializers.DictField(required=False, help_text="For example weather, hour, turns.")


class SecretSerializer(ExactSerializer):
    """The side that is thrown for."""

    side = serializers.CharField(max_length=1, help_text="A side that you play.")


class TableViewSet(Endpoint[Battle]):
    """A battle at the table."""

    queryset = Battle.objects.none()
    token_scopes = dict.fromkeys(("set_up", "draw"), Scope.LOG)
    filter_backends = ()
    pagination_class = None
    serializer_class = SetUpSerializer

    @extend_schema(
        operation_id="battles_set_up",
        summary="Set a battle up",
        parameters=[BATTLE_KEY, LOG],
        request=SetUpSerializer,
        responses=OpenBattle,
        examples=[
            OpenApiExample("It rained", {"typed": {"weather": "rain"}}, request_only=True),
            OpenApiExample("Battle", BATTLE, response_only=True),
        ],
    )
    @action(detail=False, methods=["post"], url_path="set-up")
    def set_up(self, request: Request, battle_id: UUID) -> Response:
        """Terrain, weather, hour, length and roles still open: rolled once and kept, before the
        first event."""
        data: dict[str, Any] = self.validated(SetUpSerializer, request)
        battle = set_up_battle(battle_id=self.battle(battle_id).pk, user=self.asker, **data)
        return self.in_full(battle.pk)

    @extend_schema(
        operation_id="battles_state",
        summary="Read the state of play",
        parameters=[BATTLE_KEY, AT],
        responses=OpenApiTypes.OBJECT,
        examples=[OpenApiExample("State", STATE, response_only=True)],
    )
    @action(detail=False, methods=["get"])
    def state(self, request: Request, battle_id: UUID) -> Response:
        """At any event: how everybody stands, as its rule system keeps it, and victory points line
        by line."""
        return Response(
            state_of_play(self.battle(battle_id), _number(request.query_params.get("at")))
        )

    @extend_schema(
        operation_id="battles_secrets",
        summary="Read what Muster threw for you alone",
        parameters=[BATTLE_KEY],
        responses=OwnSecrets,
        examples=[OpenApiExample("A minor objective", SECRETS, response_only=True)],
    )
    @action(detail=False, methods=["get"])
    def secrets(self, request: Request, battle_id: UUID) -> Response:
        """Return the secret draws of the sides that you play. Nobody else sees them before the
        battle has ended."""
        return struct_response(own_secrets(self.battle(battle_id), self.asker))

    @extend_schema(
        operation_id="battles_secrets_draw",
        summary="Let Muster throw in secret",
        parameters=[BATTLE_KEY],
        request=SecretSerializer,
        responses=OwnSecrets,
        examples=[
            OpenApiExample("Side a", {"side": "a"}, request_only=True),
            OpenApiExample("A minor objective", SECRETS, response_only=True),
        ],
    )
    @secrets.mapping.post
    def draw(self, request: Request, battle_id: UUID) -> Response:
        """Where minor objectives are secret: yours by Muster's die. Your side brings no die of its
        own any more."""
        data: dict[str, Any] = self.validated(SecretSerializer, request)
        battle = self.battle(battle_id)
        roll_private_dice(battle_id=battle.pk, user=self.asker, **data)
        return struct_response(own_secrets(self.battle(battle_id), self.asker))

    @extend_schema(
        operation_id="battles_dice",
        summary="Check a battle's dice",
        parameters=[BATTLE_KEY],
        responses=DiceRecord,
        examples=[OpenApiExample("Dice", DICE, response_only=True)],
    )
    @action(detail=False, methods=["get"])
    def dice(self, request: Request, battle_id: UUID) -> Response:
        """Return the commitment from the start, the seed once the battle is confirmed, and every
        die that Muster threw."""
        return struct_response(dice_record(self.battle(battle_id)))


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise InvalidInput(
            "wrong-number", f"{text!r} is not an event number. Use a whole number.", field="at"
        )
    return int(text)
