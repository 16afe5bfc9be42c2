"""The data files of En Garde!, each with its shape, and the reading of all of them into one catalogue."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec
from msgspec import Struct

from rulebook.systems.en_garde.book.arms import (
    Armour,
    Attribute,
    Barding,
    CloseCombatWeapon,
    Grapeshot,
    Gun,
    Item,
    MagicItem,
    MissileWeapon,
    Mount,
    Poison,
    Rate,
    Shield,
    Spell,
)
from rulebook.systems.en_garde.book.lists import BaseProfile, Customisation, Faction, Option, Profile

DATA = Path(__file__).parent.parent / "data"

LISTS = (
    "landsknechts",
    "three-musketeers",
    "cardinals-guard",
    "conquistadors",
    "aztecs",
    "border-reivers",
    "english-civil-war",
    "swashbucklers",
    "ottoman-empire",
    "native-north-americans",
    "custom",
    "fantastical",
)
"""The lists in the order in which people expect them: the rule book's nine, then what is built upon them."""


class Keyed(Protocol):
    """Anything with a key of its own."""

    @property
    def key(self) -> str: ...


MOST_CUSTOM_ATTRIBUTES = 24

K = TypeVar("K", bound=Keyed)
T = TypeVar("T")


class CatalogueError(Exception):
    """The data files contradict themselves: a mistake of ours, never of a user."""


class MovementFile(Struct, frozen=True, forbid_unknown_fields=True):
    """movement.toml: the rates from slow to cavalry, and what nothing goes below."""

    rates: tuple[Rate, ...]
    floor: Rate


class CloseCombatFile(Struct, frozen=True, forbid_unknown_fields=True):
    """close_combat_weapons.toml."""

    weapons: tuple[CloseCombatWeapon, ...]


class MissileFile(Struct, frozen=True, forbid_unknown_fields=True):
    """missile_weapons.toml."""

    weapons: tuple[MissileWeapon, ...]


class OrdnanceFile(Struct, frozen=True, forbid_unknown_fields=True):
    """ordnance.toml."""

    guns: tuple[Gun, ...]
    grapeshot: Grapeshot


class ArmourFile(Struct, frozen=True, forbid_unknown_fields=True):
    """armour.toml."""

    armour: tuple[Armour, ...]
    shields: tuple[Shield, ...]


class MountsFile(Struct, frozen=True, forbid_unknown_fields=True):
    """mounts.toml."""

    mounts: tuple[Mount, ...]
    barding: tuple[Barding, ...]


class AttributesFile(Struct, frozen=True, forbid_unknown_fields=True):
    """attributes.toml: the 17 of the rule book's main part."""

    attributes: tuple[Attribute, ...]


class FantasticalFile(Struct, frozen=True, forbid_unknown_fields=True):
    """fantastical.toml."""

    attributes: tuple[Attribute, ...]
    spells: tuple[Spell, ...]
    magic_items: tuple[MagicItem, ...]


class BaseProfilesFile(Struct, frozen=True, forbid_unknown_fields=True):
    """base_profiles.toml."""

    profiles: tuple[BaseProfile, ...]


class ProgressionFile(Struct, frozen=True, forbid_unknown_fields=True):
    """progression.toml: experience for the step up from a Rank."""

    costs: dict[int, int]


class Arms(Struct, frozen=True):
    """Arms and armour by key, in the rule book's order; ``items`` holds all but the guns."""

    close_combat: Mapping[str, CloseCombatWeapon]
    missiles: Mapping[str, MissileWeapon]
    guns: Mapping[str, Gun]
    grapeshot: Grapeshot
    armour: Mapping[str, Armour]
    shields: Mapping[str, Shield]
    mounts: Mapping[str, Mount]
    barding: Mapping[str, Barding]
    magic_items: Mapping[str, MagicItem]
    items: Mapping[str, Item]


