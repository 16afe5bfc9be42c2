"""The parts of a fighter: the canonical build and its JSON, the terms that it serves on, and what
it cannot name.

A build is small and says only what was chosen; what the profile gives anyway is looked up. As JSON:

    {"profile": "landsknechts/doppelsoldner", "options": {"exchange-pike": ["halberd"],
     "attributes": ["fearless", "weapon-master:sword"]}}

Something that goes with one weapon is written "key:weapon": "weapon-master:sword", "poison:dagger".
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from rulebook.ruleset import BuildData, CampaignTerms, Problem, RulesError
from rulebook.systems.en_garde.book import catalogue, problem
from rulebook.systems.en_garde.book.house_rules import HouseRules, settled
from rulebook.systems.en_garde.book.lists import Faction, Option, Profile
from rulebook.values.problems import join_names, unknown

Picks = tuple[str, ...]


class Numbers(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Some or all of the four numbers of a profile; None where nothing is said."""

    combat_pool: int | None = None
    initiative: int | None = None
    fight: int | None = None
    shoot: int | None = None


class RetainedTraits(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The things that a veteran kept from its earlier Ranks (Rulings X9, X13 to X15).

    ``numbers`` replace the profile's. ``points`` is its price where promotion leaves that
    unchanged.
    """

    numbers: Numbers = Numbers()
    equipment: Picks = ()
    attributes: Picks = ()
    points: int | None = None


class Build(Struct, frozen=True, omit_defaults=True):
    """The canonical build. ``profile`` is "list/profile"; ``choice`` the weapon of a free choice.

    ``options`` pairs option keys with what was taken. ``name``, ``characteristics``, ``move`` and
    ``equipment`` are for custom fighters alone; what a custom fighter does not say is its base
    profile's.
    """

    profile: str
    choice: str = ""
    options: tuple[tuple[str, Picks], ...] = ()
    name: str = ""
    characteristics: Numbers = Numbers()
    move: str = ""
    equipment: Picks = ()
    spells: Picks = ()
    kept: RetainedTraits = RetainedTraits()

    @property
    def list_key(self) -> str:
        """Return the list of the profile."""
        return self.profile.partition("/")[0]

    @property
    def custom(self) -> bool:
        """Return whether it comes from the calculator."""
        return self.list_key == "custom"

    @property
    def promoted(self) -> bool:
        """Return whether anything of an earlier Rank is left in it."""
        return self.kept != RetainedTraits()

    def picks(self, option: str) -> Picks:
        """Return what was taken of an option line; nothing, if it was not."""
        return next((picks for key, picks in self.options if key == option), ())


class StoredBuild(Build, frozen=True, forbid_unknown_fields=True):
    """The JSON form of a canonical build: its options are an object."""

    options: dict[str, Picks] = {}  # type: ignore[assignment]


def to_json(build: Build) -> dict[str, Any]:
    """Return the build as JSON-able data, without what is empty."""
    stored = StoredBuild(**{**msgspec.structs.asdict(build), "options": dict(build.options)})
    data: dict[str, Any] = _without_empty(msgspec.json.decode(msgspec.json.encode(stored)))
    return data


def _without_empty(data: Any) -> Any:
    if not isinstance(data, dict):
        return data
    filled_in = {key: _without_empty(value) for key, value in data.items()}
    return {key: value for key, value in filled_in.items() if value not in ("", {}, [], None)}


def from_json(data: BuildData) -> Build:
    """Return the build of canonical JSON. Raises RulesError if it is not one."""
    try:
        return _decoded(msgspec.json.encode(data, order="sorted"))
    except (msgspec.MsgspecError, TypeError) as error:
        raise RulesError(problem("bad-build", error=error)) from error


@lru_cache(maxsize=65536)
def _decoded(encoded: bytes) -> Build:
    stored = msgspec.json.decode(encoded, type=StoredBuild)
    return Build(**{**msgspec.structs.asdict(stored), "options": tuple(stored.options.items())})


def plain(key: str) -> str:
    """Return the key without its weapon: "weapon-master" of "weapon-master:sword"."""
    return key.partition(":")[0]


def weapon_of(key: str) -> str:
    """Return the weapon that something goes with: "sword" of "weapon-master:sword", "" where there
    is none."""
    return key.partition(":")[2]


def filled(numbers: Numbers, otherwise: Mapping[str, int]) -> dict[str, int]:
    """Return the four numbers, those that are not said taken from ``otherwise``."""
    return {
        key: otherwise[key] if value is None else value
        for key, value in msgspec.structs.asdict(numbers).items()
    }


BASE_HIRE = "custom/rank-1"


class HouseRuleValues(Struct, frozen=True, cache_hash=True):
    """The part of a warband's terms on which its fighters' prices and builds depend; hashable."""

    faction: str
    morale: int
    rules: HouseRules

    @property
    def army(self) -> Faction:
        """Return the warband's list."""
        return catalogue.faction(self.faction)


def hires_base(army: Faction, rules: HouseRules) -> bool:
    """Return whether a warband of this list may hire the base profile of Rank 1: it has no Rank
    1 of its own (Ruling C17).
    """
    of_print = army.kind in ("list", "variant")
    return (
        of_print
        and rules.rank_1_recruits == "base"
        and all(profile.rank > 1 for profile in army.profiles)
    )


def is_base_hire(build: Build, terms: HouseRuleValues) -> bool:
    """Return whether a fighter from the calculator has joined a list that has no Rank 1 (Ruling
    C17)."""
    return build.profile == BASE_HIRE and not build.promoted and hires_base(terms.army, terms.rules)


def house_terms(terms: CampaignTerms) -> HouseRuleValues:
    """Return the terms in the form to cache by.

    Raises RulesError for an unknown list, Morale or setting.
    """
    return house_terms_of(terms.faction, terms.extras, settled(terms.settings))


def house_terms_of(list_key: str, extras: Mapping[str, Any], rules: HouseRules) -> HouseRuleValues:
    """Return the terms of a warband of that list under these house rules.

    Raises RulesError for an unknown list or Morale.
    """
    army = catalogue.faction(list_key)
    morale = extras.get("morale", army.morale)
    if (
        not isinstance(morale, int)
        or morale not in catalogue.catalogue().calculator.morale.surcharge
    ):
        raise RulesError(problem("no-such-morale", value=morale))
    return HouseRuleValues(faction=army.key, morale=morale, rules=rules)


BARDING = Option(
    key="barding", kind="add", items={"light-barding": 2, "heavy-barding": 5}, if_mounted=True
)
"""The option line that every list gets where the campaign lets any mount wear barding (Ruling
D5)."""


def options_of(profile: Profile, barding: bool) -> tuple[Option, ...]:
    """Return the option lines of a profile, with barding for those who can ride where the
    campaign says so (Ruling D5).
    """
    rides = any(key in catalogue.catalogue().arms.mounts for key in profile.equipment)
    may_ride = rides or any(option.kind == "mount" for option in profile.options)
    return (*profile.options, BARDING) if barding and may_ride else profile.options


def offered_by(line: Option, fantastical: bool) -> tuple[str, ...]:
    """Return what an option line offers: items, or Attributes without their weapons (Ruling
    P18)."""
    if line.kind != "attributes":
        return tuple(line.items)
    attributes = catalogue.catalogue().attributes.values()
    general = (each.key for each in attributes if fantastical or not each.fantastical)
    return tuple(key for key in (line.attributes or general) if key not in line.excluded)


def not_offered(line: Option, pick: str, fantastical: bool) -> Problem:
    """Return the problem of a pick that an option line does not offer, with what it does offer."""
    return problem(
        "not-offered",
        field=f"options.{line.key}",
        value=pick,
        offered=join_names(offered_by(line, fantastical), "or"),
    )


def known_part(build: Build, *, fantastical: bool = True) -> tuple[Build, tuple[Problem, ...]]:
    """Return the build without what neither the catalogue nor its profile knows, and a problem for
    each such thing.

    Nobody can weigh or draw such a thing. Raises RulesError for an unknown profile. ``fantastical``
    says whether the ways out name fantastical Attributes as well.
    """
    profile = catalogue.profile(build.profile)
    rows = catalogue.catalogue()
    lines = {line.key: line for line in options_of(profile, barding=True)}
    problems: list[Problem] = []
    choice, move, options = build.choice, build.move, []
    # What its profile offers: the free choice and the option lines.
    if choice and choice not in profile.choice:
        way_out = (
            f"Choose {join_names(profile.choice, 'or')}"
            if profile.choice
            else "Leave the choice out"
        )
        problems.append(
            problem("choice-not-offered", value=choice, name=profile.name, way_out=way_out)
        )
        choice = ""
    for key, picks in build.options:
        if key in lines:
            priced = tuple(pick for pick in picks if _priced(lines[key], pick))
            problems += (
                not_offered(lines[key], pick, fantastical) for pick in picks if pick not in priced
            )
            options.append((key, priced))
        else:
            problems.append(unknown(lines, key, f"options.{key}", "option of this profile"))
    # What the catalogue knows: movement rates, items, Attributes and spells.
    if move and move not in rows.rates:
        problems.append(unknown(rows.rates, move, "move", "movement rate"))
        move = ""
    equipment = _known(build.equipment, rows.arms.items, "equipment", "item", problems)
    kept = msgspec.structs.replace(
        build.kept,
        equipment=_known(build.kept.equipment, rows.arms.items, "kept.equipment", "item", problems),
        attributes=_known(
            build.kept.attributes, rows.attributes, "kept.attributes", "Attribute", problems
        ),
    )
    spells = _known(build.spells, rows.spells, "spells", "spell", problems)
    sound = msgspec.structs.replace(
        build,
        choice=choice,
        options=tuple(options),
        move=move,
        equipment=equipment,
        spells=spells,
        kept=kept,
    )
    return sound, tuple(problems)


def _known(
    keys: Picks, table: Mapping[str, Any], field: str, kind: str, problems: list[Problem]
) -> Picks:
    """Return those of the keys that the table has; there is a problem more for each of the
    others."""
    for key in keys:
        if kind == "item" and plain(key) in table and not _has(table, key):
            problems.append(unknown(_weapons(), weapon_of(key), field, "weapon"))
        elif not _has(table, key):
            problems.append(unknown(table, key, field, kind))
    return tuple(key for key in keys if _has(table, key))


def _has(table: Mapping[str, Any], key: str) -> bool:
    return plain(key) in table and weapon_of(key) in ("", *_weapons())


def _weapons() -> tuple[str, ...]:
    arms = catalogue.catalogue().arms
    return (*arms.close_combat, *arms.missiles)


def _priced(line: Option, pick: str) -> bool:
    """Return whether a pick has a price: an Attribute has its own, a thing has it in the option
    line."""
    if line.kind == "attributes":
        return _has(catalogue.catalogue().attributes, pick)
    return line.kind == "crew" or pick in line.items
