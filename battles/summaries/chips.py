"""The small labels that tell at a glance how far a battle has come and what became of it."""

from collections.abc import Iterator

from msgspec import Struct

from battles.models import Battle, BattleState


class Chip(Struct, frozen=True):
    """A label: ``key`` for its colour, ``label`` for people."""

    key: str
    label: str


def chips_of(battle: Battle) -> tuple[Chip, ...]:
    """A battle's labels, its state first. No queries."""
    return tuple(_chips(battle))


def _chips(battle: Battle) -> Iterator[Chip]:
    yield Chip(battle.state, BattleState(battle.state).label)
    if battle.friendly:
        yield Chip("friendly", "Friendly")
    if battle.campaign_id is None:
        yield Chip("one-off", "One-off")
    if battle.revision:
        times = "Corrected" if battle.revision == 1 else f"Corrected {battle.revision} times"
        yield Chip("corrected", times)
