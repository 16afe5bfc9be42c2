"""A fighter as its card shows it, and the few figures that the chronicle keeps of it."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from rulebook.ruleset import AS_RECRUITED, BuildData, Characteristic, Condition, FighterFacts, Item, Sheet, Terms
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.rosters.armour import ArmourRating, armour_rating, may_run
from rulebook.systems.en_garde.rosters.builds import Build, from_json, plain
from rulebook.systems.en_garde.rosters.loadouts import Loadout, loadout
from rulebook.systems.en_garde.rosters.points import price
from rulebook.systems.en_garde.rosters.terms import HouseTerms, house_terms
from rulebook.systems.en_garde.rosters.weapon_rows import weapon_rows

MUSKETEERS = "three-musketeers"
NUMBERS = 'Rule book: "Characteristics"'


class FightingNumbers(Struct, frozen=True):
    """The numbers that a fighter takes into battle, with the bonuses of Duellist and Fast. Ratings by Ruling B18."""

    combat_pool: int
    initiative: int
    fight: int
    shoot: int
    move: str
    armour: ArmourRating


def sheet(build: BuildData, terms: Terms, condition: Condition = AS_RECRUITED) -> Sheet:
    """Everything that a card prints, from a canonical build; nobody carries a condition over.

    Raises RulesError if the build cannot be read.
    """
    return sheet_of(from_json(build), house_terms(terms))


def fighter_facts(build: BuildData, terms: Terms, condition: Condition = AS_RECRUITED) -> FighterFacts:
    """Rank, points and profile of a canonical build; nobody carries a condition over.

    Raises RulesError if the build cannot be read.
    """
    read = from_json(build)
    outfit = loadout(read)
    points = price(read, house_terms(terms)).points
    return FighterFacts(rank=outfit.rank, points=points, profile_name=profile_name(read, outfit))


@lru_cache(maxsize=16384)
def sheet_of(build: Build, terms: HouseTerms) -> Sheet:
    """Everything that a card prints, on these terms."""
    outfit = loadout(build)
    cost = price(build, terms)
    return Sheet(
        profile=build.profile,
        profile_name=profile_name(build, outfit),
        rank=outfit.rank,
        points=cost.points,
        price=cost,
        characteristics=_characteristics(build, outfit, terms),
        equipment=tuple(_item(key) for key in outfit.equipment),
        attributes=(*map(_attribute, outfit.attributes), *map(_spell, build.spells or outfit.profile.spells)),
        unique=outfit.profile.unique,
        leads=outfit.profile.leads,
        weapons=weapon_rows(outfit),
    )


def profile_name(build: Build, outfit: Loadout) -> str:
    """What the profile is called: the player's own name for a custom fighter, if there is one."""
    return build.name or outfit.profile.name


@lru_cache(maxsize=65536)
def numbers_in_battle(build: Build, terms: HouseTerms) -> FightingNumbers:
    """The numbers with the bonuses of Duellist and Fast, unless the printed ones hold them (Rulings P2, P3)."""
    outfit = loadout(build)
    inside = outfit.profile.duellist_included or (
        outfit.list_key == MUSKETEERS and outfit.profile.unique and terms.rules.musketeers_duellist == "inside"
    )
    return FightingNumbers(
        combat_pool=outfit.combat_pool + (outfit.has("duellist") and not inside),
        initiative=outfit.initiative + (outfit.has("fast") and not outfit.profile.fast_included),
        fight=outfit.fight,
        shoot=outfit.shoot,
        move=outfit.move,
        armour=armour_rating(build),
    )


def _characteristics(build: Build, outfit: Loadout, terms: HouseTerms) -> tuple[Characteristic, ...]:
    battle = numbers_in_battle(build, terms)
    rate = catalogue.catalogue().rates[outfit.move]
    run = f"{rate.run}″" if may_run(outfit) else "no run"
    reach = f"{rate.short}″, {rate.normal}″, {run}"
    pool = _with_bonus(outfit.combat_pool, battle.combat_pool, "Duellist")
    speed = _with_bonus(outfit.initiative, battle.initiative, "Fast")
    rating = battle.armour
    return (
        Characteristic("move", "Move", "M", rate.name, reach, 'Rule book: "Move"'),
        Characteristic("combat_pool", "Combat Pool", "CP", *pool, f"{NUMBERS}; Ruling P2"),
        Characteristic("initiative", "Initiative", "I", *speed, f"{NUMBERS}; Ruling P3"),
        Characteristic("fight", "Fight", "F", str(outfit.fight), source=NUMBERS),
        Characteristic("shoot", "Shoot", "S", str(outfit.shoot), source=NUMBERS),
        Characteristic(
            "armour_rating",
            "Armour Rating",
            "AR",
            str(rating.printed),
            "; ".join(_rating_notes(rating)),
            'Rule book: "Armour"; Ruling B18',
        ),
    )


def _with_bonus(plain_value: int, value: int, attribute: str) -> tuple[str, str]:
    if plain_value == value:
        return str(value), ""
    return f"{plain_value} ({value})", f"{value} in battle: {attribute}"


def _rating_notes(rating: ArmourRating) -> Iterator[str]:
    if rating.printed > rating.body:
        yield f"{rating.body} on the body"
    if rating.close_combat > rating.body:
        yield f"{rating.close_combat} in close combat"
    if rating.front_shots > rating.body:
        yield f"{rating.front_shots} against shots from the front"
    if rating.mount:
        yield f"mount {rating.mount}"


def _item(key: str) -> Item:
    arms = catalogue.catalogue().arms
    found = arms.items[plain(key)]
    return Item(key, catalogue.item_name(key), item_kind(plain(key)), getattr(found, "note", ""), "Arms and armour")


def item_kind(key: str) -> str:
    """What an item is: "weapon", "missile", "armour", "shield", "mount", "barding", "magic" or "poison"."""
    arms = catalogue.catalogue().arms
    kinds = {
        "weapon": arms.close_combat,
        "missile": arms.missiles,
        "armour": arms.armour,
        "shield": arms.shields,
        "mount": arms.mounts,
        "barding": arms.barding,
        "magic": arms.magic_items,
    }
    return next((kind for kind, table in kinds.items() if key in table), "poison")


def _attribute(key: str) -> Item:
    found = catalogue.catalogue().attributes[plain(key)]
    return Item(key, catalogue.attribute_name(key), "attribute", found.note, "Attributes")


def _spell(key: str) -> Item:
    found = catalogue.catalogue().spells[key]
    return Item(key, found.name, "spell", found.note, "Spells")
