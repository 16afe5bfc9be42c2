"""Missile weapons and guns as a shot sees them, and what loading them takes."""

from msgspec import Struct

from rulebook.systems.en_garde.book.arms import Gun, MissileWeapon
from rulebook.systems.en_garde.book.catalogue import catalogue


class Missile(Struct, frozen=True):
    """A weapon as a shot sees it, gun or hand weapon alike: ranges in inches."""

    key: str
    name: str
    range: int
    wound: int
    reload: int = 0
    spray: int = 0
    blast: int = 0
    inaccurate: bool = False
    match: bool = False
    powder: bool = False
    one_use: bool = False
    never_mounted: bool = False
    gun: bool = False


def missile(key: str, *, grapeshot: bool = False) -> Missile:
    """The missile weapon or gun of this key; ``grapeshot`` shortens a gun's range and spreads its shot.

    Raises KeyError for an unknown key. Rule book: "Missile weapons", "Ordinance".
    """
    known = catalogue().arms
    return _hand_weapon(known.missiles[key]) if key in known.missiles else _gun(known.guns[key], grapeshot)


def is_missile(key: str) -> bool:
    """Is this the key of a missile weapon or a gun?"""
    return key in catalogue().arms.missiles or key in catalogue().arms.guns


def _hand_weapon(weapon: MissileWeapon) -> Missile:
    return Missile(
        key=weapon.key,
        name=weapon.name,
        range=weapon.range,
        wound=weapon.wound,
        reload=weapon.reload,
        spray=weapon.spray,
        blast=weapon.blast,
        inaccurate=weapon.inaccurate,
        match=weapon.match,
        powder=weapon.powder,
        one_use=weapon.one_use,
        never_mounted=weapon.never_mounted,
    )


def _gun(gun: Gun, grapeshot: bool) -> Missile:
    canister = catalogue().arms.grapeshot
    spread = grapeshot and gun.grapeshot
    return Missile(
        key=gun.key,
        name=gun.name,
        range=canister.range if spread else gun.range,
        wound=gun.wound + (canister.wound if spread else 0),
        reload=gun.reload,
        spray=canister.spray if spread else 0,
        gun=True,
    )


def reloaded(counters: int, crew_reloading: int = 1, *, powder: bool = False, rain_die: int | None = None) -> int:
    """Reload counters after reloading; in the rain powder may have to be dried: on 1 or 2 a counter comes back.

    ``rain_die`` is given if it rains. Rule book: "Remove a reload counter", "Powder".
    """
    left = max(0, counters - crew_reloading)
    wet = powder and rain_die is not None and rain_die <= 2
    return left + int(wet)
