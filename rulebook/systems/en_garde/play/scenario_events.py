"""The kinds of event that only some scenarios ask for: objectives, ground that scores, Civilians, broken duels."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from rulebook.systems.en_garde.play.events import COMBATANT, SIDE, TEXT, Event, Pips


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

    label: ClassVar[str] = "Objective"
    help: ClassVar[str] = "Who controls it at the end. The first fighter named is its holder (Ruling X8)."

    side: Annotated[str | None, Meta(title="Side", description="Empty: nobody controls it.", extra=SIDE)] = None
    by: Annotated[tuple[str, ...], Meta(title="Fighters in control", max_length=60)] = ()
    how: Annotated[Hold, Meta(title="How")] = Hold.HELD
    what: Annotated[str, Meta(title="What it is", max_length=60, extra=TEXT)] = ""


class Position(Event, frozen=True, kw_only=True):
    """Everybody of one side who stands on the Defender's bank; the last word for a side counts."""

    label: ClassVar[str] = "On the Defender's bank"
    help: ClassVar[str] = "All fighters of one side who are there at the end."

    side: Annotated[str, Meta(title="Side", extra=SIDE)]
    fighters: Annotated[tuple[str, ...], Meta(title="Fighters", max_length=60)]


class Touching(Event, frozen=True, kw_only=True):
    """Everybody of one side whose base touches the centre; the last word for a side counts."""

    label: ClassVar[str] = "Touching the centre"
    help: ClassVar[str] = "All fighters of one side whose bases touch it at the end."

    side: Annotated[str, Meta(title="Side", extra=SIDE)]
    fighters: Annotated[tuple[str, ...], Meta(title="Fighters", max_length=60)]


class MinorObjectiveRolled(Event, frozen=True, kw_only=True):
    """A side's minor objective, and, where the log cannot show it, whether it was achieved.

    Without ``rolled`` Muster throws. Where minor objectives are secret that die is one apart, which a side may learn
    before the others do (``minor_objectives.own_secret``).
    """

    label: ClassVar[str] = "Minor objective"
    help: ClassVar[str] = "Whether it was achieved follows from the log, save for the quarters of the table."

    side: Annotated[str, Meta(title="Side", extra=SIDE)]
    rolled: Annotated[Pips | None, Meta(title="Rolled", description="Empty: Muster throws.")] = None
    achieved: Annotated[bool | None, Meta(title="Achieved", description="Only for the quarters of the table.")] = None
    thrown: Annotated[Literal["", "app", "table"], Meta(title="Dice by")] = ""


class CivilianFate(Event, frozen=True, kw_only=True):
    """What became of a Civilian; the last word on one counts."""

    label: ClassVar[str] = "Civilian"

    civilian: Annotated[str, Meta(title="Civilian", extra=COMBATANT)]
    outcome: Annotated[CivilianOutcome, Meta(title="What became of it")]
    by: Annotated[str | None, Meta(title="By whom", extra=COMBATANT)] = None


class DuelPenalty(Event, frozen=True, kw_only=True):
    """The first outsider of the battle to do what only duellists may (Ruling S12)."""

    label: ClassVar[str] = "Broken duel"
    help: ClassVar[str] = "Each of the two falls once in a battle, on whoever does it first."

    side: Annotated[str, Meta(title="Side", extra=SIDE)]
    which: Annotated[Offence, Meta(title="What", description="Attacked first, or entered the ground first.")]


SOME_BATTLES: Mapping[str, type[Event]] = {
    "minor_objective": MinorObjectiveRolled,
    "objective": ObjectiveHeld,
    "duel_penalty": DuelPenalty,
    "civilian": CivilianFate,
    "position": Position,
    "touching": Touching,
}
"""Kinds that only some scenarios ask for."""
