"""Everything that the rule book prints as a table, read once from ``data/``, checked, and looked up
by key.

A lookup of a key that is not there raises RulesError with the field, the value and the keys that
exist.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from rulebook.book.data import DataError, by_key, read_data, read_table
from rulebook.systems.en_garde.book import arms
from rulebook.systems.en_garde.book.arms import Attribute, Rate, Spell
from rulebook.systems.en_garde.book.lists import (
    BaseProfile,
    Customisation,
    Faction,
    Option,
    Profile,
    Template,
)
from rulebook.values.problems import find

EDITION = "2026.1"
DATA = Path(__file__).parent.parent / "data"
MAX_CUSTOM_ATTRIBUTES = 24


class Arms(Struct, frozen=True):
    """Arms and armour by key, in the rule book's order; ``items`` holds all but the guns."""

    close_combat: Mapping[str, arms.CloseCombatWeapon]
    missiles: Mapping[str, arms.MissileWeapon]
    guns: Mapping[str, arms.Gun]
    grapeshot: arms.Grapeshot
    armour: Mapping[str, arms.Armour]
    shields: Mapping[str, arms.Shield]
    mounts: Mapping[str, arms.Mount]
    barding: Mapping[str, arms.Barding]
    magic_items: Mapping[str, arms.MagicItem]
    items: Mapping[str, arms.Item]


class Catalogue(Struct, frozen=True):
    """The whole catalogue, each part by key and in the rule book's order; ``costs`` are the
    experience from a Rank."""

    arms: Arms
    rates: Mapping[str, Rate]
    floor: Rate
    """The rate that nothing goes below."""
    attributes: Mapping[str, Attribute]
    spells: Mapping[str, Spell]
    base_profiles: Mapping[int, BaseProfile]
    calculator: Customisation
    costs: Mapping[int, int]
    factions: Mapping[str, Faction]
    profiles: Mapping[str, Profile]
    """Every profile by "list/profile"."""


@cache
def catalogue() -> Catalogue:
    """Return the catalogue, read and checked once.

    Raises DataError if the data contradicts itself.
    """
    general = read_data(DATA / "attributes.toml", tuple[Attribute, ...], "attributes")
    strange = read_data(DATA / "fantastical.toml", tuple[Attribute, ...], "attributes")
    base = read_data(DATA / "base_profiles.toml", tuple[BaseProfile, ...], "profiles")
    calculator = read_data(DATA / "customisation.toml", Customisation)
    factions = by_key(
        _faction(key, base) for key in read_data(DATA / "lists.toml", tuple[str, ...], "order")
    )
    profiles: dict[str, Profile] = {}
    for faction in factions.values():
        for profile in faction.profiles:
            profiles[f"{faction.key}/{profile.key}"] = profile
    loaded = Catalogue(
        arms=_arms(calculator),
        rates=read_table(DATA / "movement.toml", Rate, "rates"),
        floor=read_data(DATA / "movement.toml", Rate, "floor"),
        attributes=by_key(
            (*general, *(msgspec.structs.replace(each, fantastical=True) for each in strange))
        ),
        spells=read_table(DATA / "fantastical.toml", Spell, "spells"),
        base_profiles={profile.rank: profile for profile in base},
        calculator=calculator,
        costs=read_data(DATA / "progression.toml", dict[int, int], "costs"),
        factions=factions,
        profiles=profiles,
    )
    check(loaded)
    return loaded


