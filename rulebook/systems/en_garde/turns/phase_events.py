"""Events that mark the course of a turn: its start, Priority, and the rolls of the End Phase."""

from typing import Annotated, ClassVar

from msgspec import Meta

from rulebook.systems.en_garde.play.events import COMBATANT, SIDE, Pips
from rulebook.systems.en_garde.turns.event_parts import TurnEvent, TwoDice


class TurnStarted(TurnEvent, frozen=True, kw_only=True):
    """A new turn begins; its number is the event's turn."""

    label: ClassVar[str] = "Turn"


class PriorityRolled(TurnEvent, frozen=True, kw_only=True):
    """Who has Priority: dice by side, thrown again by those who tie."""

    label: ClassVar[str] = "Priority"

    rolls: Annotated[tuple[dict[str, Pips], ...], Meta(title="Dice", max_length=20)] = ()


class StunRolled(TurnEvent, frozen=True, kw_only=True):
    """The die that may remove Stunned counters in the End Phase."""

    label: ClassVar[str] = "Stunned counters"

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    die: Annotated[Pips | None, Meta(title="Die")] = None


class MoraleTested(TurnEvent, frozen=True, kw_only=True):
    """A warband's Morale Test; ``reroll`` is the banner's second throw."""

    label: ClassVar[str] = "Morale Test"

    side: Annotated[str, Meta(title="Side", extra=SIDE)]
    dice: Annotated[TwoDice, Meta(title="Dice")] = ()
    reroll: Annotated[TwoDice, Meta(title="Second throw")] = ()


class EndRolled(TurnEvent, frozen=True, kw_only=True):
    """The die at the end of a turn that may make the next one the last (Ruling S15)."""

    label: ClassVar[str] = "Length of the game"
    help: ClassVar[str] = "From turn 4 on, in Hold the Bridge and Occupy."

    die: Annotated[Pips | None, Meta(title="Die")] = None
