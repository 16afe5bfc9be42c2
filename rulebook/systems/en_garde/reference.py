"""What there is to browse in En Garde!: the lists with their profiles, and tables of arms, Attributes and spells."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from rulebook.book.reference import Entry, profile_lists, table_of
from rulebook.ruleset import Settings
from rulebook.systems.en_garde.catalogue_json import catalogue_json
from rulebook.values.reference import ProfileLine, Reference

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
"""An option that offers more than so many things is told by their number."""


THINGS = (
    ("weapons", "Weapons", (("range", "Range"), ("rules", "Rules"), ("points", "Points"))),
    ("armour", "Armour and shields", (("rating", "AR"), ("points", "Points"))),
    ("mounts", "Mounts", (("fight", "F"), ("combat_pool", "CP"), ("initiative", "I"), ("points", "Points"))),
    ("barding", "Barding", (("rating", "AR"), ("points", "Points"))),
    ("ordnance", "Ordnance", (("range", "Range"), ("rules", "Rules"), ("points", "Points"))),
    ("attributes", "Attributes", (("note", "What it does"), ("points", "Points"))),
    ("spells", "Spells", (("note", "What it does"), ("range", "Range"), ("magic_points", "Magic Points"))),
    ("magic_items", "Magic items", (("note", "What it does"), ("points", "Points"))),
    ("movement", "Movement", (("short", "Short"), ("normal", "Normal"), ("run", "Run"))),
)
"""Parts of a catalogue that are tables, each with its columns."""


def reference(settings: Settings) -> Reference:
    """Every list and every table. Raises RulesError for a wrong setting."""
    catalogue = catalogue_json(settings)
    names = _item_names(catalogue)
    lists = profile_lists(
        catalogue["factions"],
        NUMBERS,
        partial(_profile_line, names),
        lambda faction: tuple(_list_facts(faction, names)),
    )
    tables = (
        table_of(key, name, columns, catalogue[key], _cell) for key, name, columns in THINGS if catalogue.get(key)
    )
    return Reference(lists, tuple(tables))


def _item_names(catalogue: Entry) -> dict[str, str]:
    """What people call each thing to carry or to know, by its key."""
    kinds = ("weapons", "armour", "mounts", "barding", "ordnance", "magic_items", "spells", "attributes")
    return {each["key"]: each["name"] for kind in kinds for each in catalogue.get(kind, ())}


def _profile_line(names: Mapping[str, str], profile: Entry, numbers: tuple[str, ...]) -> ProfileLine:
    printed = profile.get("printed_points")
    return ProfileLine(
        key=profile["key"],
        name=profile["name"],
        note=profile.get("note", ""),
        unique=bool(profile.get("unique")),
        numbers=numbers,
        points=str(profile["points"]),
        printed=str(printed) if printed not in (None, profile["points"]) else "",
        carries=", ".join(_carried(profile, names)),
        knows=_joined((*profile.get("attributes", ()), *profile.get("spells", ())), names),
        options=tuple(filter(None, (_option(option) for option in profile.get("options", ())))),
    )


def _carried(profile: Entry, names: Mapping[str, str]) -> Iterator[str]:
    if choice := profile.get("choice"):
        yield " or ".join(_named(key, names) for key in choice)
    yield from (_named(key, names) for key in profile.get("equipment", ()))


def _named(key: str, names: Mapping[str, str]) -> str:
    plain, _, weapon = key.partition(":")
    name = names.get(plain, plain)
    return f"{name} ({names.get(weapon, weapon).lower()})" if weapon else name


def _joined(keys: Iterable[str], names: Mapping[str, str]) -> str:
    return ", ".join(_named(key, names) for key in keys)


def _option(option: Any) -> str:
    """An option line in words, with its prices: "Pike +2 or Matchlock +3", "One Attribute, +3 each"."""
    if not isinstance(option, Mapping):
        return ""
    label, prices = str(option["label"]), {item["name"]: _price(item.get("points", 0)) for item in option["items"]}
    if len(prices) > MANY:
        return f"{label}, {', '.join(sorted(set(prices.values())))} each"
    if prices and all(name in label for name in prices):
        names = "|".join(sorted(map(re.escape, prices), key=len, reverse=True))
        return re.sub(names, lambda found: f"{found[0]} {prices[found[0]]}", label, count=len(prices))
    return ": ".join(filter(None, (label, ", ".join(f"{name} {price}" for name, price in prices.items()))))


def _price(points: int) -> str:
    return f"+{points}" if points > 0 else str(points).replace("-", "−") if points else "free"


def _list_facts(faction: Entry, names: Mapping[str, str]) -> Iterator[str]:
    if "morale" in faction:
        yield f"Morale {faction['morale']}"
    if faction.get("banner"):
        yield "may have a banner"
    if guns := faction.get("ordnance"):
        yield "guns: " + ", ".join(_named(key, names).lower() for key in guns)
    yield from faction.get("composition", ())


def _cell(entry: Entry, key: str) -> str:
    value = entry.get(key)
    if key == "points" and entry.get("points_per_rank"):
        return f"{entry['points_per_rank']} a Rank"
    if key in ("range", "short", "normal", "run"):
        return f"{value}″" if value else "–"
    return "–" if value in (None, "") else str(value)
