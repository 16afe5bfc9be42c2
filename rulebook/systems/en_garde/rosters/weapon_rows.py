"""The weapons table of a fighter's card: name, range and rules of each weapon, in the fewest words."""

from collections.abc import Iterator, Mapping
from functools import cache

from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.arms import CloseCombatWeapon, Gun, MissileWeapon
from rulebook.systems.en_garde.rosters.builds import plain, weapon_of
from rulebook.systems.en_garde.rosters.loadouts import Loadout

Row = Mapping[str, str]


def weapon_rows(outfit: Loadout) -> tuple[Row, ...]:
    """Rows of name, range and rules for everything that the fighter can strike or shoot with."""
    return tuple(_row(key, _extras(key, outfit)) for key in outfit.equipment for key in _sides(key))


def close_combat_rules(weapon: CloseCombatWeapon) -> str:
    """A close combat weapon's modifiers and rules, as a card has them."""
    return "; ".join(_close_combat_parts(weapon)) or "–"


def missile_rules(weapon: MissileWeapon) -> str:
    """A missile weapon's modifiers and rules, as a card has them."""
    return "; ".join(_missile_parts(weapon)) or "–"


def gun_rules(gun: Gun) -> str:
    """A gun's modifiers and rules, as a card has them."""
    words = (f"wound {gun.wound:+}", f"crew of {gun.crew}", "grapeshot" * gun.grapeshot, "immobile" * gun.immobile)
    return "; ".join(word for word in (*words, _reload(gun.reload)) if word)


@cache
def _sides(key: str) -> tuple[str, ...]:
    """The weapon rows that an item stands for: a pistol has one to shoot and one to strike with."""
    arms = catalogue.catalogue().arms
    if key in arms.magic_items:
        return tuple(filter(None, (arms.magic_items[key].as_weapon,)))
    beside = tuple(each.key for each in arms.close_combat.values() if each.comes_with == key)
    return (key, *beside) if key in arms.missiles or key in arms.close_combat else ()


@cache
def _row(key: str, extras: str) -> Row:
    arms = catalogue.catalogue().arms
    if key in arms.missiles:
        missile = arms.missiles[key]
        return {"name": missile.name, "range": f"{missile.range}″", "rules": _joined(missile_rules(missile), extras)}
    weapon = arms.close_combat[key]
    return {"name": weapon.name, "range": "–", "rules": _joined(close_combat_rules(weapon), extras)}


def _joined(rules: str, extras: str) -> str:
    return "; ".join(part for part in (rules, extras) if part not in ("", "–")) or "–"


def _extras(key: str, outfit: Loadout) -> str:
    """Poison and magic that were bought for this weapon."""
    on_it = (each for each in outfit.equipment if weapon_of(each) == key)
    items = catalogue.catalogue().arms.items
    return "; ".join(items[plain(each)].name.lower() for each in on_it)


def _close_combat_parts(weapon: CloseCombatWeapon) -> Iterator[str]:
    if weapon.initiative:
        later = f", later {weapon.initiative_later:+}" if weapon.initiative_later is not None else ""
        yield f"initiative {weapon.initiative:+}{later}"
    wounds = {
        "": weapon.wound,
        " against mounted": weapon.wound_against_mounted,
        " when mounted": weapon.wound_when_mounted,
        " in both hands": weapon.wound_two_handed,
    }
    yield from (f"wound {bonus:+}{when}" for when, bonus in wounds.items() if bonus)
    if weapon.hands == "two":
        yield "two-handed"
    if weapon.powder:
        yield "powder"
    if weapon.reload:
        yield _reload(weapon.reload)


def _missile_parts(weapon: MissileWeapon) -> Iterator[str]:
    words = {
        f"wound {weapon.wound:+}": weapon.wound,
        f"spray {weapon.spray}″": weapon.spray,
        f"blast {weapon.blast}″": weapon.blast,
        "inaccurate": weapon.inaccurate,
        "match": weapon.match,
        "powder": weapon.powder,
        "one use": weapon.one_use,
        "on foot only": weapon.never_mounted,
        _reload(weapon.reload): weapon.reload,
    }
    return (word for word, holds in words.items() if holds)


def _reload(counters: int) -> str:
    return f"reload {counters}"
