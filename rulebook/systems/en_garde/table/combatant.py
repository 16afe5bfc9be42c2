"""A fighter as it stands on the table: its numbers, arms and wounds, and what they amount to right now."""

from collections.abc import Mapping
from functools import cache, lru_cache

from msgspec import Struct

from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.table.wounds import UNHURT, Wound, WoundState, WoundTable, penalties, reduced


class Modifier(Struct, frozen=True):
    """One thing that is added to a roll or score: how much, why in a few words, and the rule behind it."""

    amount: int
    reason: str
    rule: str


def added(*listed: tuple[int, str, str]) -> tuple[Modifier, ...]:
    """What is added of what might be: amounts of 0 are left out."""
    return tuple([Modifier(amount, reason, rule) for amount, reason, rule in listed if amount])


def total(modifiers: tuple[Modifier, ...]) -> int:
    """The sum of modifiers: all are cumulative. Rule book: "Shooting procedure"."""
    return sum(modifier.amount for modifier in modifiers)


class Steed(Struct, frozen=True):
    """The mount beneath a fighter, a body of its own: ``armour_rating`` is that of its barding (Ruling B26)."""

    key: str
    armour_rating: int = 0
    heavy: bool = False
    wounds: WoundState = UNHURT


class Combatant(Struct, frozen=True):
    """A fighter in a battle. Characteristics are unhurt ones; ``worn`` is body armour alone (Ruling B18).
    Of it, ``warded`` is what a spell gives.

    ``attributes`` maps each Attribute to the weapons that it was taken for (none for most). ``weapons`` are keys of
    close combat and missile weapons; ``striking`` and ``wounding`` name those with magic on them. A ``beast`` without
    any fights with tooth and hoof (Ruling P21).
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
        """Has it this Attribute?"""
        return attribute in self.attributes

    def has_for(self, attribute: str, weapon: str) -> bool:
        """Has it this Attribute for this weapon, for one that it is another name of, or for its use hand-to-hand?"""
        taken = self.attributes.get(attribute)
        return taken is not None and any(name in taken for name in _names_of(weapon))

    @property
    def mounted(self) -> bool:
        """Is there a mount beneath it?"""
        return self.steed is not None

    @property
    def big_target(self) -> bool:
        """A rider on a horse, or a large model, is a large target. Rule book: "Large Models"."""
        return self.mounted or self.table is WoundTable.LARGE

    @property
    def bears_wound(self) -> bool:
        """Has it a Light or Grievous wound that it feels? A Tough fighter does not feel a Light one."""
        return self.wounds.wound is Wound.GRIEVOUS or (self.wounds.wound is Wound.LIGHT and not self.has("tough"))


@cache
def _names_of(weapon: str) -> tuple[str, ...]:
    """Under which keys the tables of arms know it: a pistol has a row of its own for close combat. Ruling D8."""
    arms = catalogue().arms
    missile = arms.missiles.get(weapon)
    same = (missile.same_as,) if missile is not None and missile.same_as else ()
    return (weapon, *same, *(row.key for row in arms.close_combat.values() if row.comes_with == weapon))


class Numbers(Struct, frozen=True):
    """The characteristics as wounds leave them, never below 0. Rule book: "Basic Principles"."""

    initiative: int
    fight: int
    shoot: int


def present_numbers(fighter: Combatant, settings: HouseRules = USUAL) -> Numbers:
    """Initiative, Fight and Shoot right now. Fast adds to Initiative only where the profile does not hold it yet.

    Rule book: "Wound Table", "Tough". Ruling B8.
    """
    tough, stun_penalty = fighter.has("tough"), settings.stun_penalty
    return _reduced_numbers(fighter.initiative, fighter.fight, fighter.shoot, fighter.wounds, tough, stun_penalty)


@lru_cache(maxsize=4096)
def _reduced_numbers(
    initiative: int, fight: int, shoot: int, wounds: WoundState, tough: bool, stun_penalty: str
) -> Numbers:
    weight = penalties(_felt(wounds, tough=tough), stun_penalty=stun_penalty)
    return Numbers(
        initiative=reduced(initiative, weight.initiative),
        fight=reduced(fight, weight.fight),
        shoot=reduced(shoot, weight.shoot),
    )


def _felt(wounds: WoundState, *, tough: bool) -> WoundState:
    return WoundState(stunned=wounds.stunned) if tough and wounds.wound is Wound.LIGHT else wounds


def armour_in_combat(fighter: Combatant, two_handed: bool, settings: HouseRules = USUAL) -> int:
    """Armour Rating against a blow: body armour, and a buckler if a hand is free for it. Ruling B18."""
    if settings.shield_rating == "flat":
        return fighter.worn + int(fighter.buckler or fighter.shield)
    return fighter.worn + int(fighter.buckler and not two_handed)


def armour_against_shot(fighter: Combatant, *, from_front: bool, settings: HouseRules = USUAL) -> int:
    """Armour Rating against a shot: body armour, and a shield if the shot comes from the front. Ruling B18."""
    if settings.shield_rating == "flat":
        return fighter.worn + int(fighter.buckler or fighter.shield)
    return fighter.worn + int(fighter.shield and from_front)
