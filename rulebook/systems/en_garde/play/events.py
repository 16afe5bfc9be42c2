"""The kinds of event that a battle's log takes: one struct each, with the titles and bounds that a form shows.

Fighters are named by their ids, sides by their keys, Civilians as "civilian-1", "civilian-2" and so on.
"""

from enum import StrEnum
from typing import Annotated, ClassVar

from msgspec import Meta

from rulebook.battle_log.kinds import Die, FighterId, SideKey, Text, TurnNumber
from rulebook.systems.en_garde.play.event import Event
from rulebook.systems.en_garde.table.wounds import WoundResult


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


class WoundEvent(Event, frozen=True, kw_only=True):
    """One attack or mishap that told, with the result of that alone; the log adds it to what went before."""

    key: ClassVar[str] = "wound"
    label: ClassVar[str] = "Wound"
    help: ClassVar[str] = "What a single attack did. Muster adds it to the wounds before."
    rule: ClassVar[str] = 'Rule book: "Wounds", "Wound Table"'
    about: ClassVar[str] = "attacker"
    hurts: ClassVar[bool] = True

    victim: Annotated[FighterId, Meta(title="Who was hit")]
    result: Annotated[WoundResult, Meta(title="Result")]
    means: Annotated[Means, Meta(title="How")] = Means.MELEE
    attacker: Annotated[
        str | None,
        Meta(title="By whom", description="Nobody for falls, drowning and poison.", extra={"kind": "combatant"}),
    ] = None
    weapon: Annotated[Text, Meta(title="Weapon", max_length=60)] = ""
    subdue: Annotated[bool, Meta(title="Subdue", description="Meant to knock out, not to kill.")] = False
    third_stun: Annotated[
        bool,
        Meta(title="Third Stunned counter", description="The Light wound came from a third Stunned counter."),
    ] = False
    on_mount: Annotated[bool, Meta(title="The mount was hit", description="Not its rider.")] = False
    friendly: Annotated[bool, Meta(title="Friendly fire", description="Dealt by the victim's own side.")] = False
    die: Annotated[
        Die | None,
        Meta(title="Die", description="For a Critical wound on a large body: kills on 4 or more."),
    ] = None


class StunRemoved(Event, frozen=True, kw_only=True):
    """A fighter shakes off Stunned counters."""

    key: ClassVar[str] = "removed_stun"
    label: ClassVar[str] = "Stunned counters removed"
    rule: ClassVar[str] = 'Rule book: "Remove stunned counters"'
    hurts: ClassVar[bool] = True

    fighter: Annotated[FighterId, Meta(title="Who")]
    counters: Annotated[int, Meta(title="Counters", ge=1, le=2)] = 1


class Routed(Event, frozen=True, kw_only=True):
    """A fighter left the table while its warband was Routing (Ruling S13)."""

    key: ClassVar[str] = "routed"
    label: ClassVar[str] = "Routed off the table"
    help: ClassVar[str] = "Only who left while the warband was Routing."
    rule: ClassVar[str] = 'Rule book: "Routing"'
    hurts: ClassVar[bool] = True

    fighter: Annotated[FighterId, Meta(title="Who")]
    overruled: Annotated[
        str,
        Meta(
            title="Overruled because",
            description="Turn by turn: why it counts all the same if its warband is not Routing.",
            max_length=300,
            extra={"kind": "text"},
        ),
    ] = ""


class LeftTable(Event, frozen=True, kw_only=True):
    """A fighter left the table of its own will."""

    key: ClassVar[str] = "left"
    label: ClassVar[str] = "Left the table"
    rule: ClassVar[str] = 'Rule book: "Victory Points"'
    hurts: ClassVar[bool] = True

    fighter: Annotated[FighterId, Meta(title="Who")]
    edge: Annotated[Edge, Meta(title="Edge", description="Seen from where its side set out.")] = Edge.OTHER


class Captured(Event, frozen=True, kw_only=True):
    """A fighter or a banner was captured (Rulings B20, B21)."""

    key: ClassVar[str] = "captured"
    label: ClassVar[str] = "Captured"
    help: ClassVar[str] = "Carried off, or held at the end: a fighter or a banner."
    rule: ClassVar[str] = 'Rule book: "Victory Points"'

    by: Annotated[FighterId, Meta(title="By whom")]
    fighter: Annotated[FighterId | None, Meta(title="Fighter")] = None
    banner: Annotated[SideKey | None, Meta(title="Banner of")] = None
    overruled: Annotated[
        str,
        Meta(
            title="Overruled because",
            description="Why it counts all the same if nobody is unconscious, or the banner has not fallen.",
            max_length=300,
            extra={"kind": "text"},
        ),
    ] = ""


class ExtraPoints(Event, frozen=True, kw_only=True):
    """Victory points that the players agree upon, with a reason."""

    key: ClassVar[str] = "points"
    label: ClassVar[str] = "Extra victory points"
    about: ClassVar[str] = "side"

    side: Annotated[SideKey, Meta(title="Side")]
    amount: Annotated[int, Meta(title="Points", ge=-99, le=99)]
    reason: Annotated[Text, Meta(title="Reason", min_length=3, max_length=300)]


class Withdrew(Event, frozen=True, kw_only=True):
    """A side leaves the field in good order."""

    key: ClassVar[str] = "withdrew"
    label: ClassVar[str] = "Withdrew"
    rule: ClassVar[str] = 'Rule book: "Check victory conditions"'
    about: ClassVar[str] = "side"

    side: Annotated[SideKey, Meta(title="Side")]


class Conceded(Event, frozen=True, kw_only=True):
    """A side gives the battle up."""

    key: ClassVar[str] = "conceded"
    label: ClassVar[str] = "Conceded"
    rule: ClassVar[str] = 'Rule book: "Check victory conditions"'
    about: ClassVar[str] = "side"

    side: Annotated[SideKey, Meta(title="Side")]


class Ended(Event, frozen=True, kw_only=True):
    """The battle is over."""

    key: ClassVar[str] = "ended"
    label: ClassVar[str] = "The battle ended"
    rule: ClassVar[str] = 'Rule book: "Check victory conditions"'
    about: ClassVar[str] = ""

    turn: Annotated[TurnNumber | None, Meta(title="Turns played")] = None
    how: Annotated[Ending, Meta(title="Why")] = Ending.LAST_TURN

    @property
    def ends_combat_phase(self) -> bool:
        """Is the last turn played to its end? A battle broken off does not show it."""
        return self.how is Ending.LAST_TURN


class RecoveryRolled(Event, frozen=True, kw_only=True):
    """The die thrown at the table after the battle for a gravely wounded fighter (Rulings C7, C15)."""

    key: ClassVar[str] = "recovery"
    label: ClassVar[str] = "Recovery die"
    help: ClassVar[str] = "Only where the house rules throw one and the table has: else Muster throws."
    rule: ClassVar[str] = 'Rule book: "Campaigns"'

    fighter: Annotated[FighterId, Meta(title="Who")]
    die: Annotated[int, Meta(title="Die", ge=1, le=6)]
