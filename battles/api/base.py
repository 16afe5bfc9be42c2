"""Shared parts of the endpoints of battles."""

from typing import TypeVar
from uuid import UUID

from django.db.models import Model
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.response import Response

from battles.models import Battle
from battles.selectors.battle_page import OpenBattle, open_battle, open_shown
from battles.selectors.shown_battle import shown_battle
from core.api import views
from core.api.strict_input import NO
from core.api.views import struct_response
from core.compiled_queries import CompiledQuery
from core.errors import NotFound

AnyRow = TypeVar("AnyRow", bound=Model)
LOG = OpenApiParameter(
    "log",
    OpenApiTypes.BOOL,
    description="false: the battle's `log` is empty in the answer. Read it at "
    "`battles/{id}/events/`.",
)
BATTLE_KEY = OpenApiParameter(
    "battle_id", OpenApiTypes.UUID, OpenApiParameter.PATH, description="The battle's id."
)


UNKNOWN = ("unknown-battle", "Battle not found, or you don't have access.")
VISIBLE: CompiledQuery[Battle] = CompiledQuery(
    lambda key, user: Battle.objects.visible_to(user).filter(pk=key).order_by()
)


class Endpoint(views.Endpoint[AnyRow]):
    """An endpoint about battles."""

    def battle(self, battle_id: UUID) -> Battle:
        """The battle, if the asker may see it. Raises NotFound."""
        battle = VISIBLE.first(battle_id, self.asker)
        if battle is None:
            raise NotFound(*UNKNOWN)
        return battle

    def in_full(self, battle_id: UUID, status: int = 200) -> Response:
        """The battle as it stands now, as the answer; without its log if the client does not want
        it."""
        return struct_response(self.open_battle(battle_id), status)

    def open_battle(self, battle_id: UUID) -> OpenBattle:
        """The battle as it stands now, without its log if the client does not want it (``LOG``)."""
        return open_battle(battle_id, self.asker, log=self.with_log)

    @property
    def with_log(self) -> bool:
        """Return whether the client wants a battle's log (``LOG``)."""
        return self.request.query_params.get("log", "").lower() not in NO

    def visible_in_full(self, battle_id: UUID) -> Response:
        """The battle as the answer, if the asker may see it. Raises NotFound."""
        try:
            shown = shown_battle(battle_id, self.asker)
        except Battle.DoesNotExist as error:
            raise NotFound(*UNKNOWN) from error
        if not shown.is_visible:
            raise NotFound(*UNKNOWN)
        return struct_response(open_shown(shown, self.asker, log=self.with_log))
