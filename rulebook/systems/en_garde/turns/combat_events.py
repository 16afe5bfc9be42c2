"""Events of hand-to-hand combat: challenges, rounds, blows."""

from typing import Annotated, ClassVar

from msgspec import Meta

from rulebook.systems.en_garde.play.events import COMBATANT, TEXT, Pips
from rulebook.systems.en_garde.turns.event_parts import Fighters, Inches, Ploys, TurnEvent, TwoDice


class Challenged(TurnEvent, frozen=True, kw_only=True):
    """A challenge to a duel. Who accepts fights nobody else until one of the two is dead."""

    label: ClassVar[str] = "Challenge"

    challenger: Annotated[str, Meta(title="Challenger", extra=COMBATANT)]
    challenged: Annotated[str, Meta(title="Challenged", extra=COMBATANT)]
    inches: Annotated[Inches, Meta(title="Inches", extra={"kind": "number"})] = 0
    accepted: Annotated[bool, Meta(title="Accepted")] = False


class CombatOpened(TurnEvent, frozen=True, kw_only=True):
    """A round of hand-to-hand combat: who fights, the counters of each side, dice of initiative, weapons in hand.

    ``rider`` names who rides by; with one rider only that could, it goes without saying.
    ``initiative`` holds each fighter's die and, after ties, the dice of its roll-offs. ``moved_on`` names the fighter
    who comes from a combat of this turn with the counters that are left, ``in_river`` those in the water who fight
    somebody on dry ground. A rider who rides by may have to roll its ``resolve`` (Wavering, Routing), and whoever comes
    into contact its ``nerve`` (the Terrifying): if that fails, there is no combat.

    In the simplified procedure ``initiative_by`` names one fighter of each side who rolls (else the first of each),
    and ``behind`` maps those with spear or pike to the friend whom they stand behind.
    """

    label: ClassVar[str] = "Combat"

    fighters: Annotated[dict[str, Fighters], Meta(title="Fighters by side")]
    counters: Annotated[dict[str, tuple[int, int]], Meta(title="Attack and Defence counters by side")]
    initiative: Annotated[dict[str, tuple[Pips, ...]], Meta(title="Dice of initiative")] = {}
    weapons: Annotated[dict[str, str], Meta(title="Weapons in hand")] = {}
    ride_by: Annotated[bool, Meta(title="Ride-by attack")] = False
    rider: Annotated[str, Meta(title="Who rides by", extra=COMBATANT)] = ""
    resolve: Annotated[Pips | None, Meta(title="Die for a shaken warband")] = None
    nerve: Annotated[Pips | None, Meta(title="Die against the Terrifying")] = None
    indoors: Annotated[bool, Meta(title="In a narrow building")] = False
    doorway: Annotated[str, Meta(title="Stands in a doorway", extra=COMBATANT)] = ""
    window: Annotated[str, Meta(title="Stands at a window", extra=COMBATANT)] = ""
    simplified: Annotated[bool, Meta(title="Simplified procedure")] = False
    initiative_by: Annotated[Fighters, Meta(title="Who rolls Initiative (simplified procedure)")] = ()
    behind: Annotated[dict[str, str], Meta(title="Behind whom (simplified procedure)")] = {}
    moved_on: Annotated[str, Meta(title="Comes from another combat", extra=COMBATANT)] = ""
    in_river: Annotated[Fighters, Meta(title="In the river against dry ground")] = ()
    lucky: Annotated[str, Meta(title="Lucky re-roll by", extra=COMBATANT)] = ""


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
    nerve: Annotated[Pips | None, Meta(title="Die against the Beguiling")] = None
    lucky: Annotated[str, Meta(title="Lucky re-roll by", extra=COMBATANT)] = ""
    luck: Annotated[Pips | None, Meta(title="Die that luck threw again")] = None


class Passed(TurnEvent, frozen=True, kw_only=True):
    """A fighter lets its opportunity in a combat go."""

    label: ClassVar[str] = "Pass"

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]


class WeaponSwitched(TurnEvent, frozen=True, kw_only=True):
    """A fighter takes another weapon in hand, in place of an attack."""

    label: ClassVar[str] = "Weapon switched"

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    weapon: Annotated[str, Meta(title="Weapon", max_length=60, extra=TEXT)]
