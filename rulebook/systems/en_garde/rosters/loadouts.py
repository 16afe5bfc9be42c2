"""The loadout of a fighter, from profile, options and earlier Ranks: numbers, equipment,
Attributes, armour."""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

from msgspec import Struct

from rulebook.ruleset import RulesError
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.lists import BaseProfile, Profile
from rulebook.systems.en_garde.rosters.builds import (
    BARDING,
    Build,
    Picks,
    filled,
    known_part,
    plain,
)

NUMBERS = ("combat_pool", "initiative", "fight", "shoot")


class Loadout(Struct, frozen=True):
    """A fighter put together. The numbers are without the bonuses of Duellist and Fast.

    ``issued`` is what profile and options give; ``equipment`` holds what was kept as well, with the
    best of each slot only. ``selected`` says that it has a paid option of any kind (Ruling P16),
    ``extra_equipment`` that a part of its equipment was one.
    """

    list_key: str
    profile: Profile
    rank: int
    combat_pool: int
    initiative: int
    fight: int
    shoot: int
    move: str
    mounted: bool
    issued: Picks
    equipment: Picks
    gear: frozenset[str]
    attributes: Picks
    knows: frozenset[str]
    selected: bool
    extra_equipment: bool

    def carries(self, key: str) -> bool:
        """Return whether it has that item."""
        return key in self.gear

    def has(self, attribute: str) -> bool:
        """Return whether it has that Attribute, with whatever weapon."""
        return attribute in self.knows


@lru_cache(maxsize=65536)
def loadout(build: Build) -> Loadout:
    """Return the loadout of a canonical build.

    Raises RulesError with every thing in it that does not exist.

    Options add to what the profile has; only an exchange takes something away (Ruling P30).
    """
    _, unknown = known_part(build)
    if unknown:
        raise RulesError(*unknown)
    profile = catalogue.profile(build.profile)
    issued = [*((build.choice,) if build.choice else profile.choice[:1]), *profile.equipment]
    taken: list[str] = []
    attributes = [*profile.attributes]
    for option in (*profile.options, BARDING):
        picks = build.picks(option.key)
        if option.kind == "exchange" and picks:
            issued.remove(option.gives_up)
        if option.kind in ("exchange", "add", "mount"):
            taken += picks
        elif option.kind == "attributes":
            attributes += picks
    attributes += build.kept.attributes
    given = best_of_each_slot((*issued, *taken, *build.equipment))
    equipment = best_of_each_slot((*given, *build.kept.equipment))
    mounted = any(key in catalogue.catalogue().arms.mounts for key in equipment)
    # What a custom fighter was given; else a mount decides, then wings, then the profile.
    move = build.move
    if not move and mounted:
        move = "cavalry"
    elif not move:
        move = "fast" if "fly" in attributes else profile.move
    return Loadout(
        list_key=build.list_key,
        profile=profile,
        rank=profile.rank,
        **numbers(build, profile),
        move=move,
        mounted=mounted,
        issued=given,
        equipment=equipment,
        gear=frozenset(map(plain, equipment)),
        attributes=tuple(attributes),
        knows=frozenset(map(plain, attributes)),
        selected=bool(build.options or build.equipment or kept_options(build)),
        extra_equipment=bool(taken or build.equipment or _paid(build.kept.equipment)),
    )


def numbers_of(source: Profile | BaseProfile | Loadout) -> dict[str, int]:
    """Return Combat Pool, Initiative, Fight and Shoot as they stand there."""
    return {key: getattr(source, key) for key in NUMBERS}


def numbers(build: Build, profile: Profile) -> dict[str, int]:
    """Return Combat Pool, Initiative, Fight and Shoot of a build."""
    return filled(build.kept.numbers, filled(build.characteristics, numbers_of(profile)))


def kept_options(build: Build) -> bool:
    """Return whether a veteran still has something of its earlier Ranks that was a paid option
    (Ruling P16)."""
    return bool(build.kept.attributes) or _paid(build.kept.equipment)


