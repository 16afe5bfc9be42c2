"""The shapes of everything that a fighter can carry, wear, ride or know, as the data files hold it.

Points are what the calculator charges; ranges are inches; `note` is a few words of our own.
"""

from typing import Literal

from msgspec import Struct

from rulebook.book.data import BookEntry


class PricedItem(BookEntry, frozen=True):
    """Something that can be bought."""

    points: int


class Rate(BookEntry, frozen=True):
    """A movement rate: inches of a short, a normal and a run move. Rule book: "Move"."""

    short: int
    normal: int
    run: int


class CloseCombatWeapon(PricedItem, frozen=True):
    """A row of the rule book's "Close combat weapons": modifiers to Initiative and to the Wound
    Score.

    ``initiative_later`` replaces ``initiative`` after the first Combat Phase of an engagement
    (Ruling B22). ``wound_two_handed`` counts if ``hands`` is "either" and both are used.
    ``comes_with`` names the missile weapon that this is the close combat side of; ``needs`` the
    weapon without which it cannot be had.
    """

    initiative: int = 0
    initiative_later: int | None = None
    wound: int = 0
    wound_against_mounted: int = 0
    wound_when_mounted: int = 0
    wound_two_handed: int = 0
    hands: Literal["one", "two", "either"] = "one"
    powder: bool = False
    reload: int = 0
    comes_with: str = ""
    needs: str = ""


class MissileWeapon(PricedItem, frozen=True):
    """A row of the rule book's "Missile weapons": ``range``, ``spray`` and ``blast`` in inches.

    ``long_range`` says whether the usual limit on missile weapons counts it (Ruling P10);
    ``gunpowder`` whether Dodge is of no use against it by its kind; ``same_as`` names the row it is
    another name for.
    """

    range: int
    wound: int = 0
    reload: int = 0
    spray: int = 0
    blast: int = 0
    inaccurate: bool = False
    match: bool = False
    powder: bool = False
    one_use: bool = False
    never_mounted: bool = False
    long_range: bool = False
    gunpowder: bool = False
    bow: bool = False
    same_as: str = ""


class Gun(MissileWeapon, frozen=True, kw_only=True):
    """A row of the rule book's "Ordinance": ``crew`` counts fighters, who are bought apart from the
    gun."""

    crew: int
    grapeshot: bool = False
    immobile: bool = False


class Grapeshot(Struct, frozen=True, forbid_unknown_fields=True):
    """Grapeshot: range and spray in inches, and what it does to the gun's own Wound Score
    modifier."""

    range: int
    spray: int
    wound: int


class Protection(BookEntry, frozen=True):
    """Something with an Armour Rating that can be bought."""

    rating: int
    points: int


class Armour(Protection, frozen=True):
    """A suit of armour; ``natural`` cannot be bought (Ruling D17)."""

    no_run: bool = False
    natural: bool = False


class Shield(Protection, frozen=True):
    """A buckler or shield, and where its rating counts (Ruling B18)."""

    counts: Literal["close-combat", "front-shots"]


class Mount(PricedItem, frozen=True):
    """A horse or warhorse with its own characteristics. Rule book: "Mounted combat"."""

    fight: int
    combat_pool: int
    initiative: int


class Barding(Protection, frozen=True):
    """Armour for a mount; it protects the mount alone (Ruling B26)."""

    no_run: bool = False


class Attribute(PricedItem, frozen=True):
    """A special ability. ``weapon`` says from which table its weapon comes, if it is taken for one.

    ``ranks`` names the Ranks that may have it (all, if empty), ``most_armour`` the highest Armour
    Rating. ``needs`` names Attributes that must be there first: none that is printed needs one
    (Ruling D21).
    """

    note: str
    points_per_rank: int = 0
    ranks: tuple[int, ...] = ()
    weapon: Literal["", "close-combat", "missile"] = ""
    needs: tuple[str, ...] = ()
    most_armour: int | None = None
    fantastical: bool = False


class Spell(BookEntry, frozen=True):
    """A spell: its cost in Magic Points; ``range`` and ``radius`` in inches, 0 for none."""

    magic_points: int
    note: str
    range: int = 0
    radius: int = 0
    wound: int = 0


class MagicItem(PricedItem, frozen=True):
    """A magic item. ``on_weapon`` ones are bought for one weapon; ``reserved`` ones belong to a
    printed profile.

    ``as_weapon`` names the close combat weapon that it is used as.
    """

    note: str
    on_weapon: bool = False
    reserved: bool = False
    as_weapon: str = ""


class Poison(PricedItem, frozen=True):
    """Poison on one weapon, on top of its price. Rule book: "Poison"."""

    on_weapon: bool = True


Item = PricedItem | Protection
"""Anything that can be part of a fighter's equipment."""
