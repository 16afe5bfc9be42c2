"""The kinds of event that only some scenarios ask for: objectives, ground that scores, Civilians, broken duels."""

from enum import StrEnum
from typing import Annotated, ClassVar, Self

from msgspec import Meta
from msgspec.structs import replace

from rulebook.battle_log.kinds import Die, FighterId, SideKey, Text, ThrownBy
from rulebook.dice.cup import Cup
from rulebook.systems.en_garde.play.event import Event
from rulebook.systems.en_garde.play.minor_objectives import is_secret, objective_dice
from rulebook.systems.en_garde.play.play_state import PlayState


class Hold(StrEnum):
    """How an objective is held when the battle ends."""

    HELD = "held"
    CARRIED_OFF = "carried-off"


class CivilianOutcome(StrEnum):
    """What became of a Civilian."""

    KILLED = "killed"
    TAKEN = "taken"
    HARMED = "harmed"
    UNHARMED = "unharmed"
    ESCORTED = "escorted"


class Offence(StrEnum):
    """What an outsider to a Duel must not do first."""

    ATTACK = "attack"
    GROUND = "ground"


class ObjectiveHeld(Event, frozen=True, kw_only=True):
    """Who controls the objective; the last word on it counts. No side: nobody does."""

    key: ClassVar[str] = "objective"
    label: ClassVar[str] = "Objective"
    help: ClassVar[str] = "Who controls it at the end. The first fighter named is its holder (Ruling X8)."
    rule: ClassVar[str] = 'Rule book: "Victory Points"'
    about: ClassVar[str] = "side"
    some_battles: ClassVar[bool] = True

    side: Annotated[SideKey | None, Meta(title="Side", description="Empty: nobody controls it.")] = None
    by: Annotated[tuple[str, ...], Meta(title="Fighters in control", max_length=60)] = ()
    how: Annotated[Hold, Meta(title="How")] = Hold.HELD
    what: Annotated[Text, Meta(title="What it is", max_length=60)] = ""


class Position(Event, frozen=True, kw_only=True):
    """Everybody of one side who stands on the Defender's bank; the last word for a side counts."""

    key: ClassVar[str] = "position"
    label: ClassVar[str] = "On the Defender's bank"
    help: ClassVar[str] = "All fighters of one side who are there at the end."
    rule: ClassVar[str] = 'Rule book: "Hold the Bridge"'
    about: ClassVar[str] = "fighters"
    some_battles: ClassVar[bool] = True

    side: Annotated[SideKey, Meta(title="Side")]
    fighters: Annotated[tuple[str, ...], Meta(title="Fighters", max_length=60)]


class Touching(Event, frozen=True, kw_only=True):
    """Everybody of one side whose base touches the centre; the last word for a side counts."""

    key: ClassVar[str] = "touching"
    label: ClassVar[str] = "Touching the centre"
    help: ClassVar[str] = "All fighters of one side whose bases touch it at the end."
    rule: ClassVar[str] = 'Rule book: "Occupy"'
    about: ClassVar[str] = "fighters"
    some_battles: ClassVar[bool] = True

    side: Annotated[SideKey, Meta(title="Side")]
    fighters: Annotated[tuple[str, ...], Meta(title="Fighters", max_length=60)]


class MinorObjectiveRolled(Event, frozen=True, kw_only=True, omit_defaults=True):
    """A side's minor objective, and, where the log cannot show it, whether it was achieved.

    Without ``rolled`` Muster throws. Where minor objectives are secret that die is one apart, which a side may learn
    before the others do (``minor_objectives.own_secret``).
    """

    key: ClassVar[str] = "minor_objective"
    label: ClassVar[str] = "Minor objective"
    help: ClassVar[str] = "Whether it was achieved follows from the log, save for the quarters of the table."
    rule: ClassVar[str] = 'Rule book: "Skirmish"'
    about: ClassVar[str] = "side"
    some_battles: ClassVar[bool] = True

    side: Annotated[SideKey, Meta(title="Side")]
    rolled: Annotated[Die | None, Meta(title="Rolled", description="Empty: Muster throws.")] = None
    achieved: Annotated[bool | None, Meta(title="Achieved", description="Only for the quarters of the table.")] = None
    thrown: Annotated[ThrownBy, Meta(title="Dice by")] = ""

    def complete(self, state: PlayState) -> Self:
        """The die that was thrown for the side before, if there is one."""
        before = state.rolled.get(self.side)
        if before is None:
            return self
        rolled = before.rolled if self.rolled is None else self.rolled
        return replace(self, rolled=rolled, thrown=before.thrown)

    def throw(self, state: PlayState, cup: Cup) -> Self:
        """The die of the objective; a secret one is thrown apart, and is none of the battle's dice. Ruling S4."""
        secret = is_secret(state.settings)
        return replace(self, rolled=cup.one_apart(objective_dice(self.side)) if secret else cup.one())


class CivilianFate(Event, frozen=True, kw_only=True):
    """What became of a Civilian; the last word on one counts."""

    key: ClassVar[str] = "civilian"
    label: ClassVar[str] = "Civilian"
    rule: ClassVar[str] = 'Rule book: "Civilians"'
    about: ClassVar[str] = ""
    some_battles: ClassVar[bool] = True

    civilian: Annotated[FighterId, Meta(title="Civilian")]
    outcome: Annotated[CivilianOutcome, Meta(title="What became of it")]
    by: Annotated[FighterId | None, Meta(title="By whom")] = None


class DuelPenalty(Event, frozen=True, kw_only=True):
    """The first outsider of the battle to do what only duellists may (Ruling S12)."""

    key: ClassVar[str] = "duel_penalty"
    label: ClassVar[str] = "Broken duel"
    help: ClassVar[str] = "Each of the two falls once in a battle, on whoever does it first."
    rule: ClassVar[str] = 'Rule book: "Duel"'
    about: ClassVar[str] = "side"
    some_battles: ClassVar[bool] = True

    side: Annotated[SideKey, Meta(title="Side")]
    which: Annotated[Offence, Meta(title="What", description="Attacked first, or entered the ground first.")]
