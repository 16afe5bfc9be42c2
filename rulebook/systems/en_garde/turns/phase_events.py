"""Events that mark the course of a turn: its start, Priority, and the rolls of the End Phase."""

from typing import Annotated, ClassVar

from msgspec import Meta

from rulebook.battle_log.kinds import Die, FighterId, SideKey, TwoDice
from rulebook.systems.en_garde.turns.turn_event import TurnEvent


class TurnStarted(TurnEvent, frozen=True, kw_only=True):
    """A new turn begins; its number is the event's turn."""

    key: ClassVar[str] = "turn"
    label: ClassVar[str] = "Turn"
    rule: ClassVar[str] = 'Rule book: "Turn sequence"'
    about: ClassVar[str] = ""
    starts_turn: ClassVar[bool] = True

    @property
    def ends_combat_phase(self) -> bool:
        """It comes after the Combat Phase."""
        return True


class PriorityRolled(TurnEvent, frozen=True, kw_only=True):
    """Who has Priority: dice by side, thrown again by those who tie."""

    key: ClassVar[str] = "priority"
    label: ClassVar[str] = "Priority"
    phase: ClassVar[str] = "priority"
    rule: ClassVar[str] = 'Rule book: "Determine priority"'
    about: ClassVar[str] = ""
    always_rolls: ClassVar[bool] = True

    rolls: Annotated[tuple[dict[str, Die], ...], Meta(title="Dice", max_length=20)] = ()


class StunRolled(TurnEvent, frozen=True, kw_only=True):
    """The die that may remove Stunned counters in the End Phase."""

    key: ClassVar[str] = "stun_roll"
    label: ClassVar[str] = "Stunned counters"
    phase: ClassVar[str] = "end"
    always_rolls: ClassVar[bool] = True

    fighter: Annotated[FighterId, Meta(title="Who")]
    die: Annotated[Die | None, Meta(title="Die", description="Only if the result asks for one.")] = None

    @property
    def ends_combat_phase(self) -> bool:
        """It comes after the Combat Phase."""
        return True


class MoraleTested(TurnEvent, frozen=True, kw_only=True):
    """A warband's Morale Test; ``reroll`` is the banner's second throw."""

    key: ClassVar[str] = "morale"
    label: ClassVar[str] = "Morale Test"
    phase: ClassVar[str] = "end"
    about: ClassVar[str] = "side"
    always_rolls: ClassVar[bool] = True

    side: Annotated[SideKey, Meta(title="Side")]
    dice: Annotated[TwoDice, Meta(title="Dice")] = ()
    reroll: Annotated[TwoDice, Meta(title="Second throw", description="Only if a die is thrown again.")] = ()

    @property
    def ends_combat_phase(self) -> bool:
        """It comes after the Combat Phase."""
        return True


class EndRolled(TurnEvent, frozen=True, kw_only=True):
    """The die at the end of a turn that may make the next one the last (Ruling S15)."""

    key: ClassVar[str] = "length"
    label: ClassVar[str] = "Length of the game"
    help: ClassVar[str] = "From turn 4 on, in Hold the Bridge and Occupy."
    phase: ClassVar[str] = "end"
    about: ClassVar[str] = ""

    die: Annotated[Die | None, Meta(title="Die", description="Only if the result asks for one.")] = None

    @property
    def ends_combat_phase(self) -> bool:
        """It comes after the Combat Phase."""
        return True