def _paid(equipment: Picks) -> bool:
    return any(catalogue.item_points(key) for key in equipment)


def may_handle(outfit: Loadout) -> bool:
    """Return whether a fighter may mind hounds: on foot, without optional equipment. Ruling P20."""
    return outfit.profile.move == "infantry" and not outfit.mounted and not outfit.extra_equipment


def rate_on_foot(outfit: Loadout) -> str:
    """Return the rate of a rider without its mount: its profile's own, or Infantry where that is a
    rider's.

    Rule book: "Move", "Mounts".
    """
    return "infantry" if outfit.profile.move == "cavalry" else outfit.profile.move


@cache
def slots() -> Mapping[str, Mapping[str, int]]:
    """Return the places where a fighter has room for one thing only, and how good each thing for it
    is."""
    arms = catalogue.catalogue().arms
    tables: dict[str, Mapping[str, Any]] = {
        "armour": arms.armour,
        "shield": arms.shields,
        "mount": arms.mounts,
        "barding": arms.barding,
    }
    return {
        slot: {key: each.points for key, each in table.items()} for slot, table in tables.items()
    }


def slot_of(key: str) -> str:
    """Return the slot that an item fills, "" for what needs none."""
    return next((slot for slot, things in slots().items() if key in things), "")


def best_of_each_slot(equipment: Iterable[str]) -> Picks:
    """Return the equipment with one thing a slot, the better one; of two alike the first stays."""
    kept: list[str] = []
    for key in equipment:
        slot = slot_of(key)
        rival = next((other for other in kept if slot and slot_of(other) == slot), None)
        if rival is None:
            kept.append(key)
        elif slots()[slot][key] > slots()[slot][rival]:
            kept[kept.index(rival)] = key
    return tuple(kept)


class ArmourRating(Struct, frozen=True):
    """Armour Ratings: what is worn on the body, and what counts in close combat and against shots
    from the front.

    ``printed`` is the single figure of the army lists: body and shield of whatever kind together.
    ``mount`` is the mount's own, which protects only the mount (Ruling B26).
    """

    body: int
    close_combat: int
    front_shots: int
    printed: int
    mount: int


@lru_cache(maxsize=65536)
def armour_rating(build: Build) -> ArmourRating:
    """Return the Armour Ratings of a canonical build. Rulings B17, B18."""
    gear = loadout(build).gear
    arms = catalogue.catalogue().arms
    body = sum(arms.armour[key].rating for key in gear if key in arms.armour)
    shields = [arms.shields[key] for key in gear if key in arms.shields]
    return ArmourRating(
        body=body,
        close_combat=body + sum(each.rating for each in shields if each.counts == "close-combat"),
        front_shots=body + sum(each.rating for each in shields if each.counts == "front-shots"),
        printed=body + sum(each.rating for each in shields),
        mount=sum(arms.barding[key].rating for key in gear if key in arms.barding),
    )


def least_rating(outfit: Loadout) -> int:
    """Return the printed Armour Rating once all is given up that an option line takes back for
    something else and new.
    """
    arms = catalogue.catalogue().arms
    worn: dict[str, Any] = {**arms.armour, **arms.shields}
    given_up = {
        line.gives_up
        for line in outfit.profile.options
        if line.kind == "exchange"
        and any(not outfit.carries(key) for key in line.items.keys() - worn)
    }
    return sum(
        each.rating for key, each in worn.items() if outfit.carries(key) and key not in given_up
    )


def may_run(outfit: Loadout) -> bool:
    """Return whether its armour lets it make a Run move. Rule book: "Armour", "Mounts"."""
    arms = catalogue.catalogue().arms
    worn = (*arms.armour.values(), *arms.barding.values())
    return not any(each.no_run for each in worn if each.key in outfit.gear)  # type: ignore[attr-defined]
