"""Everything that the rule book prints as a table, read once from ``data/``, checked, and looked up by key.

A lookup of a key that is not there raises RulesError with the field, the value and the keys that there are.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TypeVar

from rulebook.ruleset import Problem, RulesError
from rulebook.systems.en_garde.book.arms import Attribute, Gun, Item, Spell
from rulebook.systems.en_garde.book.catalogue_checks import check
from rulebook.systems.en_garde.book.catalogue_files import Catalogue, load
from rulebook.systems.en_garde.book.lists import BaseProfile, Faction, Profile, Template

EDITION = "2026.1"

T = TypeVar("T")


@cache
def catalogue() -> Catalogue:
    """The catalogue, read and checked once. Raises CatalogueError if the data contradicts itself."""
    loaded = load()
    check(loaded)
    return loaded


def faction(key: str, field: str = "faction") -> Faction:
    """The list of that key. Raises RulesError if there is none."""
    return find(catalogue().factions, key, field, "list")


def profile(reference: str, field: str = "profile") -> Profile:
    """The profile of "list/profile". Raises RulesError if there is none."""
    list_key, _, profile_key = reference.partition("/")
    own = {each.key: each for each in faction(list_key, field).profiles}
    return find(own, profile_key, field, f"profile of {list_key}")


def item(key: str, field: str = "equipment") -> Item:
    """A thing to carry, wear or ride. Raises RulesError if there is none."""
    return find(catalogue().arms.items, key, field, "item")


def gun(key: str, field: str = "ordnance") -> Gun:
    """A piece of ordnance. Raises RulesError if there is none."""
    return find(catalogue().arms.guns, key, field, "gun")


def attribute(key: str, field: str = "attributes") -> Attribute:
    """The Attribute of that key, without its weapon. Raises RulesError if there is none."""
    return find(catalogue().attributes, key, field, "Attribute")


def spell(key: str, field: str = "spells") -> Spell:
    """The spell of that key. Raises RulesError if there is none."""
    return find(catalogue().spells, key, field, "spell")


def template(key: str, field: str = "template") -> Template:
    """The warband type of that key. Raises RulesError if there is none."""
    return find({each.key: each for each in catalogue().calculator.templates}, key, field, "template of a warband")


def base_profile(rank: int) -> BaseProfile:
    """The base profile of a Rank from 1 to 5. Rule book: "Base profiles"."""
    return catalogue().base_profiles[rank]


def item_name(key: str) -> str:
    """What people call an item: "Great weapon", or "Poison (dagger)" for one that is bought for a weapon."""
    return _name(catalogue().arms.items, key)


def attribute_name(key: str) -> str:
    """What people call an Attribute: "Fearless", or "Weapon Master (sword)"."""
    return _name(catalogue().attributes, key)


def item_points(key: str, list_key: str = "") -> int:
    """What an item costs, in points, by the tables or by that list's own prices (Ruling D3)."""
    plain = key.partition(":")[0]
    faction = catalogue().factions.get(list_key)
    if faction and plain in faction.item_points:
        return faction.item_points[plain]
    return catalogue().arms.items[plain].points


def attribute_points(key: str, rank: int) -> int:
    """What an Attribute costs a fighter of that Rank, in points."""
    found = catalogue().attributes[key.partition(":")[0]]
    return found.points + found.points_per_rank * rank


def morale_surcharge(morale: int) -> int:
    """What a Morale Rating costs each fighter, in points. Rule book: "Warband Morale"."""
    return catalogue().calculator.morale.surcharge[morale]


def find(table: Mapping[str, T], key: str, field: str, kind: str) -> T:
    """The entry of that key. Raises RulesError naming the field, the value and what there is."""
    if key in table:
        return table[key]
    raise RulesError(unknown(table, key, field, kind))


def unknown(known: Iterable[str], key: str, field: str, kind: str) -> Problem:
    """The problem of a key that is not there, with the way out."""
    sentence = f"There is no {kind} “{key}”; there is {listed(known, 'or')}."
    return Problem(code="unknown-" + kind.split(maxsplit=1)[0].lower(), sentence=sentence, field=field, value=str(key))


def listed(names: Iterable[str], last: str = "and") -> str:
    """Names as a person lists them: "a, b and c"."""
    *most, end = [*names] or ["nothing"]
    return f"{', '.join(most)} {last} {end}" if most else end


def _name(table: Mapping[str, Item] | Mapping[str, Attribute], key: str) -> str:
    plain, _, weapon = key.partition(":")
    name = table[plain].name
    return f"{name} ({catalogue().arms.items[weapon].name.lower()})" if weapon else name
