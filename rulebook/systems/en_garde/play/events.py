"""The kinds of event that a battle's log takes: one struct each, with the titles and bounds that a form shows.

Fighters are named by their ids, sides by their keys, Civilians as "civilian-1", "civilian-2" and so on.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct

from rulebook.systems.en_garde.table.wounds import WoundResult

COMBATANT = {"kind": "combatant"}
SIDE = {"kind": "side"}
TEXT = {"kind": "text"}

Pips = Annotated[int, Meta(ge=1, le=6)]
TurnNumber = Annotated[int, Meta(ge=1, le=99)]


class Means(StrEnum):
    """How a wound was dealt."""

    MELEE = "melee"
    SHOOTING = "shooting"
    ORDNANCE = "ordnance"
    SPELL = "spell"
    RIPOSTE = "riposte"
    FREE_ATTACK = "free-attack"
    FALL = "fall"
    DROWNING = "drowning"
    POISON = "poison"
    MOUNT = "mount"
    OTHER = "other"


class Edge(StrEnum):
    """An edge of the table, seen from where the fighter's side set out."""

    OWN = "own"
    OPPOSITE = "opposite"
    OTHER = "other"


class Ending(StrEnum):
    """Why a battle ended."""

    LAST_TURN = "last-turn"
    DESTROYED = "destroyed"
    WITHDREW = "withdrew"
    CONCEDED = "conceded"
    LEFT_TABLE = "left-table"
    AGREED = "agreed"


