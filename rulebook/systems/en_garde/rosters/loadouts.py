"""What a fighter has in the end, from profile, options and earlier Ranks: numbers, equipment, Attributes, armour."""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from msgspec import Struct

from rulebook.ruleset import RulesError
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.arms import Armour, Shield
from rulebook.systems.en_garde.book.lists import Option, Profile
from rulebook.systems.en_garde.rosters.builds import Build, Picks, filled, plain, unknown_things

BARDING = Option(key="barding", kind="add", items={"light-barding": 2, "heavy-barding": 5}, if_mounted=True)
"""The option line that every list gets where the campaign lets any mount wear barding (Ruling D5)."""

NUMBERS = ("combat_pool", "initiative", "fight", "shoot")


class Loadout(Struct, frozen=True):
    """A fighter put together. The numbers are without the bonuses of Duellist and Fast.

    ``issued`` is what profile and options give; ``equipment`` holds what was kept as well, with the best of each
    slot only. ``selected`` says that it has a paid option of any kind (Ruling P16), ``extra_equipment`` that a part
    of its equipment was one.
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
        """Whether it has that item."""
        return key in self.gear

    def has(self, attribute: str) -> bool:
        """Whether it has that Attribute, with whatever weapon."""
        return attribute in self.knows


@lru_cache(maxsize=65536)
def loadout(build: Build) -> Loadout:
    """The loadout of a canonical build. Raises RulesError with every thing in it that does not exist."""
    profile = catalogue.profile(build.profile)
    unknown = tuple(unknown_things(build, options_of(profile, barding=True)))
    if unknown:
        raise RulesError(*unknown)
    issued = best_of_each_slot((*_issued(build, profile), *build.equipment))
    equipment = best_of_each_slot((*issued, *build.kept.equipment))
    attributes = _attributes(build, profile)
    mounted = any(key in slots()["mount"] for key in equipment)
    return Loadout(
        list_key=build.list_key,
        profile=profile,
        rank=profile.rank,
        **numbers(build, profile),
        move=_move(build, profile, mounted, attributes),
        mounted=mounted,
        issued=issued,
        equipment=equipment,
        gear=frozenset(map(plain, equipment)),
        attributes=attributes,
        knows=frozenset(map(plain, attributes)),
        selected=bool(build.options or build.equipment or kept_options(build)),
        extra_equipment=bool(_taken_items(build, profile) or build.equipment or _paid(build.kept.equipment)),
    )


def may_handle(outfit: Loadout) -> bool:
    """Whether a fighter may mind hounds: on foot, without optional equipment. Ruling P20."""
    on_foot = outfit.profile.move == "infantry" and not outfit.mounted
    return on_foot and not outfit.extra_equipment


def rate_on_foot(outfit: Loadout) -> str:
    """The rate of a rider without its mount: its profile's own, or Infantry where that is a rider's.

    Rule book: "Move", "Mounts".
    """
    return "infantry" if outfit.profile.move == "cavalry" else outfit.profile.move


@cache
def slots() -> Mapping[str, Mapping[str, int]]:
    """The places where a fighter has room for one thing only, and how good each thing for it is."""
    arms = catalogue.catalogue().arms
    return {
        "armour": {key: each.points for key, each in arms.armour.items()},
        "shield": {key: each.points for key, each in arms.shields.items()},
        "mount": {key: each.points for key, each in arms.mounts.items()},
        "barding": {key: each.points for key, each in arms.barding.items()},
    }


def slot_of(key: str) -> str:
    """The slot that an item fills, "" for what needs none."""
    return next((slot for slot, things in slots().items() if key in things), "")


def best_of_each_slot(equipment: Iterable[str]) -> Picks:
    """The equipment with one thing a slot, the better one; of two alike the first stays."""
    kept: list[str] = []
    for key in equipment:
        slot = slot_of(key)
        rival = next((other for other in kept if slot and slot_of(other) == slot), None)
        if rival is None:
            kept.append(key)
        elif slots()[slot][key] > slots()[slot][rival]:
            kept[kept.index(rival)] = key
    return tuple(kept)


def numbers(build: Build, profile: Profile) -> dict[str, int]:
    """Combat Pool, Initiative, Fight and Shoot of a build."""
    printed = {key: getattr(profile, key) for key in NUMBERS}
    return filled(build.kept.numbers, filled(build.characteristics, printed))


def kept_options(build: Build) -> bool:
    """Whether a veteran still has something of its earlier Ranks that was a paid option (Ruling P16)."""
    return bool(build.kept.attributes) or _paid(build.kept.equipment)


def options_of(profile: Profile, barding: bool) -> tuple[Option, ...]:
    """The option lines of a profile, with barding for whoever can ride where the campaign says so (Ruling D5)."""
    rides = any(key in slots()["mount"] for key in profile.equipment)
    may_ride = rides or any(option.kind == "mount" for option in profile.options)
    return (*profile.options, BARDING) if barding and may_ride else profile.options


def _issued(build: Build, profile: Profile) -> list[str]:
    equipment = [*((build.choice,) if build.choice else profile.choice[:1]), *profile.equipment]
    for option in profile.options:
        if option.kind == "exchange" and build.picks(option.key):
            equipment.remove(option.gives_up)
    return [*equipment, *_taken_items(build, profile)]


def _taken_items(build: Build, profile: Profile) -> Picks:
    lines = (option for option in (*profile.options, BARDING) if option.kind in ("exchange", "add", "mount"))
    return tuple(key for option in lines for key in build.picks(option.key))


def _attributes(build: Build, profile: Profile) -> Picks:
    lines = (option for option in profile.options if option.kind == "attributes")
    taken = (key for option in lines for key in build.picks(option.key))
    return (*profile.attributes, *taken, *build.kept.attributes)


def _move(build: Build, profile: Profile, mounted: bool, attributes: Picks) -> str:
    if build.move:
        return build.move
    if mounted:
        return "cavalry"
    return "fast" if "fly" in attributes else profile.move


def _paid(equipment: Picks) -> bool:
    return any(catalogue.item_points(key) for key in equipment)


class ArmourRating(Struct, frozen=True):
    """Armour Ratings: what is worn on the body, and what counts in close combat and against shots from the front.

    ``printed`` is the single figure of the army lists: body and shield of whatever kind together. ``mount`` is the
    mount's own, which protects nobody but the mount.
    """

    body: int
    close_combat: int
    front_shots: int
    printed: int
    mount: int


@lru_cache(maxsize=65536)
def armour_rating(build: Build) -> ArmourRating:
    """The Armour Ratings of a canonical build (Ruling B18)."""
    outfit = loadout(build)
    arms = catalogue.catalogue().arms
    body = sum(arms.armour[key].rating for key in outfit.gear if key in arms.armour)
    shields = [arms.shields[key] for key in outfit.gear if key in arms.shields]
    return ArmourRating(
        body=body,
        close_combat=body + sum(each.rating for each in shields if each.counts == "close-combat"),
        front_shots=body + sum(each.rating for each in shields if each.counts == "front-shots"),
        printed=body + sum(each.rating for each in shields),
        mount=sum(arms.barding[key].rating for key in outfit.gear if key in arms.barding),
    )


def least_rating(outfit: Loadout) -> int:
    """The printed Armour Rating once all is given up that an option line takes back for something else and new."""
    ratings = {**_ratings(catalogue.catalogue().arms.armour), **_ratings(catalogue.catalogue().arms.shields)}
    exchanges = (line for line in outfit.profile.options if line.kind == "exchange")
    given_up = {
        line.gives_up for line in exchanges if any(not outfit.carries(key) for key in line.items.keys() - ratings)
    }
    return sum(rating for key, rating in ratings.items() if outfit.carries(key) and key not in given_up)


def _ratings(table: Mapping[str, Armour | Shield]) -> dict[str, int]:
    return {key: each.rating for key, each in table.items()}


def may_run(outfit: Loadout) -> bool:
    """Whether its armour lets it make a Run move. Rule book: "Armour", "Mounts"."""
    arms = catalogue.catalogue().arms
    suits = (each.no_run for key, each in arms.armour.items() if key in outfit.gear)
    barding = (each.no_run for key, each in arms.barding.items() if key in outfit.gear)
    return not any((*suits, *barding))
