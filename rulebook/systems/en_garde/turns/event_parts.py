"""What events of a turn are made of: their common fields, and the types of the others.

Dice are numbers as they fell, in the order in which they were thrown. ``thrown`` says whose they are: "app" for dice
that Muster threw, "table" for dice typed in. Every event but a plain word may be ``overruled`` with a reason where
the rules forbid it.

``lucky`` names who forces a re-roll. With dice typed in they are as they stand after it; where Muster throws, it throws
one die again if the blow or shot goes against the Lucky, and leaves the luck unspent if not: the lowest die of its own,
or the highest of its enemy's (``luck``).
"""

from typing import Annotated, Literal

from msgspec import Meta

from rulebook.systems.en_garde.play.events import TEXT, Event, Pips
from rulebook.systems.en_garde.table.blows import Ploy

Inches = Annotated[float, Meta(ge=0, le=120)]
Few = Annotated[int, Meta(ge=0, le=9)]
Fighters = Annotated[tuple[Annotated[str, Meta(min_length=1)], ...], Meta(max_length=60)]
Ploys = Annotated[tuple[Ploy, ...], Meta(max_length=4)]
TwoDice = Annotated[tuple[Pips, ...], Meta(max_length=2)]
Reason = Annotated[str, Meta(max_length=300)]


class TurnEvent(Event, frozen=True, kw_only=True, omit_defaults=True):
    """What every event of a turn has beside its own fields."""

    thrown: Annotated[Literal["", "app", "table"], Meta(title="Dice by")] = ""
    overruled: Annotated[Reason, Meta(title="Overruled because", extra=TEXT)] = ""


class Opening(TurnEvent, frozen=True, kw_only=True):
    """What may be told before the first turn."""


class Activation(TurnEvent, frozen=True, kw_only=True):
    """What activates a fighter; one of a Routing warband rolls its resolve first, and runs if that fails."""

    resolve: Annotated[Pips | None, Meta(title="Die for a shaken warband")] = None


DICE = (
    "rolls",
    "resolve",
    "nerve",
    "leash",
    "dexterity",
    "luck",
    "die",
    "dice",
    "reroll",
    "rider_die",
    "initiative",
    "defence_dice",
    "defence_reroll",
    "fall_dice",
    "drift",
    "drowning",
    "resisting_dice",
    "blast_dice",
)
"""Fields that hold dice as they fell."""


def has_dice(event: TurnEvent) -> bool:
    """Does the event hold any dice?"""
    return any(getattr(event, field, None) for field in DICE)
