"""Two identical worlds: translate rows of one world into rows of the other."""

import json
from copy import copy
from typing import TypeVar
from uuid import UUID

from django.db import models

from battles.models import Side
from scripts.bench.world import World
from warbands.models import Fighter

Row = TypeVar("Row", bound=models.Model)


class Twins:
    """The ids of one world, mapped to those of the other."""

    def __init__(self, ours: World, theirs: World) -> None:
        self.ids = {str(ours.campaign.pk): str(theirs.campaign.pk)}
        for our_warband, other in zip(ours.warbands, theirs.warbands, strict=True):
            self._pair(our_warband.pk, other.pk)
            for fighter, twin in zip(_fighters(our_warband.pk), _fighters(other.pk), strict=True):
                self._pair(fighter, twin)

    def add_battle(self, battle: UUID, twin: UUID) -> None:
        """Pair two battles and their sides."""
        self._pair(battle, twin)
        for side, other in zip(_sides(battle), _sides(twin), strict=True):
            self._pair(side, other)

    def of(self, row: Row) -> Row:
        """Return the row's twin: a copy with the other world's ids."""
        twin = copy(row)
        for field in row._meta.concrete_fields:
            value = getattr(row, field.attname)
            if isinstance(value, UUID):
                setattr(twin, field.attname, UUID(self.ids.get(str(value), str(value))))
            elif isinstance(field, models.JSONField):
                setattr(twin, field.attname, json.loads(self._translated(json.dumps(value))))
        return twin

    def _translated(self, text: str) -> str:
        for ours, theirs in self.ids.items():
            text = text.replace(ours, theirs)
        return text

    def _pair(self, our_id: UUID, other: UUID) -> None:
        self.ids[str(our_id)] = str(other)


def _fighters(warband: UUID) -> list[UUID]:
    return list(
        Fighter.objects.filter(warband=warband).order_by("place").values_list("pk", flat=True)
    )


def _sides(battle: UUID) -> list[UUID]:
    return list(Side.objects.filter(battle=battle).order_by("place").values_list("pk", flat=True))
