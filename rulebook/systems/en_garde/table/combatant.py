"""A fighter as it stands on the table: its numbers, wounds and the weapon in its hand, and what
they amount to.

Rule book: "Close combat weapons", "Which weapon?", "Buildings".
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from operator import attrgetter

from msgspec import Struct

from rulebook.systems.en_garde.book import broken
from rulebook.systems.en_garde.book.arms import CloseCombatWeapon
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.table.wounds import (
    UNHURT,
    Wound,
    WoundState,
    WoundTable,
    penalties,
    reduced,
)
from rulebook.values.problems import Violation


class Modifier(Struct, frozen=True):
    """One thing that is added to a roll or score: how much, why in a few words, and the rule behind
    it."""

    amount: int
    reason: str
    rule: str


AMOUNT = attrgetter("amount")


def added(*listed: tuple[int, str, str]) -> tuple[Modifier, ...]:
    """Return what is added of what might be: amounts of 0 are left out."""
    return tuple([Modifier(*each) for each in listed if each[0]])


def total(modifiers: tuple[Modifier, ...]) -> int:
    """Return the sum of modifiers: all are cumulative. Rule book: "Shooting procedure"."""
    return sum(map(AMOUNT, modifiers))


class Steed(Struct, frozen=True):
    """The mount beneath a fighter, a body of its own: ``armour_rating`` is that of its barding
    (Ruling B26)."""

    key: str
    armour_rating: int = 0
    heavy: bool = False
    wounds: WoundState = UNHURT


class Combatant(Struct, frozen=True):
    """A fighter in a battle. Characteristics are unhurt ones; ``worn`` is body armour alone (Ruling
    B18). Of it, ``warded`` is what a spell gives.

    ``attributes`` maps each Attribute to the weapons that it was taken for (none for most).
    ``weapons`` are keys of close combat and missile weapons; ``striking`` and ``wounding`` name
    those with magic on them. A ``beast`` without any fights with tooth and hoof (Ruling P21).
    """

    id: str
    name: str
    rank: int
    rate: str = "infantry"
    combat_pool: int = 1
    initiative: int = 0
    fight: int = 1
    shoot: int = 0
    worn: int = 0
    warded: int = 0
    heavy_armour: bool = False
    buckler: bool = False
    shield: bool = False
    weapons: tuple[str, ...] = ()
    attributes: Mapping[str, tuple[str, ...]] = {}
    steed: Steed | None = None
    table: WoundTable = WoundTable.STANDARD
    wounds: WoundState = UNHURT
    striking: tuple[str, ...] = ()
    wounding: tuple[str, ...] = ()
    poisoned: tuple[str, ...] = ()
    civilian: bool = False
    fantastical: bool = False
    beast: bool = False

    def has(self, attribute: str) -> bool:
        """Return whether the fighter has this Attribute."""
        return attribute in self.attributes

    def has_for(self, attribute: str, weapon: str) -> bool:
        """Return whether it has this Attribute for this weapon, its other name, or its use
        hand-to-hand."""
        taken = self.attributes.get(attribute)
        return taken is not None and any(name in taken for name in _names_of(weapon))

    @property
    def mounted(self) -> bool:
        """Return whether there is a mount beneath it."""
        return self.steed is not None

    @property
    def bears_wound(self) -> bool:
        """Return whether it has a Light or Grievous wound that it feels.

        A Tough fighter does not feel a Light one.
        """
        return self.wounds.wound is Wound.GRIEVOUS or (
            self.wounds.wound is Wound.LIGHT and not self.has("tough")
        )


@cache
def _names_of(weapon: str) -> tuple[str, ...]:
    """Return the keys under which the tables of arms know a weapon: a pistol has a row of its own
    for close combat.

    Ruling D8.
    """
    arms = catalogue().arms
    missile = arms.missiles.get(weapon)
    same = (missile.same_as,) if missile is not None and missile.same_as else ()
    return (
        weapon,
        *same,
        *(row.key for row in arms.close_combat.values() if row.comes_with == weapon),
    )


class Numbers(Struct, frozen=True):
    """The characteristics as wounds leave them, never below 0. Rule book: "Basic Principles"."""

    initiative: int
    fight: int
    shoot: int


def present_numbers(fighter: Combatant, settings: HouseRules = USUAL) -> Numbers:
    """Return Initiative, Fight and Shoot right now.

    Fast adds to Initiative only where the profile does not hold it yet.

    Rule book: "Wound Table", "Tough". Ruling B8.
    """
    tough = fighter.has("tough")
    stun_penalty = settings.stun_penalty
    return numbers_with(
        fighter.initiative, fighter.fight, fighter.shoot, fighter.wounds, tough, stun_penalty
    )


@lru_cache(maxsize=4096)
def numbers_with(
    initiative: int, fight: int, shoot: int, wounds: WoundState, tough: bool, stun_penalty: str
) -> Numbers:
    """Return the characteristics with these wounds; the Tough do not feel a Light one.

    Rule book: "Tough". Ruling B8.
    """
    felt = WoundState(stunned=wounds.stunned) if tough and wounds.wound is Wound.LIGHT else wounds
    weight = penalties(felt, stun_penalty=stun_penalty)
    return Numbers(
        initiative=reduced(initiative, weight.initiative),
        fight=reduced(fight, weight.fight),
        shoot=reduced(shoot, weight.shoot),
    )


def armour_in_combat(fighter: Combatant, two_handed: bool, settings: HouseRules = USUAL) -> int:
    """Return Armour Rating against a blow: body armour, and a buckler if a hand is free for it.

    Ruling B18.
    """
    if settings.shield_rating == "flat":
        return fighter.worn + int(fighter.buckler or fighter.shield)
    return fighter.worn + int(fighter.buckler and not two_handed)


def armour_against_shot(
    fighter: Combatant, *, from_front: bool, settings: HouseRules = USUAL
) -> int:
    """Return Armour Rating against a shot: body armour, and a shield if the shot comes from the
    front.

    Ruling B18.
    """
    if settings.shield_rating == "flat":
        return fighter.worn + int(fighter.buckler or fighter.shield)
    return fighter.worn + int(fighter.shield and from_front)


BARE_HANDS = "hands-and-feet"
TABLE = 'Rule book: "Close combat weapons"'
LONG_HANDLED = frozenset({"spear", "pike", "halberd", "great-weapon", "staff", "lance"})


class Grip(Struct, frozen=True):
    """The grip of a fighter in a round: the weapon, both hands or one, and which round of the
    engagement it is.

    ``indoors`` is a combat inside a building without much room.
    """

    weapon: str = BARE_HANDS
    two_handed: bool = False
    first_round: bool = True
    indoors: bool = False
    pistol_reload: int = 0


def weapon_in_hand(grip: Grip) -> CloseCombatWeapon:
    """Return the row of the weapon; a pistol is used by its close combat row.

    Raises KeyError for an unknown one.
    """
    rows = catalogue().arms.close_combat
    return rows["pistol-in-close-combat"] if grip.weapon == "pistol" else rows[grip.weapon]


def held_with_both(fighter: Combatant, weapon: str) -> bool:
    """Return whether a fighter holds a weapon for one hand or two with both by default."""
    free = not (fighter.mounted or fighter.buckler or fighter.shield)
    return free and takes_either(weapon)


@cache
def takes_either(weapon: str) -> bool:
    """Return whether a weapon is for one hand or two."""
    row = catalogue().arms.close_combat.get(weapon)
    return row is not None and row.hands == "either"


def uses_both_hands(grip: Grip) -> bool:
    """Return whether the weapon takes both hands, by its nature or by choice."""
    hands = weapon_in_hand(grip).hands
    return hands == "two" or (hands == "either" and grip.two_handed)


def grip_violations(fighter: Combatant, grip: Grip) -> tuple[Violation, ...]:
    """Return everything that forbids to fight like this."""
    weapon = weapon_in_hand(grip)
    carried = grip.weapon == BARE_HANDS or grip.weapon in fighter.weapons
    both = uses_both_hands(grip)
    loaded = grip.weapon != "pistol" or grip.pistol_reload == 0
    if (
        carried
        and loaded
        and not (both and fighter.mounted)
        and not (grip.two_handed and weapon.hands == "one")
    ):
        return ()
    return broken(
        (not carried, "weapon-not-carried"),
        (both and fighter.mounted, "two-handed-mounted"),
        (grip.two_handed and weapon.hands == "one", "one-handed"),
        (not loaded, "pistol-empty"),
        name=fighter.name,
        weapon=weapon.name.lower(),
    )


def initiative_modifiers(
    fighter: Combatant,
    grip: Grip,
    *,
    ride_by: bool = False,
    in_river: bool = False,
    settings: HouseRules = USUAL,
) -> tuple[Modifier, ...]:
    """Return what is added to a die and Initiative at the start of a round; amounts of 0 are left
    out.

    ``in_river`` is a fighter in the water against one on dry ground. Rulings B22, B23, P21.
    """
    by_nature = _fights_by_nature(fighter, grip, settings)
    return _added_to_initiative(grip, by_nature, ride_by, in_river)


# Few grips and flags make up what is added, and battles ask for it at every blow.
@lru_cache(maxsize=4096)
def _added_to_initiative(
    grip: Grip, by_nature: bool, ride_by: bool, in_river: bool
) -> tuple[Modifier, ...]:
    weapon = weapon_in_hand(grip)
    amount = weapon.initiative
    if not grip.first_round and weapon.initiative_later is not None:
        amount = weapon.initiative_later
    return added(
        (0 if by_nature else amount, weapon.name, TABLE),
        (-1 if _is_long_indoors(grip) else 0, "long weapon indoors", 'Rule book: "Buildings"'),
        (1 if ride_by else 0, "ride-by attack", 'Rule book: "Ride-by attacks"'),
        (-1 if in_river else 0, "in the river", 'Rule book: "Hold the Bridge"'),
    )


def _is_long_indoors(grip: Grip) -> bool:
    return grip.indoors and grip.weapon in LONG_HANDLED


def _fights_by_nature(fighter: Combatant, grip: Grip, settings: HouseRules) -> bool:
    """Return whether a fighter needs no weapon: beasts do not, people do, hounds as the house rule
    says.

    Ruling P21.
    """
    unarmed = grip.weapon == BARE_HANDS and fighter.beast
    return unarmed and not (fighter.has("no-defence") and settings.hounds_bare_handed)


def blow_modifiers(fighter: Combatant, grip: Grip, target: Combatant) -> tuple[Modifier, ...]:
    """Return what is added to an Attack Roll besides Fight: magic, and a long weapon in a narrow
    place."""
    holy = target.fantastical and grip.weapon == "staff" and "staff-of-solomon" in fighter.weapons
    return _added_to_blow(_is_long_indoors(grip), grip.weapon in fighter.striking, holy)


@cache
def _added_to_blow(long_indoors: bool, striking: bool, holy: bool) -> tuple[Modifier, ...]:
    return added(
        (-1 if long_indoors else 0, "long weapon indoors", 'Rule book: "Buildings"'),
        (1 if striking else 0, "Weapon of Striking", 'Rule book: "Magic items"'),
        (2 if holy else 0, "Staff of Solomon", 'Rule book: "The Witch Hunter"'),
    )


def blow_wound_modifiers(
    fighter: Combatant, grip: Grip, target: Combatant, settings: HouseRules = USUAL
) -> tuple[Modifier, ...]:
    """Return what is added to the Basic Wound Score of a blow, before ploys.

    Rule book: "Powerful". Rulings B23, B36.
    """
    return _added_to_wound(
        grip,
        _fights_by_nature(fighter, grip, settings),
        target.mounted,
        fighter.mounted,
        fighter.has("powerful"),
        grip.weapon in fighter.wounding,
    )


@lru_cache(maxsize=4096)
def _added_to_wound(
    grip: Grip,
    by_nature: bool,
    against_rider: bool,
    from_saddle: bool,
    powerful: bool,
    wounding: bool,
) -> tuple[Modifier, ...]:
    weapon = weapon_in_hand(grip)
    name = weapon.name
    return added(
        (0 if by_nature else weapon.wound, name, TABLE),
        (weapon.wound_two_handed if grip.two_handed else 0, f"{name} in both hands", TABLE),
        (
            weapon.wound_against_mounted if against_rider else 0,
            f"{name} against a rider",
            "Ruling B36",
        ),
        (
            weapon.wound_when_mounted if from_saddle else 0,
            f"{name} from the saddle",
            "Ruling B23",
        ),
        (1 if powerful else 0, "Powerful", 'Rule book: "Powerful"'),
        (1 if wounding else 0, "Weapon of Wounding", 'Rule book: "Magic items"'),
    )