class Catalogue(Struct, frozen=True):
    """The whole catalogue, each part by key and in the rule book's order."""

    arms: Arms
    rates: Mapping[str, Rate]
    floor: Rate
    attributes: Mapping[str, Attribute]
    spells: Mapping[str, Spell]
    base_profiles: Mapping[int, BaseProfile]
    calculator: Customisation
    costs: Mapping[int, int]
    factions: Mapping[str, Faction]
    profiles: Mapping[str, Profile]
    """Every profile by "list/profile"."""


def by_key(entries: Iterable[K]) -> dict[str, K]:
    """The entries by key. Raises CatalogueError where two share one."""
    table: dict[str, K] = {}
    for entry in entries:
        if entry.key in table:
            raise CatalogueError(f"two entries with the key {entry.key!r}")
        table[entry.key] = entry
    return table


def read(name: str, shape: type[T]) -> T:
    """A data file in its shape. Raises CatalogueError naming the file and the place."""
    try:
        return msgspec.toml.decode((DATA / name).read_bytes(), type=shape)
    except msgspec.MsgspecError as error:
        raise CatalogueError(f"{name}: {error}") from error


def load() -> Catalogue:
    """Every data file in one catalogue, not yet checked against itself."""
    arms = _arms()
    base = read("base_profiles.toml", BaseProfilesFile).profiles
    factions = by_key(_faction(key, base) for key in LISTS)
    movement = read("movement.toml", MovementFile)
    return Catalogue(
        rates=by_key(movement.rates),
        floor=movement.floor,
        attributes=_attributes(),
        spells=by_key(read("fantastical.toml", FantasticalFile).spells),
        base_profiles={profile.rank: profile for profile in base},
        calculator=read("customisation.toml", Customisation),
        costs=read("progression.toml", ProgressionFile).costs,
        factions=factions,
        profiles={f"{faction.key}/{each.key}": each for faction in factions.values() for each in faction.profiles},
        arms=arms,
    )


def _arms() -> Arms:
    close_combat = by_key(read("close_combat_weapons.toml", CloseCombatFile).weapons)
    missiles = by_key(read("missile_weapons.toml", MissileFile).weapons)
    ordnance = read("ordnance.toml", OrdnanceFile)
    armour = read("armour.toml", ArmourFile)
    mounts = read("mounts.toml", MountsFile)
    magic_items = by_key(read("fantastical.toml", FantasticalFile).magic_items)
    poison = Poison(points=read("customisation.toml", Customisation).poison)
    everything: tuple[Item, ...] = (
        *close_combat.values(),
        *missiles.values(),
        *armour.armour,
        *armour.shields,
        *mounts.mounts,
        *mounts.barding,
        *magic_items.values(),
        poison,
    )
    return Arms(
        close_combat=close_combat,
        missiles=missiles,
        guns=by_key(ordnance.guns),
        grapeshot=ordnance.grapeshot,
        armour=by_key(armour.armour),
        shields=by_key(armour.shields),
        mounts=by_key(mounts.mounts),
        barding=by_key(mounts.barding),
        magic_items=magic_items,
        items=by_key(everything),
    )


def _attributes() -> dict[str, Attribute]:
    general = read("attributes.toml", AttributesFile).attributes
    strange = read("fantastical.toml", FantasticalFile).attributes
    marked = (msgspec.structs.replace(attribute, fantastical=True) for attribute in strange)
    return by_key((*general, *marked))


def _faction(key: str, base: tuple[BaseProfile, ...]) -> Faction:
    faction = read(f"lists/{key}.toml", Faction)
    if faction.kind != "custom":
        return faction
    return msgspec.structs.replace(faction, profiles=tuple(_custom_profile(each) for each in base))


def _custom_profile(base: BaseProfile) -> Profile:
    # Any number of Attributes makes sense; more than the Rank's own allowance is a matter for the roster (Ruling P29).
    return Profile(
        key=f"rank-{base.rank}",
        name=f"Custom Rank {base.rank}",
        rank=base.rank,
        move="infantry",
        combat_pool=base.combat_pool,
        initiative=base.initiative,
        fight=base.fight,
        shoot=base.shoot,
        armour_rating=base.armour_rating,
        points=base.points,
        options=(Option(key="attributes", kind="attributes", most=MOST_CUSTOM_ATTRIBUTES),),
    )
