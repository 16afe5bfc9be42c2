"""The kinds of event of a battle that is logged turn by turn: one struct each.

``lucky`` names who forces a re-roll. With dice typed in they are as they stand after it; where Muster throws, it throws
one die again if the blow or shot goes against the Lucky, and leaves the luck unspent if not: the lowest die of its own,
or the highest of its enemy's (``luck``).

Dice are numbers as they fell, in the order in which they were thrown. ``thrown`` says whose they are: "app" for dice
that Muster threw, "table" for dice typed in. Every event but a plain word may be ``overruled`` with a reason where
the rules forbid it.
"""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from rulebook.en_garde.events import COMBATANT, SIDE, TEXT, Event, Pips
from rulebook.en_garde.table.blows import Ploy
from rulebook.en_garde.table.moving import Gait, Order, Terrain
from rulebook.en_garde.table.shooting import Cover

Inches = Annotated[float, Meta(ge=0, le=120)]
Fighters = Annotated[tuple[str, ...], Meta(max_length=60)]
Ploys = Annotated[tuple[Ploy, ...], Meta(max_length=4)]
TwoDice = Annotated[tuple[Pips, ...], Meta(max_length=2)]
Reason = Annotated[str, Meta(max_length=300)]


class TurnEvent(Event, frozen=True, kw_only=True, omit_defaults=True):
    """What every event of a turn has beside its own fields."""

    thrown: Annotated[Literal["", "app", "table"], Meta(title="Dice by")] = ""
    overruled: Annotated[Reason, Meta(title="Overruled because", extra=TEXT)] = ""


class Activation(TurnEvent, frozen=True, kw_only=True):
    """What activates a fighter; one of a Routing warband rolls its resolve first, and runs if that fails."""

    resolve: Annotated[Pips | None, Meta(title="Die for a shaken warband")] = None


class TurnStarted(TurnEvent, frozen=True, kw_only=True):
    """A new turn begins; its number is the event's turn."""

    label: ClassVar[str] = "Turn"


class PriorityRolled(TurnEvent, frozen=True, kw_only=True):
    """Who has Priority: dice by side, thrown again by those who tie."""

    label: ClassVar[str] = "Priority"

    rolls: Annotated[tuple[dict[str, Pips], ...], Meta(title="Dice", max_length=20)] = ()


class Moved(Activation, frozen=True, kw_only=True):
    """A fighter moves. ``contacts`` are the enemies that it touches afterwards; none leaves contact."""

    label: ClassVar[str] = "Move"

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    gait: Annotated[Gait, Meta(title="How")] = Gait.NORMAL
    terrain: Annotated[Terrain, Meta(title="Worst ground")] = Terrain.OPEN
    inches: Annotated[Inches | None, Meta(title="Inches", extra={"kind": "number"})] = None
    contacts: Annotated[Fighters, Meta(title="In contact with")] = ()
    passes_enemy: Annotated[bool, Meta(title="Passes within 1 inch of an enemy")] = False
    handler_away: Annotated[bool, Meta(title="Hound more than 12 inches from its handler")] = False
    leash: Annotated[Pips | None, Meta(title="Die of a hound without handler")] = None
    nerve: Annotated[Pips | None, Meta(title="Die against the Terrifying")] = None
    words: Annotated[str, Meta(title="In words", max_length=300, extra=TEXT)] = ""


class Acted(Activation, frozen=True, kw_only=True):
    """A fighter does something else with its turn."""

    label: ClassVar[str] = "Action"

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    what: Annotated[
        Literal["reload", "aim", "hide", "rest", "mount", "dismount", "special"],
        Meta(title="What"),
    ]
    weapon: Annotated[str, Meta(title="Weapon", max_length=60, extra=TEXT)] = ""
    die: Annotated[Pips | None, Meta(title="Die for wet powder")] = None
    words: Annotated[str, Meta(title="In words", max_length=300, extra=TEXT)] = ""


class Ordered(Activation, frozen=True, kw_only=True):
    """A Commander has others do the same as he says. For a Shoot order, ``target`` is the nominated enemy and ``near``
    those within 3 inches of it.
    """

    label: ClassVar[str] = "Order"

    commander: Annotated[str, Meta(title="Commander", extra=COMBATANT)]
    order: Annotated[Order, Meta(title="Order")]
    target: Annotated[str, Meta(title="Nominated target", extra=COMBATANT)] = ""
    near: Annotated[Fighters, Meta(title="Within 3 inches of it")] = ()
    fighters: Annotated[Fighters, Meta(title="Who")]


