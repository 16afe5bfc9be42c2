"""The reference of En Garde!: the whole catalogue as JSON, and its lists and tables for pages.

In the catalogue ``points`` of a profile is what a warband pays by default, ``printed_points`` the
figure of the book.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

import msgspec

from rulebook.book.reference import Entry, profile_lists
from rulebook.ruleset import Settings
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.catalogue import Arms
from rulebook.systems.en_garde.book.house_rules import HouseRules, settled
from rulebook.systems.en_garde.book.lists import Faction, Option, Profile
from rulebook.systems.en_garde.rosters.builds import BASE_HIRE, hires_base, options_of
from rulebook.systems.en_garde.rosters.composition import composition_sentences
from rulebook.systems.en_garde.rosters.prices import (
    goods,
    option_label,
    option_offers,
    profile_points,
)
from rulebook.systems.en_garde.rosters.sheets import close_combat_rules, gun_rules, missile_rules
from rulebook.values.reference import ProfileLine, Reference, TableSection

Json = dict[str, Any]
NUMBERS = (
    ("rank", "Rank", "Rk"),
    ("move", "Move", "M"),
    ("combat_pool", "Combat Pool", "CP"),
    ("initiative", "Initiative", "I"),
    ("fight", "Fight", "F"),
    ("shoot", "Shoot", "S"),
    ("armour_rating", "Armour Rating", "AR"),
)
"""Numbers of a profile that a list may show, with their abbreviations."""
MANY = 12
"""An option that offers more things than this is printed as their number."""
THINGS = (
    ("weapons", "Weapons", (("range", "Range"), ("rules", "Rules"), ("points", "Points"))),
    ("armour", "Armour and shields", (("rating", "AR"), ("points", "Points"))),
    (
        "mounts",
        "Mounts",
        (("fight", "F"), ("combat_pool", "CP"), ("initiative", "I"), ("points", "Points")),
    ),
    ("barding", "Barding", (("rating", "AR"), ("points", "Points"))),
    ("ordnance", "Ordnance", (("range", "Range"), ("rules", "Rules"), ("points", "Points"))),
    ("attributes", "Attributes", (("note", "What it does"), ("points", "Points"))),
    (
        "spells",
        "Spells",
        (("note", "What it does"), ("range", "Range"), ("magic_points", "Magic Points")),
    ),
    ("magic_items", "Magic items", (("note", "What it does"), ("points", "Points"))),
    ("movement", "Movement", (("short", "Short"), ("normal", "Normal"), ("run", "Run"))),
)
"""Parts of a catalogue that are tables, each with its columns."""
GUN = ("key", "name", "points", "range", "wound", "crew", "reload", "grapeshot", "immobile")
"""The entry of a gun in the catalogue."""


def catalogue_json(settings: Settings) -> Json:
    """Return the catalogue under these house rules, without the scenarios.

    Raises RulesError for a setting no rule has.
    """
    return _catalogue_json(settled(settings))


@lru_cache(maxsize=64)
def _catalogue_json(rules: HouseRules) -> Json:
    whole = catalogue.catalogue()
    return {
        "edition": catalogue.EDITION,
        "factions": [_faction(each, rules) for each in whole.factions.values()],
        **_arms(whole.arms),
        "attributes": _plain(whole.attributes.values()),
        "spells": _plain(whole.spells.values()),
        "movement": [*_plain(whole.rates.values()), {**_entry(whole.floor), "floor": True}],
        "goods": [
            {"key": each.key, "name": each.name, "points": each.points} for each in goods(rules)
        ],
        "base_profiles": _plain(whole.base_profiles.values()),
        "customisation": {
            key: rate for key, rate in _entry(whole.calculator).items() if key != "morale"
        },
        "morale": msgspec.to_builtins(whole.calculator.morale, str_keys=True),
        "progression": {str(rank): cost for rank, cost in whole.costs.items()},
    }


def _arms(arms: Arms) -> Json:
    melee = [
        {**_entry(each), "kind": "close-combat", "rules": close_combat_rules(each)}
        for each in arms.close_combat.values()
    ]
    missile = [
        {**_entry(each), "kind": "missile", "rules": missile_rules(each)}
        for each in arms.missiles.values()
    ]
    return {
        "weapons": melee + missile,
        "armour": [
            *({**_entry(each), "kind": "armour"} for each in arms.armour.values()),
            *({**_entry(each), "kind": "shield"} for each in arms.shields.values()),
        ],
        "mounts": _plain(arms.mounts.values()),
        "barding": _plain(arms.barding.values()),
        "ordnance": [
            {**{key: getattr(gun, key) for key in GUN}, "rules": gun_rules(gun)}
            for gun in arms.guns.values()
        ],
        "grapeshot": _entry(arms.grapeshot),
        "magic_items": _plain(arms.magic_items.values()),
    }


def _faction(faction: Faction, rules: HouseRules) -> Json:
    as_it_stands = ("key", "name", "kind", "summary", "source", "variant_of", "morale")
    return {
        **{key: getattr(faction, key) for key in as_it_stands},
        "morale_choices": list(faction.morale_choices or (faction.morale,)),
        "banner": faction.banner,
        "ordnance": list(faction.composition.guns),
        "allies": faction.composition.allies,
        "recruits_from": [
            {"list": key, "profiles": [each.key for each in profiles]}
            for key, profiles in _sources(faction, rules)
        ],
        "composition": list(composition_sentences(faction)),
        "profiles": [_profile(each, faction, rules) for each in faction.profiles],
    }


def _sources(faction: Faction, rules: HouseRules) -> Iterator[tuple[str, tuple[Profile, ...]]]:
    """Yield the lists that a warband of this one recruits from, each with the profiles that are
    open to it."""
    hired = [faction.composition.allies] if faction.composition.allies else []
    hired += ["fantastical"] if rules.fantastical and faction.kind != "fantastical" else []
    yield from ((each.key, each.profiles) for each in (faction, *map(catalogue.faction, hired)))
    if hires_base(faction, rules):
        yield BASE_HIRE.partition("/")[0], (catalogue.profile(BASE_HIRE),)


def _profile(profile: Profile, faction: Faction, rules: HouseRules) -> Json:
    entry = _entry(profile)
    printed = rules.prices == "printed" or faction.kind == "custom"
    return {
        **{
            key: entry[key]
            for key in ("key", "name", "unique", *(number for number, *_ in NUMBERS))
        },
        "points": profile_points(profile, faction.key, printed=printed),
        "printed_points": profile.points,
        "equipment": list(profile.listed_equipment),
        **{key: entry[key] for key in ("choice", "attributes", "spells")},
        "options": [
            _option(each, profile, faction, rules)
            for each in options_of(profile, rules.barding_for_lists)
        ],
        "leads": profile.leads,
        "note": profile.note,
    }


def _option(option: Option, profile: Profile, faction: Faction, rules: HouseRules) -> Json:
    items = [
        {"key": each.key, "name": each.name, "points": each.points}
        | ({"weapon": each.weapon} if option.kind == "attributes" else {})
        for each in option_offers(option, profile, faction.key, rules)
    ]
    return {**_entry(option), "label": option_label(option), "items": items}


def _plain(entries: Iterable[msgspec.Struct]) -> list[Json]:
    return [_entry(each) for each in entries]


def _entry(entry: msgspec.Struct) -> Json:
    data: Json = msgspec.json.decode(msgspec.json.encode(entry))
    return data


def reference(settings: Settings) -> Reference:
    """Return every list and every table. Raises RulesError for a wrong setting."""
    whole = catalogue_json(settings)
    names: dict[str, str] = {}
    for key, *_ in THINGS:
        names |= {row["key"]: row["name"] for row in whole[key]}
    lists = profile_lists(
        whole["factions"],
        NUMBERS,
        partial(_profile_line, names),
        lambda faction: tuple(_list_facts(faction, names)),
    )
    tables = []
    for table, name, columns in THINGS:
        rows = tuple(
            (each["name"], *(_cell(each, key) for key, _ in columns)) for each in whole[table]
        )
        tables.append(TableSection(table, name, tuple(title for _, title in columns), rows))
    return Reference(lists, tuple(tables))


def _profile_line(
    names: Mapping[str, str], profile: Entry, numbers: tuple[str, ...]
) -> ProfileLine:
    points = str(profile["points"])
    printed = str(profile["printed_points"])
    choice = " or ".join(_named(key, names) for key in profile["choice"])
    carried = [_named(key, names) for key in profile["equipment"]]
    return ProfileLine(
        key=profile["key"],
        name=profile["name"],
        note=profile["note"],
        unique=profile["unique"],
        numbers=numbers,
        points=points,
        printed=printed if printed != points else "",
        carries=", ".join(filter(None, (choice, *carried))),
        knows=", ".join(_named(key, names) for key in (*profile["attributes"], *profile["spells"])),
        options=tuple(map(_option_words, profile["options"])),
    )


def _named(key: str, names: Mapping[str, str]) -> str:
    plain, _, weapon = key.partition(":")
    name = names.get(plain, plain)
    return f"{name} ({names.get(weapon, weapon).lower()})" if weapon else name


def _option_words(option: Entry) -> str:
    """Return an option line as text, with its prices: "Pike +2 or Matchlock +3", "One Attribute, +3
    each"."""
    label = str(option["label"])
    prices: dict[str, str] = {}
    for item in option["items"]:
        points = item["points"]
        prices[item["name"]] = f"{points:+}".replace("-", "−") if points else "free"
    if len(prices) > MANY:
        return f"{label}, {', '.join(sorted(set(prices.values())))} each"
    if prices and all(name in label for name in prices):
        # Longer names first, as one may begin with another.
        names = "|".join(sorted(map(re.escape, prices), key=len, reverse=True))
        return re.sub(
            names, lambda match: f"{match[0]} {prices[match[0]]}", label, count=len(prices)
        )
    listed = ", ".join(f"{name} {price}" for name, price in prices.items())
    return ": ".join(filter(None, (label, listed)))


def _list_facts(faction: Entry, names: Mapping[str, str]) -> Iterator[str]:
    yield f"Morale {faction['morale']}"
    if faction["banner"]:
        yield "may have a banner"
    if faction["ordnance"]:
        yield "guns: " + ", ".join(_named(key, names).lower() for key in faction["ordnance"])
    yield from faction["composition"]


def _cell(entry: Entry, key: str) -> str:
    value = entry.get(key)
    if key == "points" and entry.get("points_per_rank"):
        return f"{entry['points_per_rank']} a Rank"
    if key in ("range", "short", "normal", "run"):
        return f"{value}″" if value else "–"
    return "–" if value in (None, "") else str(value)