class Event(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every kind of event has: how it is called and explained to people."""

    label: ClassVar[str] = ""
    help: ClassVar[str] = ""


class WoundEvent(Event, frozen=True, kw_only=True):
    """One attack or mishap that told, with the result of that alone; the log adds it to what went before."""

    label: ClassVar[str] = "Wound"
    help: ClassVar[str] = "What a single attack did. Muster adds it to the wounds before."

    victim: Annotated[str, Meta(title="Who was hit", extra=COMBATANT)]
    result: Annotated[WoundResult, Meta(title="Result")]
    means: Annotated[Means, Meta(title="How")] = Means.MELEE
    attacker: Annotated[
        str | None,
        Meta(title="By whom", description="Nobody for falls, drowning and poison.", extra=COMBATANT),
    ] = None
    weapon: Annotated[str, Meta(title="Weapon", max_length=60, extra=TEXT)] = ""
    subdue: Annotated[bool, Meta(title="Subdue", description="Meant to knock out, not to kill.")] = False
    third_stun: Annotated[
        bool,
        Meta(title="Third Stunned counter", description="The Light wound came from a third Stunned counter."),
    ] = False
    on_mount: Annotated[bool, Meta(title="The mount was hit", description="Not its rider.")] = False
    friendly: Annotated[bool, Meta(title="Friendly fire", description="Dealt by the victim's own side.")] = False
    die: Annotated[
        Pips | None,
        Meta(title="Die", description="For a Critical wound on a large body: kills on 4 or more."),
    ] = None


class StunRemoved(Event, frozen=True, kw_only=True):
    """A fighter shakes off Stunned counters."""

    label: ClassVar[str] = "Stunned counters removed"

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    counters: Annotated[int, Meta(title="Counters", ge=1, le=2)] = 1


class Routed(Event, frozen=True, kw_only=True):
    """A fighter left the table while its warband was Routing (Ruling S13)."""

    label: ClassVar[str] = "Routed off the table"
    help: ClassVar[str] = "Only who left while the warband was Routing."

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    overruled: Annotated[
        str,
        Meta(
            title="Overruled because",
            description="Turn by turn: why it counts all the same if its warband is not Routing.",
            max_length=300,
            extra=TEXT,
        ),
    ] = ""


class LeftTable(Event, frozen=True, kw_only=True):
    """A fighter left the table of its own will."""

    label: ClassVar[str] = "Left the table"

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    edge: Annotated[Edge, Meta(title="Edge", description="Seen from where its side set out.")] = Edge.OTHER


class Captured(Event, frozen=True, kw_only=True):
    """A fighter or a banner was captured (Rulings B20, B21)."""

    label: ClassVar[str] = "Captured"
    help: ClassVar[str] = "Carried off, or held at the end: a fighter or a banner."

    by: Annotated[str, Meta(title="By whom", extra=COMBATANT)]
    fighter: Annotated[str | None, Meta(title="Fighter", extra=COMBATANT)] = None
    banner: Annotated[str | None, Meta(title="Banner of", extra=SIDE)] = None
    overruled: Annotated[
        str,
        Meta(
            title="Overruled because",
            description="Why it counts all the same if nobody is unconscious, or the banner has not fallen.",
            max_length=300,
            extra=TEXT,
        ),
    ] = ""


class ExtraPoints(Event, frozen=True, kw_only=True):
    """Victory points that the players agree upon, with a reason."""

    label: ClassVar[str] = "Extra victory points"

    side: Annotated[str, Meta(title="Side", extra=SIDE)]
    amount: Annotated[int, Meta(title="Points", ge=-99, le=99)]
    reason: Annotated[str, Meta(title="Reason", min_length=3, max_length=300, extra=TEXT)]


class Withdrew(Event, frozen=True, kw_only=True):
    """A side leaves the field in good order."""

    label: ClassVar[str] = "Withdrew"

    side: Annotated[str, Meta(title="Side", extra=SIDE)]


class Conceded(Event, frozen=True, kw_only=True):
    """A side gives the battle up."""

    label: ClassVar[str] = "Conceded"

    side: Annotated[str, Meta(title="Side", extra=SIDE)]


class Ended(Event, frozen=True, kw_only=True):
    """The battle is over."""

    label: ClassVar[str] = "The battle ended"

    turn: Annotated[TurnNumber | None, Meta(title="Turns played")] = None
    how: Annotated[Ending, Meta(title="Why")] = Ending.LAST_TURN


class RecoveryRolled(Event, frozen=True, kw_only=True):
    """The die thrown at the table after the battle for a gravely wounded fighter (Rulings C7, C15)."""

    label: ClassVar[str] = "Recovery die"
    help: ClassVar[str] = "Only where the house rules throw one and the table has: else Muster throws."

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    die: Annotated[int, Meta(title="Die", ge=1, le=6)]


class Note(Event, frozen=True, kw_only=True):
    """Something worth telling that changes nothing."""

    label: ClassVar[str] = "Note"

    text: Annotated[str, Meta(title="Text", min_length=1, max_length=2000, extra=TEXT)]


class Correction(Event, frozen=True, kw_only=True):
    """An earlier event is replaced, or struck if no kind is given. The event's turn stays unless another is given."""

    label: ClassVar[str] = "Correction"
    help: ClassVar[str] = "Replaces an earlier event, or strikes it if no kind is given."

    event: Annotated[int, Meta(title="Event", ge=1)]
    reason: Annotated[str, Meta(title="Reason", min_length=3, max_length=300, extra=TEXT)]
    kind: Annotated[str | None, Meta(title="Kind instead", extra=TEXT)] = None
    data: Annotated[dict[str, Any] | None, Meta(title="Data instead", extra=TEXT)] = None
    turn: Annotated[TurnNumber | None, Meta(title="Turn instead")] = None


EVERY_BATTLE: Mapping[str, type[Event]] = {
    "wound": WoundEvent,
    "removed_stun": StunRemoved,
    "routed": Routed,
    "left": LeftTable,
    "captured": Captured,
    "points": ExtraPoints,
    "withdrew": Withdrew,
    "conceded": Conceded,
    "ended": Ended,
    "recovery": RecoveryRolled,
    "note": Note,
    "correction": Correction,
}
"""Kinds that every battle's log takes."""
