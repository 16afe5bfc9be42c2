"""A fighter as its card shows it, with its weapons table, and the few figures that the chronicle
keeps of it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from msgspec import Struct

from rulebook import ruleset
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.arms import CloseCombatWeapon, Gun, MissileWeapon
from rulebook.systems.en_garde.rosters.builds import (
    Build,
    HouseRuleValues,
    from_json,
    house_terms,
    plain,
    weapon_of,
)
from rulebook.systems.en_garde.rosters.loadouts import (
    ArmourRating,
    Loadout,
    armour_rating,
    loadout,
    may_run,
)
from rulebook.systems.en_garde.rosters.prices import price
from rulebook.systems.en_garde.rosters.table_aids import looks

MUSKETEERS = "three-musketeers"
NUMBERS = 'Rule book: "Characteristics"'
ARMOUR = 'Rule book: "Armour"; Ruling B18'
KINDS = {
    "weapon": "close_combat",
    "missile": "missiles",
    "armour": "armour",
    "shield": "shields",
    "mount": "mounts",
    "barding": "barding",
    "magic": "magic_items",
}
"""The types of items, each with its table of arms; anything else is poison."""


COLUMNS = (
    ruleset.SheetColumn("rank", "Rank"),
    ruleset.SheetColumn("move", "Move"),
    ruleset.SheetColumn("combat_pool", "Combat Pool", "CP"),
    ruleset.SheetColumn("initiative", "Initiative"),
    ruleset.SheetColumn("fight", "Fight"),
    ruleset.SheetColumn("shoot", "Shoot"),
    ruleset.SheetColumn("armour_rating", "Armour Rating", "AR"),
)
WOUNDS = (
    ruleset.TickBoxes("stunned", "Stunned", ("", "")),
    ruleset.TickBoxes("wound", "Wound", ("Light", "Grievous", "Critical")),
)
"""A third Stunned counter is a Light wound. Rule book: "Wound Table"."""
MOUNT = ruleset.TickBoxes("mount", "Mount", ("", "Stunned", "Light", "Grievous"))
"""The wounds of a mount, after the conversion for its size. A Grievous one throws its rider."""


class FightingNumbers(Struct, frozen=True):
    """The numbers that a fighter takes into battle, with the bonuses of Duellist and Fast. Ratings
    by Ruling B18."""

    combat_pool: int
    initiative: int
    fight: int
    shoot: int
    move: str
    armour: ArmourRating


def sheet(
    build: ruleset.BuildData,
    terms: ruleset.CampaignTerms,
    condition: ruleset.Condition = ruleset.AS_RECRUITED,
) -> ruleset.Sheet:
    """Return everything that a card prints, from a canonical build; nobody carries a condition
    over.

    Raises RulesError if the build cannot be read.
    """
    return sheet_of(from_json(build), house_terms(terms))


def fighter_facts(
    build: ruleset.BuildData,
    terms: ruleset.CampaignTerms,
    condition: ruleset.Condition = ruleset.AS_RECRUITED,
) -> ruleset.FighterFacts:
    """Return Rank, points and profile of a canonical build; nobody carries a condition over.

    Raises RulesError if the build cannot be read.
    """
    read = from_json(build)
    outfit = loadout(read)
    points = price(read, house_terms(terms)).points
    return ruleset.FighterFacts(
        rank=outfit.rank, points=points, profile_name=profile_name(read, outfit)
    )


@lru_cache(maxsize=16384)
def sheet_of(build: Build, terms: HouseRuleValues) -> ruleset.Sheet:
    """Return everything that a card prints, on these terms."""
    outfit = loadout(build)
    cost = price(build, terms)
    return ruleset.Sheet(
        profile=build.profile,
        profile_name=profile_name(build, outfit),
        rank=outfit.rank,
        points=cost.points,
        price=cost,
        characteristics=_characteristics(build, outfit, terms),
        equipment=tuple(_item(key) for key in outfit.equipment),
        attributes=(
            *map(_attribute, outfit.attributes),
            *map(_spell, build.spells or outfit.profile.spells),
        ),
        unique=outfit.profile.unique,
        unfit_for=() if outfit.profile.leads else ("leader",),
        weapons=weapon_rows(outfit),
        looks=looks(outfit),
    )


def tick_boxes(
    build: ruleset.BuildData,
    terms: ruleset.CampaignTerms,
    condition: ruleset.Condition = ruleset.AS_RECRUITED,
) -> tuple[ruleset.TickBoxes, ...]:
    """Return the boxes for Stunned counters and wounds, those of a mount, Reload counters of each
    missile weapon, and what is used once.

    Raises RulesError if the build cannot be read.
    """
    missiles = catalogue.catalogue().arms.missiles
    outfit = loadout(from_json(build))
    carried = Counter(plain(key) for key in outfit.equipment)
    loading, used = [], []
    for key, count in carried.items():
        weapon = missiles.get(key)
        if weapon is not None and weapon.reload:
            boxes = ("",) * weapon.reload * count
            loading.append(
                ruleset.TickBoxes(f"reload-{weapon.key}", f"Reload {weapon.name}", boxes)
            )
        if weapon is not None and weapon.one_use:
            used.append(
                ruleset.TickBoxes(f"used-{weapon.key}", f"{weapon.name} used", ("",) * count)
            )
    mount = (MOUNT,) if outfit.mounted else ()
    return (*WOUNDS, *mount, *loading, *used)


def blank_boxes(
    build: ruleset.BuildData, terms: ruleset.CampaignTerms
) -> tuple[ruleset.TickBoxes, ...]:
    """Return the boxes of a blank row: Stunned counters, wounds, and Reload counters of any
    weapon."""
    most = max(weapon.reload for weapon in catalogue.catalogue().arms.missiles.values())
    return (*WOUNDS, ruleset.TickBoxes("reload", "Reload", ("",) * (most + 1)))


def profile_name(build: Build, outfit: Loadout) -> str:
    """Return what the profile is called: the player's own name for a custom fighter, if there is
    one."""
    return build.name or outfit.profile.name


@lru_cache(maxsize=65536)
def numbers_in_battle(build: Build, terms: HouseRuleValues) -> FightingNumbers:
    """Return the numbers with the bonuses of Duellist and Fast, unless the printed ones hold them
    (Rulings P2, P3).

    A Duellist needs no second weapon for the extra counter (Ruling B24).
    """
    outfit = loadout(build)
    inside = outfit.profile.duellist_included or (
        outfit.list_key == MUSKETEERS
        and outfit.profile.unique
        and terms.rules.musketeers_duellist == "inside"
    )
    return FightingNumbers(
        combat_pool=outfit.combat_pool + (outfit.has("duellist") and not inside),
        initiative=outfit.initiative + (outfit.has("fast") and not outfit.profile.fast_included),
        fight=outfit.fight,
        shoot=outfit.shoot,
        move=outfit.move,
        armour=armour_rating(build),
    )


def _characteristics(
    build: Build, outfit: Loadout, terms: HouseRuleValues
) -> tuple[ruleset.Characteristic, ...]:
    battle = numbers_in_battle(build, terms)
    rate = catalogue.catalogue().rates[outfit.move]
    run = f"{rate.run}″" if may_run(outfit) else "no run"
    reach = f"{rate.short}″, {rate.normal}″, {run}"
    pool = _with_bonus(outfit.combat_pool, battle.combat_pool, "Duellist")
    speed = _with_bonus(outfit.initiative, battle.initiative, "Fast")
    rating = battle.armour
    notes = "; ".join(_rating_notes(rating))
    return (
        ruleset.Characteristic("move", "Move", "M", rate.name, reach, 'Rule book: "Move"'),
        ruleset.Characteristic("combat_pool", "Combat Pool", "CP", *pool, f"{NUMBERS}; Ruling P2"),
        ruleset.Characteristic("initiative", "Initiative", "I", *speed, f"{NUMBERS}; Ruling P3"),
        ruleset.Characteristic("fight", "Fight", "F", str(outfit.fight), source=NUMBERS),
        ruleset.Characteristic("shoot", "Shoot", "S", str(outfit.shoot), source=NUMBERS),
        ruleset.Characteristic(
            "armour_rating", "Armour Rating", "AR", str(rating.printed), notes, ARMOUR
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


def _item(key: str) -> ruleset.Item:
    arms = catalogue.catalogue().arms
    kind = next(
        (kind for kind, table in KINDS.items() if plain(key) in getattr(arms, table)), "poison"
    )
    note = getattr(arms.items[plain(key)], "note", "")
    return ruleset.Item(key, catalogue.item_name(key), kind, note, "Arms and armour")


def _attribute(key: str) -> ruleset.Item:
    note = catalogue.catalogue().attributes[plain(key)].note
    return ruleset.Item(key, catalogue.attribute_name(key), "attribute", note, "Attributes")


def _spell(key: str) -> ruleset.Item:
    spell = catalogue.catalogue().spells[key]
    return ruleset.Item(key, spell.name, "spell", spell.note, "Spells")


# The weapons table of a card: name, range and rules of each weapon, in the fewest words.

Row = Mapping[str, str]


def weapon_rows(outfit: Loadout) -> tuple[Row, ...]:
    """Return rows of name, range and rules for everything that the fighter can strike or shoot
    with."""
    items = catalogue.catalogue().arms.items
    rows = []
    for key in outfit.equipment:
        # Poison and magic that were bought for this weapon.
        on_it = [
            items[plain(each)].name.lower() for each in outfit.equipment if weapon_of(each) == key
        ]
        rows += [_row(side, tuple(on_it)) for side in _sides(key)]
    return tuple(rows)


@cache
def _sides(key: str) -> tuple[str, ...]:
    """Return the weapon rows that an item stands for: a pistol has one to shoot and one to strike
    with."""
    arms = catalogue.catalogue().arms
    if key in arms.magic_items:
        return tuple(filter(None, (arms.magic_items[key].as_weapon,)))
    beside = tuple(each.key for each in arms.close_combat.values() if each.comes_with == key)
    return (key, *beside) if key in arms.missiles or key in arms.close_combat else ()


@cache
def _row(key: str, on_it: tuple[str, ...]) -> Row:
    arms = catalogue.catalogue().arms
    if missile := arms.missiles.get(key):
        name = missile.name
        reach = f"{missile.range}″"
        rules = missile_rules(missile)
    else:
        weapon = arms.close_combat[key]
        name = weapon.name
        reach = "–"
        rules = close_combat_rules(weapon)
    # What was bought for it replaces the stroke of a weapon without rules.
    all_rules = on_it if rules == "–" else (rules, *on_it)
    return {"name": name, "range": reach, "rules": "; ".join(all_rules) or "–"}


def close_combat_rules(weapon: CloseCombatWeapon) -> str:
    """Return a close combat weapon's modifiers and rules, as a card has them."""
    later = f", later {weapon.initiative_later:+}" if weapon.initiative_later is not None else ""
    return _those_that_hold(
        {
            f"initiative {weapon.initiative:+}{later}": weapon.initiative,
            f"wound {weapon.wound:+}": weapon.wound,
            f"wound {weapon.wound_against_mounted:+} against mounted": weapon.wound_against_mounted,
            f"wound {weapon.wound_when_mounted:+} when mounted": weapon.wound_when_mounted,
            f"wound {weapon.wound_two_handed:+} in both hands": weapon.wound_two_handed,
            "two-handed": weapon.hands == "two",
            "powder": weapon.powder,
            f"reload {weapon.reload}": weapon.reload,
        }
    )


def missile_rules(weapon: MissileWeapon) -> str:
    """Return a missile weapon's modifiers and rules, as a card has them."""
    return _those_that_hold(
        {
            f"wound {weapon.wound:+}": weapon.wound,
            f"spray {weapon.spray}″": weapon.spray,
            f"blast {weapon.blast}″": weapon.blast,
            "inaccurate": weapon.inaccurate,
            "match": weapon.match,
            "powder": weapon.powder,
            "one use": weapon.one_use,
            "on foot only": weapon.never_mounted,
            f"reload {weapon.reload}": weapon.reload,
        }
    )


def gun_rules(gun: Gun) -> str:
    """Return a gun's modifiers and rules, as a card has them."""
    special = {"grapeshot": gun.grapeshot, "immobile": gun.immobile}
    always = (f"wound {gun.wound:+}", f"crew of {gun.crew}", f"reload {gun.reload}")
    return _those_that_hold({always[0]: True, always[1]: True, **special, always[2]: True})


def _those_that_hold(words: Mapping[str, object]) -> str:
    return "; ".join(word for word, holds in words.items() if holds) or "–"