def _arms(calculator: Customisation) -> Arms:
    tables: dict[str, dict[str, Any]] = {
        "close_combat": read_table(
            DATA / "close_combat_weapons.toml", arms.CloseCombatWeapon, "weapons"
        ),
        "missiles": read_table(DATA / "missile_weapons.toml", arms.MissileWeapon, "weapons"),
        "armour": read_table(DATA / "armour.toml", arms.Armour, "armour"),
        "shields": read_table(DATA / "armour.toml", arms.Shield, "shields"),
        "mounts": read_table(DATA / "mounts.toml", arms.Mount, "mounts"),
        "barding": read_table(DATA / "mounts.toml", arms.Barding, "barding"),
        "magic_items": read_table(DATA / "fantastical.toml", arms.MagicItem, "magic_items"),
    }
    items = chain.from_iterable(table.values() for table in tables.values())
    return Arms(
        **tables,
        guns=read_table(DATA / "ordnance.toml", arms.Gun, "guns"),
        grapeshot=read_data(DATA / "ordnance.toml", arms.Grapeshot, "grapeshot"),
        items=by_key((*items, arms.Poison("poison", "Poison", calculator.poison))),
    )


def _faction(key: str, base: tuple[BaseProfile, ...]) -> Faction:
    faction = read_data(DATA / "lists" / f"{key}.toml", Faction)
    if faction.kind != "custom":
        return faction
    return msgspec.structs.replace(faction, profiles=tuple(map(_custom_profile, base)))


def _custom_profile(base: BaseProfile) -> Profile:
    # Any number of Attributes makes sense; more than the Rank's own allowance is a matter for the
    # roster (Ruling P29).
    attributes = Option(key="attributes", kind="attributes", most=MAX_CUSTOM_ATTRIBUTES)
    same = ("rank", "combat_pool", "initiative", "fight", "shoot", "armour_rating", "points")
    numbers = {key: getattr(base, key) for key in same}
    return Profile(
        f"rank-{base.rank}",
        f"Custom Rank {base.rank}",
        move="infantry",
        options=(attributes,),
        **numbers,
    )


# Does the data make sense? Every thing named exists, every profile's armour adds up, every option
# can be taken.


def check(loaded: Catalogue) -> None:
    """Raise DataError with everything that is wrong, a line each."""
    faults: list[str] = []
    for faction in loaded.factions.values():
        faults += _faction_faults(loaded, faction)
    for attribute in loaded.attributes.values():
        faults += _missing(f"attribute {attribute.key}", attribute.needs, loaded.attributes)
    if faults:
        raise DataError("\n".join(faults))


def _missing(where: str, keys: Iterable[str], existing: Mapping[str, object]) -> Iterator[str]:
    return (
        f"{where}: there is no {key!r}"
        for key in keys
        if key and key.partition(":")[0] not in existing
    )


def _faction_faults(loaded: Catalogue, faction: Faction) -> Iterator[str]:
    where = f"list {faction.key}"
    composition = faction.composition
    yield from _missing(where, faction.item_points, loaded.arms.items)
    yield from _missing(where, (faction.variant_of, composition.allies), loaded.factions)
    yield from _missing(where, composition.missile_weapons, loaded.arms.missiles)
    yield from _missing(where, composition.guns, loaded.arms.guns)
    own = {profile.key: profile for profile in faction.profiles}
    yield from _missing(
        where, (composition.servants, *composition.masters, *faction.fearless_while), own
    )
    if len(own) < len(faction.profiles):
        yield f"{where}: two profiles share a key"
    for profile in faction.profiles:
        yield from _profile_faults(loaded, f"{where}, profile {profile.key}", profile)


def _profile_faults(loaded: Catalogue, where: str, profile: Profile) -> Iterator[str]:
    arms = loaded.arms
    yield from _missing(where, profile.equipment, arms.items)
    yield from _missing(where, profile.choice, arms.close_combat)
    yield from _missing(where, (*profile.attributes, *profile.waived), loaded.attributes)
    yield from _missing(where, profile.spells, loaded.spells)
    yield from _missing(where, (profile.move,), loaded.rates)
    worn = sum(arms.armour[key].rating for key in profile.equipment if key in arms.armour)
    borne = sum(arms.shields[key].rating for key in profile.equipment if key in arms.shields)
    if worn + borne != profile.armour_rating:
        yield f"{where}: armour rating {profile.armour_rating} is not that of its equipment"
    if len({option.key for option in profile.options}) < len(profile.options):
        yield f"{where}: two options share a key"
    for option in profile.options:
        yield from _option_faults(loaded, f"{where}, option {option.key}", profile, option)