class ShotFired(Activation, frozen=True, kw_only=True):
    """A shot with hand weapon or gun. ``wide_of`` names whom a missed shot into combat was meant for, ``beside`` at
    whom a blast or spray was fired that strikes this target too: a blast by the same dice, a spray by its own.
    """

    label: ClassVar[str] = "Shot"

    shooter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    target: Annotated[str, Meta(title="At whom", extra=COMBATANT)]
    weapon: Annotated[str, Meta(title="Weapon", max_length=60, extra=TEXT)]
    inches: Annotated[Inches, Meta(title="Range in inches", extra={"kind": "number"})]
    cover: Annotated[Cover, Meta(title="Cover")] = Cover.NONE
    moved: Annotated[bool, Meta(title="With a short move")] = False
    twice: Annotated[bool, Meta(title="One of an Archer's two")] = False
    from_behind: Annotated[bool, Meta(title="From behind")] = False
    grapeshot: Annotated[bool, Meta(title="Grapeshot")] = False
    wide_of: Annotated[str, Meta(title="Meant for", extra=COMBATANT)] = ""
    beside: Annotated[str, Meta(title="By the same blast or spray as", extra=COMBATANT)] = ""
    dice: Annotated[TwoDice, Meta(title="Dice")] = ()
    reroll: Annotated[Pips | None, Meta(title="Sharpshooter's new die")] = None
    rider_die: Annotated[Pips | None, Meta(title="Die for mount or rider")] = None
    die: Annotated[Pips | None, Meta(title="Die for a large body")] = None
    nerve: Annotated[Pips | None, Meta(title="Die against the Beguiling")] = None
    lucky: Annotated[str, Meta(title="Lucky re-roll by", extra=COMBATANT)] = ""
    luck: Annotated[Pips | None, Meta(title="Die that luck threw again")] = None


class CombatOpened(TurnEvent, frozen=True, kw_only=True):
    """A round of hand-to-hand combat: who fights, the counters of each side, dice of initiative, weapons in hand.

    ``initiative`` holds each fighter's die and, after ties, the dice of its roll-offs. ``moved_on`` names the fighter
    who comes from a combat of this turn with the counters that are left, ``in_river`` those in the water who fight
    somebody on dry ground.
    """

    label: ClassVar[str] = "Combat"

    fighters: Annotated[dict[str, tuple[str, ...]], Meta(title="Fighters by side")]
    counters: Annotated[dict[str, tuple[int, int]], Meta(title="Attack and Defence counters by side")]
    initiative: Annotated[dict[str, tuple[Pips, ...]], Meta(title="Dice of initiative")] = {}
    weapons: Annotated[dict[str, str], Meta(title="Weapons in hand")] = {}
    ride_by: Annotated[bool, Meta(title="Ride-by attack")] = False
    indoors: Annotated[bool, Meta(title="In a narrow building")] = False
    simplified: Annotated[bool, Meta(title="Simplified procedure")] = False
    moved_on: Annotated[str, Meta(title="Comes from another combat", extra=COMBATANT)] = ""
    in_river: Annotated[Fighters, Meta(title="In the river against dry ground")] = ()


class Attacked(TurnEvent, frozen=True, kw_only=True):
    """An attack in hand-to-hand combat, with the ploys of both."""

    label: ClassVar[str] = "Attack"

    attacker: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    target: Annotated[str, Meta(title="Whom", extra=COMBATANT)]
    ploys: Annotated[Ploys, Meta(title="Attacker's Ploys")] = ()
    answers: Annotated[Ploys, Meta(title="Defender's Ploys")] = ()
    at_mount: Annotated[bool, Meta(title="At the mount")] = False
    by_mount: Annotated[bool, Meta(title="By the attacker's warhorse")] = False
    again: Annotated[bool, Meta(title="Fast: strikes once more at once")] = False
    dice: Annotated[tuple[Pips, ...], Meta(title="Dice", max_length=3)] = ()
    reroll: Annotated[Pips | None, Meta(title="Weapon Master's new die")] = None
    defence_dice: Annotated[TwoDice, Meta(title="Defence dice")] = ()
    defence_reroll: Annotated[Pips | None, Meta(title="Defending Weapon Master's new die")] = None
    die: Annotated[Pips | None, Meta(title="Die for a large body")] = None
    nerve: Annotated[Pips | None, Meta(title="Die against the Beguiling")] = None
    lucky: Annotated[str, Meta(title="Lucky re-roll by", extra=COMBATANT)] = ""
    luck: Annotated[Pips | None, Meta(title="Die that luck threw again")] = None


class FreeAttack(TurnEvent, frozen=True, kw_only=True):
    """A blow at a fighter who leaves contact: no counter, no ploys, one more on the roll (Ruling B25)."""

    label: ClassVar[str] = "Free attack"

    attacker: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    target: Annotated[str, Meta(title="Whom", extra=COMBATANT)]
    weapon: Annotated[str, Meta(title="Weapon", max_length=60, extra=TEXT)] = ""
    dice: Annotated[TwoDice, Meta(title="Dice")] = ()
    reroll: Annotated[Pips | None, Meta(title="Weapon Master's new die")] = None
    defence_dice: Annotated[TwoDice, Meta(title="Defence die")] = ()
    defence_reroll: Annotated[Pips | None, Meta(title="Defending Weapon Master's new die")] = None
    die: Annotated[Pips | None, Meta(title="Die for a large body")] = None


