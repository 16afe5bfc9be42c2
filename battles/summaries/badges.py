"""The small labels that tell at a glance how far a battle has come and what became of it."""

from collections.abc import Iterator

from django.utils.translation import gettext
from msgspec import Struct

from battles.models import Battle, BattleState


class Badge(Struct, frozen=True):
    """A label: ``key`` for its colour, ``label`` for people."""

    key: str
    label: str


def badges_of(battle: Battle) -> tuple[Badge, ...]:
    """A battle's labels, its state first. No queries."""
    return tuple(_badges(battle))


def _badges(battle: Battle) -> Iterator[Badge]:
    yield Badge(battle.state, str(BattleState(battle.state).label))
    if battle.friendly:
        yield Badge("friendly", gettext("Friendly"))
    if battle.campaign_id is None:
        yield Badge("one-off", gettext("One-off"))
    if battle.revision:
        times = (
            gettext("Corrected")
            if battle.revision == 1
            else gettext("Corrected %(revision)s times") % {"revision": battle.revision}
        )
        yield Badge("corrected", times)