def _option_faults(
    loaded: Catalogue, where: str, profile: Profile, option: Option
) -> Iterator[str]:
    yield from _missing(where, option.items, loaded.arms.items)
    attributes = (*option.attributes, *option.excluded, option.share_of, option.if_attribute)
    yield from _missing(where, attributes, loaded.attributes)
    yield from _missing(where, option.guns, loaded.arms.guns)
    if option.gives_up and option.gives_up not in profile.equipment:
        yield f"{where}: gives up {option.gives_up!r}, which the profile has not got"
    if (option.kind == "exchange") != bool(option.gives_up):
        yield f"{where}: an exchange, and nothing else, gives something up"
    if (option.kind in ("exchange", "add", "mount")) != bool(option.items):
        yield f"{where}: items belong to an exchange, an addition or a mount"
    if (option.kind == "crew") != bool(option.guns):
        yield f"{where}: guns belong to a crew"


# Looking things up.


def faction(key: str, field: str = "faction") -> Faction:
    """Return the list of that key. Raises RulesError if there is none."""
    return find(catalogue().factions, key, field, "list")


def profile(reference: str) -> Profile:
    """Return the profile of "list/profile": names alone are used twice (Ruling D20).

    Raises RulesError if there is none.
    """
    list_key, _, profile_key = reference.partition("/")
    own = {each.key: each for each in faction(list_key, "profile").profiles}
    return find(own, profile_key, "profile", f"profile of {list_key}")


def gun(key: str) -> arms.Gun:
    """Return a piece of ordnance. Raises RulesError if there is none."""
    return find(catalogue().arms.guns, key, "ordnance", "gun")


def attribute(key: str) -> Attribute:
    """Return the Attribute of that key, without its weapon. Raises RulesError if there is none."""
    return find(catalogue().attributes, key, "attributes", "Attribute")


def template(key: str) -> Template:
    """Return the warband type of that key. Raises RulesError if there is none."""
    return find(
        {each.key: each for each in catalogue().calculator.templates},
        key,
        "template",
        "template of a warband",
    )


def base_profile(rank: int) -> BaseProfile:
    """Return the base profile of a Rank from 1 to 5. Rule book: "Base profiles"."""
    return catalogue().base_profiles[rank]


def item_name(key: str) -> str:
    """Return what people call an item: "Great weapon", or "Poison (dagger)" for one that is bought
    for a weapon."""
    return _name(catalogue().arms.items, key)


def attribute_name(key: str) -> str:
    """Return what people call an Attribute: "Fearless", or "Weapon Master (sword)"."""
    return _name(catalogue().attributes, key)


def item_points(key: str, list_key: str = "") -> int:
    """Return what an item costs, in points, by the tables or by that list's own prices (Ruling
    D3)."""
    plain = key.partition(":")[0]
    own = catalogue().factions[list_key].item_points if list_key in catalogue().factions else {}
    return own[plain] if plain in own else catalogue().arms.items[plain].points


def attribute_points(key: str, rank: int) -> int:
    """Return what an Attribute costs a fighter of that Rank, in points."""
    attribute = catalogue().attributes[key.partition(":")[0]]
    return attribute.points + attribute.points_per_rank * rank


def morale_surcharge(morale: int) -> int:
    """Return what a Morale Rating costs each fighter, in points. Rule book: "Warband Morale"."""
    return catalogue().calculator.morale.surcharge[morale]


def _name(table: Mapping[str, arms.Item] | Mapping[str, Attribute], key: str) -> str:
    plain, _, weapon = key.partition(":")
    name = table[plain].name
    return f"{name} ({catalogue().arms.items[weapon].name.lower()})" if weapon else name
