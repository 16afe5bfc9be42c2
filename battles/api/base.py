"""What the endpoints of this app share."""

from typing import TypeVar
from uuid import UUID

from django.db.models import Model
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.response import Response

from battles.models import Battle
from battles.summaries.page import open_battle
from config import endpoints
from config.endpoints import answer
from warbands.errors import NotFound

AnyRow = TypeVar("AnyRow", bound=Model)
BATTLE_KEY = OpenApiParameter("battle_id", OpenApiTypes.UUID, OpenApiParameter.PATH, description="The battle's id.")


class Endpoint(endpoints.Endpoint[AnyRow]):
    """An endpoint about battles."""

    def battle(self, battle_id: UUID) -> Battle:
        """The battle, if the asker may see it. Raises NotFound."""
        battle = Battle.objects.visible_to(self.asker).filter(pk=battle_id).first()
        if battle is None:
            raise NotFound("unknown-battle", "There is no such battle here, or it is not yours to see.")
        return battle

    def in_full(self, battle_id: UUID, status: int = 200) -> Response:
        """The battle as it stands now, as the answer."""
        return answer(open_battle(battle_id, self.asker), status)
