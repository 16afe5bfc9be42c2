"""Purchases of a warband as a whole: Morale, a banner, guns with their crews, a warband type.

    {"morale": 8, "banner": true, "ordnance": [{"gun": "swivel-gun", "crew": ["id", "id"]}],
    "template": "elite"}

A gun may stand as its key alone; then its crew is counted among those who could serve it. Who only
says how many of each gun there are, {"swivel-gun": 2}, leaves those that stay their crews, unless
"crews" names others as well, {"swivel-gun:1": ["id"]}. Rule book: "Ordinance", "Crew".
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from rulebook.ruleset import BattleSetup, CampaignTerms, FieldedSide, Problem, RulesError, SetUpLine
from rulebook.systems.en_garde.book import catalogue, problem
from rulebook.systems.en_garde.book.lists import Faction
from rulebook.values.problems import join_names, unknown

MAX_GUNS = 6
"""Of one kind, when they are counted."""
FIELDS = ("morale", "banner", "ordnance", "template")


class BoughtGun(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A gun and the ids of the fighters who serve it, where they are named."""

    gun: str
    crew: tuple[str, ...] = ()


class Extras(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Purchases of the warband as a whole; None where it takes what its list gives."""

    morale: int | None = None
    banner: bool = False
    ordnance: tuple[BoughtGun, ...] = ()
    template: str | None = None


def clean_extras(raw: Mapping[str, Any], terms: CampaignTerms) -> Mapping[str, Any]:
    """Return what the warband buys as a whole, in canonical form.

    Raises RulesError with every problem.
    """
    army = catalogue.faction(terms.faction)
    extras = read_extras(_counted(raw, army, terms.extras) if isinstance(raw, Mapping) else raw)
    problems = tuple(extras_problems(extras, army))
    if problems:
        raise RulesError(*problems)
    morale = None if extras.morale == army.morale else extras.morale
    data: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode(msgspec.structs.replace(extras, morale=morale))
    )
    return data


def _counted(raw: Mapping[str, Any], army: Faction, before: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return purchases in which the guns of the list were only counted, with these guns.

    Anything else as it stands.
    """
    counts = raw.get("ordnance", {})
    crews = raw.get("crews", {})
    if (
        raw.get("ordnance") == {}
        or not isinstance(counts, Mapping)
        or not isinstance(crews, Mapping)
    ):
        return raw
    allowed = army.composition.guns
    if not all(
        key in allowed and type(count) is int and 0 <= count <= MAX_GUNS
        for key, count in counts.items()
    ):
        return raw
    guns: list[Any] = []
    for key, count in counts.items():
        had = [gun.get("crew", ()) for gun in before.get("ordnance", ()) if gun["gun"] == key]
        kept = enumerate([*had, *[()] * count][:count], 1)
        guns += ({"gun": key, "crew": crews.get(f"{key}:{number}", crew)} for number, crew in kept)
    return {**{key: value for key, value in raw.items() if key != "crews"}, "ordnance": guns}


def read_extras(raw: Mapping[str, Any]) -> Extras:
    """Return the extras of a form or of the chronicle.

    Raises RulesError for what cannot be read.
    """
    if not isinstance(raw, Mapping):
        raise RulesError(problem("unnamed-extras"))
    if strange := [key for key in raw if key not in FIELDS]:
        raise RulesError(
            *(unknown(FIELDS, key, f"extras.{key}", "purchase of a warband") for key in strange)
        )
    given = {key: value for key, value in raw.items() if value not in (None, "")}
    guns = given.get("ordnance", ())
    guns = [guns] if isinstance(guns, str) else guns
    if isinstance(guns, list | tuple):
        guns = [{"gun": gun} if isinstance(gun, str) else gun for gun in guns]
    try:
        return msgspec.convert({**given, "ordnance": guns}, Extras)
    except msgspec.ValidationError as error:
        raise RulesError(problem("unreadable-extras", error=error)) from error


def extras_problems(extras: Extras, army: Faction) -> Iterator[Problem]:
    """Yield what is wrong with a warband's purchases, without regard to its fighters."""
    morale = extras.morale
    choices = army.morale_choices or (army.morale,)
    if morale is not None and morale not in choices:
        yield problem(
            "morale-not-allowed",
            value=morale,
            name=army.name,
            choices=join_names(map(str, choices), "or"),
        )
    if extras.banner and not army.banner:
        yield problem("banner-not-allowed", name=army.name)
    templates = [each.key for each in catalogue.catalogue().calculator.templates]
    if extras.template is not None and extras.template not in templates:
        yield unknown(templates, extras.template, "extras.template", "template of a warband")
    yield from _guns(extras, army)


def _guns(extras: Extras, army: Faction) -> Iterator[Problem]:
    allowed = army.composition.guns
    for bought in extras.ordnance:
        if bought.gun not in catalogue.catalogue().arms.guns:
            yield unknown(catalogue.catalogue().arms.guns, bought.gun, "extras.ordnance", "gun")
        elif bought.gun not in allowed:
            offer = f"Choose {join_names(allowed, 'or')}" if allowed else "Remove the gun"
            gun = catalogue.gun(bought.gun).name.lower()
            yield problem("gun-not-allowed", value=bought.gun, name=army.name, gun=gun, offer=offer)
    most = army.composition.most_guns
    if most is not None and len(extras.ordnance) > most:
        yield problem("too-many-guns", name=army.name, most=most, have=len(extras.ordnance))


def side_assets(setup: BattleSetup) -> Mapping[str, tuple[SetUpLine, ...]]:
    """Return the guns of each side by its key, each with its crew as far as it is named and
    fielded."""
    return {side.key: tuple(_served_guns(side)) for side in setup.sides}


def _served_guns(side: FieldedSide) -> Iterator[SetUpLine]:
    names = {fighter.id: fighter.name for fighter in side.fighters}
    guns = catalogue.catalogue().arms.guns
    for bought in read_extras({"ordnance": side.extras.get("ordnance", ())}).ordnance:
        crew = [names[each] for each in bought.crew if each in names]
        nobody = "its crew is not here" if bought.crew else "served by anybody"
        served = f"served by {join_names(crew)}" if crew else nobody
        if bought.gun in guns:
            yield SetUpLine(guns[bought.gun].name, served, "", 'Rule book: "Crew"')
