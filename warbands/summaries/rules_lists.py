"""Lists with their profiles, and tables of things, as a rule system's page shows them. No queries."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

Entry = Mapping[str, Any]
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


class Column(Struct, frozen=True):
    """A column of a table: its name, and a short one if there is one."""

    name: str
    short: str = ""


class ProfileLine(Struct, frozen=True):
    """A profile in its list: ``numbers`` in the order of the list's columns, ``options`` each in a line."""

    name: str
    note: str
    unique: bool
    numbers: tuple[str, ...]
    points: str
    printed: str
    carries: str
    knows: str
    options: tuple[str, ...]


class ListSection(Struct, frozen=True):
    """A list with its profiles."""

    anchor: str
    name: str
    summary: str
    facts: tuple[str, ...]
    columns: tuple[Column, ...]
    profiles: tuple[ProfileLine, ...]


class TableSection(Struct, frozen=True):
    """A table of things: arms, armour, Attributes. The first cell of a row is its name."""

    anchor: str
    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Wanted:
    """What somebody looks for: words that must all stand in a line."""

    def __init__(self, query: str = "") -> None:
        self.words = query.lower().split()

    def in_(self, *texts: str) -> bool:
        """Do all the words stand in these texts together?"""
        whole = " ".join(texts).lower()
        return all(word in whole for word in self.words)


# Lists.


def lists_of(catalogue: Entry, wanted: Wanted) -> Iterator[ListSection]:
    """The lists with the profiles that are wanted."""
    names = item_names(catalogue)
    for faction in catalogue["factions"]:
        columns = tuple(each for each in NUMBERS if any(each[0] in profile for profile in faction["profiles"]))
        lines = [_profile(profile, columns, names) for profile in faction["profiles"]]
        own = wanted.in_(faction["name"], faction.get("summary", ""))
        kept = tuple(line for line in lines if own or wanted.in_(faction["name"], *_words(line)))
        if kept:
            yield ListSection(
                anchor=f"list-{faction['key']}",
                name=faction["name"],
                summary=faction.get("summary", ""),
                facts=tuple(_list_facts(faction, names)),
                columns=tuple(Column(name, short) for _, name, short in columns),
                profiles=kept,
            )


def item_names(catalogue: Entry) -> dict[str, str]:
    """What people call each thing to carry or to know, by its key."""
    kinds = ("weapons", "armour", "mounts", "barding", "ordnance", "magic_items", "spells", "attributes")
    return {each["key"]: each["name"] for kind in kinds for each in catalogue.get(kind, ())}


def _profile(profile: Entry, columns: Sequence[tuple[str, str, str]], names: Mapping[str, str]) -> ProfileLine:
    printed = profile.get("printed_points")
    return ProfileLine(
        name=profile["name"],
        note=profile.get("note", ""),
        unique=bool(profile.get("unique")),
        numbers=tuple(str(profile.get(key, "")).capitalize() for key, _, _ in columns),
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


def _words(line: ProfileLine) -> Iterator[str]:
    yield from (line.name, line.note, line.carries, line.knows, *line.options)


# Things.

Cell = str
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


def tables_of(catalogue: Entry, wanted: Wanted) -> Iterator[TableSection]:
    """The tables with the rows that are wanted."""
    for key, name, columns in THINGS:
        rows = [_row(entry, columns) for entry in catalogue.get(key, ())]
        own = bool(wanted.words) and wanted.in_(name)
        kept = tuple(row for row in rows if own or wanted.in_(*row))
        if kept:
            yield TableSection(key, name, tuple(title for _, title in columns), kept)


def _row(entry: Entry, columns: Sequence[tuple[str, str]]) -> tuple[Cell, ...]:
    return entry["name"], *(_cell(entry, key) for key, _ in columns)


def _cell(entry: Entry, key: str) -> Cell:
    value = entry.get(key)
    if key == "points" and entry.get("points_per_rank"):
        return f"{entry['points_per_rank']} a Rank"
    if key in ("range", "short", "normal", "run"):
        return f"{value}″" if value else "–"
    return "–" if value in (None, "") else str(value)