class Passed(TurnEvent, frozen=True, kw_only=True):
    """A fighter lets its opportunity in a combat go."""

    label: ClassVar[str] = "Pass"

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]


class WeaponSwitched(TurnEvent, frozen=True, kw_only=True):
    """A fighter takes another weapon in hand, in place of an attack."""

    label: ClassVar[str] = "Weapon switched"

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    weapon: Annotated[str, Meta(title="Weapon", max_length=60, extra=TEXT)]


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


class DexterityChecked(TurnEvent, frozen=True, kw_only=True):
    """A Dexterity Check, and the inches that a failure drops the fighter."""

    label: ClassVar[str] = "Dexterity Check"

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    dice: Annotated[TwoDice, Meta(title="Dice")] = ()
    falls: Annotated[Inches, Meta(title="Inches to fall", extra={"kind": "number"})] = 0
    fall_dice: Annotated[TwoDice, Meta(title="Dice of the fall")] = ()
    die: Annotated[Pips | None, Meta(title="Die for a large body")] = None
    words: Annotated[str, Meta(title="What for", max_length=300, extra=TEXT)] = ""


class InWater(TurnEvent, frozen=True, kw_only=True):
    """A fighter enters a river (``entering``), or rolls against drowning because it is Stunned in the water."""

    label: ClassVar[str] = "Water"

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    entering: Annotated[bool, Meta(title="Enters the river")] = False
    die: Annotated[Pips | None, Meta(title="Die")] = None
    drowning: Annotated[Pips | None, Meta(title="Die against drowning")] = None


class SpellCast(Activation, frozen=True, kw_only=True):
    """A Magician tries a spell. ``victims`` are those whom Stun reaches, each with its D3 in ``counters``."""

    label: ClassVar[str] = "Spell"

    magician: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    spell: Annotated[str, Meta(title="Spell", max_length=40, extra=TEXT)]
    target: Annotated[str | None, Meta(title="At whom", extra=COMBATANT)] = None
    inches: Annotated[Inches, Meta(title="Inches", extra={"kind": "number"})] = 0
    dice: Annotated[TwoDice, Meta(title="Dice")] = ()
    resisted_by: Annotated[str | None, Meta(title="Resisted by", extra=COMBATANT)] = None
    resisting_dice: Annotated[TwoDice, Meta(title="Resisting dice")] = ()
    blast_dice: Annotated[TwoDice, Meta(title="Dice of a Power Blast")] = ()
    victims: Annotated[Fighters, Meta(title="Whom Stun reaches")] = ()
    counters: Annotated[tuple[Annotated[int, Meta(ge=1, le=3)], ...], Meta(title="Their D3", max_length=60)] = ()
    die: Annotated[Pips | None, Meta(title="Die for a large body")] = None


class ObjectHandled(Activation, frozen=True, kw_only=True):
    """Something is picked up or dropped."""

    label: ClassVar[str] = "Object"

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    what: Annotated[str, Meta(title="What", min_length=1, max_length=60, extra=TEXT)]
    how: Annotated[Literal["taken", "dropped"], Meta(title="How")] = "taken"
    heavy: Annotated[bool, Meta(title="Heavy")] = False


class Challenged(TurnEvent, frozen=True, kw_only=True):
    """A challenge to a duel. Who accepts fights nobody else until one of the two is dead."""

    label: ClassVar[str] = "Challenge"

    challenger: Annotated[str, Meta(title="Challenger", extra=COMBATANT)]
    challenged: Annotated[str, Meta(title="Challenged", extra=COMBATANT)]
    inches: Annotated[Inches, Meta(title="Inches", extra={"kind": "number"})] = 0
    accepted: Annotated[bool, Meta(title="Accepted")] = False


TURN_BY_TURN: Mapping[str, type[TurnEvent]] = {
    "turn": TurnStarted,
    "priority": PriorityRolled,
    "challenge": Challenged,
    "move": Moved,
    "action": Acted,
    "order": Ordered,
    "shot": ShotFired,
    "spell": SpellCast,
    "object": ObjectHandled,
    "dexterity": DexterityChecked,
    "water": InWater,
    "free_attack": FreeAttack,
    "combat": CombatOpened,
    "attack": Attacked,
    "pass": Passed,
    "switch_weapon": WeaponSwitched,
    "stun_roll": StunRolled,
    "morale": MoraleTested,
}
"""Kinds of a log that is kept turn by turn."""


DICE = (
    "rolls",
    "resolve",
    "nerve",
    "leash",
    "luck",
    "die",
    "dice",
    "reroll",
    "rider_die",
    "initiative",
    "defence_dice",
    "defence_reroll",
    "fall_dice",
    "drowning",
    "resisting_dice",
    "blast_dice",
)
"""Fields that hold dice as they fell."""


def has_dice(event: TurnEvent) -> bool:
    """Does the event hold any dice?"""
    return any(getattr(event, field, None) for field in DICE)
